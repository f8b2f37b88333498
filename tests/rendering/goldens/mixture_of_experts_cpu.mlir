// The router chooses 2 of 4 experts for each token. Tokens are sorted by expert, in blocks of at most
// 1, and each block is multiplied with the weights of its expert.
// m token, e and f expert, r rank of an expert of a token, p place of a token in the order of experts,
// b block of places, c chunk of tokens, u token of a chunk, n column of a product, k column of what is multiplied
!hidden = tensor<1x1x64xf16>
!router_weight = tensor<4x64xf16>
!gate_up_weight = tensor<4x128x64xf16>
!down_weight = tensor<4x64x64xf16>
!output = tensor<1x1x64xf16>
!tokens = tensor<1x64xf16>
!scores = tensor<1x4xf32>
!products = !scores
!orders = tensor<1x4xi32>
!chosen = tensor<1x2xf32>
!ids = tensor<1x2xi32>
!of_token = tensor<1xf32>
!of_block = tensor<2xi32>
!gate_up_rows = tensor<512x64xf16>
!down_rows = tensor<256x64xf16>
!gate_up_sums = tensor<2x128xf32>
!halves = tensor<2x64xf32>
!inner = tensor<2x64xf16>
!down_sums = tensor<2x64xf32>
!sums = tensor<1x64xf32>
!rows = !tokens
#own = affine_map<(m, e, f) -> (m, e)>
#other = affine_map<(m, e, f) -> (m, f)>
#first = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#middle = affine_map<(m, r, n) -> (m, r)>
#outer = affine_map<(m, r, n) -> (m, n)>
!depth_given = vector<16xf16>
!depth_lanes = vector<16xf32>
!depth_block = vector<1x8x16xf32>
!depth_part = vector<1x8x16xf32>
!depth_sums = vector<1x8xf32>
!depth_row = vector<8xf32>
!depth_numbers = vector<8xf32>
!depth_rows0 = vector<8x16xf32>
!depth_register8 = vector<8xf32>
!depth_register16 = vector<16xf32>
!tokens_of_products = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x64xf16>>
!router_weight_of_products = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x64xf16>>
!products_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x4xf32>>
#rows = affine_map<(m, n) -> (m, n)>
!single_given = vector<16xf16>
!single_lanes = vector<16xf32>
!single_block = vector<1x8x16xf32>
!single_part = vector<1x8x16xf32>
!single_sums = vector<1x8xf32>
!single_row = vector<8xf32>
!single_numbers = vector<8xf32>
!single_rows0 = vector<8x16xf32>
!single_register8 = vector<8xf32>
!single_register16 = vector<16xf32>
!single_stored_row = vector<8xf16>
!tokens_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x64xf16>>
!gate_up_rows_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x64xf16>>
!block_experts_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!gate_up_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x128xf32>>
!inner_of_down_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x64xf16>>
!down_rows_of_down_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf16>>
!block_experts_of_down_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!down_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x64xf32>>
func.func @mixture_of_experts(%hidden: !hidden, %router_weight: !router_weight, %gate_up_weight: !gate_up_weight, %down_weight: !down_weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %zero_i32 = arith.constant 0 : i32
  %magnitude_bits = arith.constant 2147483647 : i32
  %infinity = arith.constant 2139095040 : i32
  %largest = arith.constant -1 : i32
  %middle = arith.constant -2147483648 : i32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %products =
    flow.dispatch @products_kernel::@products_kernel(
      %tokens, %router_weight
    ) : (
      tensor<1x64xf16>,
      tensor<4x64xf16>
    ) -> (tensor<1x4xf32>)
  // The compiler has no code for the product and all that is made of it in one kernel.
  %routed = iree_tensor_ext.compute_barrier.start %products : !scores -> !scores
  %scores_empty = tensor.empty() : !scores
  %orders_empty = tensor.empty() : !orders
  %score, %wanted, %order_of_all = linalg.generic {
      indexing_maps = [#rows, #rows, #rows, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%routed : !scores)
      outs(%scores_empty, %scores_empty, %orders_empty : !scores, !scores, !orders) {
  ^bb0(%product: f32, %no_score: f32, %not_wanted: f32, %no_order: i32):
    %bits = arith.bitcast %product : f32 to i32
    %magnitude = arith.andi %bits, %magnitude_bits : i32
    %below_zero = arith.subi %zero_i32, %magnitude : i32
    %is_negative = arith.cmpi slt, %bits, %zero_i32 : i32
    %number = arith.select %is_negative, %below_zero, %magnitude : i32
    %is_nan = arith.cmpi sgt, %magnitude, %infinity : i32
    %above_zero = arith.addi %number, %middle : i32
    %order = arith.select %is_nan, %largest, %above_zero : i32
    linalg.yield %product, %product, %order : f32, f32, i32
  } -> (!scores, !scores, !orders)
  %rank_empty = tensor.empty() : !orders
  %rank_start = linalg.fill ins(%zero_i32 : i32)
    outs(%rank_empty : !orders) -> !orders
  %rank = linalg.generic {
      indexing_maps = [#own, #other, #own],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%order_of_all, %order_of_all : !orders, !orders)
      outs(%rank_start : !orders) {
  ^bb0(%own: i32, %other: i32, %count: i32):
    %e = linalg.index 1 : index
    %f = linalg.index 2 : index
    %is_better = arith.cmpi ugt, %other, %own : i32
    %is_equal = arith.cmpi eq, %other, %own : i32
    %is_earlier = arith.cmpi ult, %f, %e : index
    %is_first = arith.andi %is_equal, %is_earlier : i1
    %is_before = arith.ori %is_better, %is_first : i1
    %one = arith.extui %is_before : i1 to i32
    %more = arith.addi %count, %one : i32
    linalg.yield %more : i32
  } -> !orders
  %ids_empty = tensor.empty() : !ids
  %ids_start = linalg.fill ins(%zero_i32 : i32) outs(%ids_empty : !ids) -> !ids
  %chosen_empty = tensor.empty() : !chosen
  %chosen_start = linalg.fill ins(%zero : f32) outs(%chosen_empty : !chosen) -> !chosen
  %ids, %chosen = linalg.generic {
      indexing_maps = [#outer, #outer, #middle, #middle],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%rank, %score : !orders, !scores) outs(%ids_start, %chosen_start : !ids, !chosen) {
  ^bb0(%rank_of_one: i32, %score_of_one: f32, %id: i32, %found: f32):
    %r = linalg.index 1 : index
    %e = linalg.index 2 : index
    %wanted_rank = arith.index_cast %r : index to i32
    %expert = arith.index_cast %e : index to i32
    %is_it = arith.cmpi eq, %rank_of_one, %wanted_rank : i32
    %new_id = arith.select %is_it, %expert, %id : i32
    %new_score = arith.select %is_it, %score_of_one, %found : f32
    linalg.yield %new_id, %new_score : i32, f32
  } -> (!ids, !chosen)
  %best = tensor.extract_slice %chosen[0, 0] [1, 1] [1, 1] : !chosen to !of_token
  %whole_empty = tensor.empty() : !of_token
  %whole_start = linalg.fill ins(%zero : f32) outs(%whole_empty : !of_token) -> !of_token
  %whole = linalg.generic {
      indexing_maps = [#rows, #first, #first], iterator_types = ["parallel", "reduction"]
    } ins(%chosen, %best : !chosen, !of_token) outs(%whole_start : !of_token) {
  ^bb0(%one: f32, %most: f32, %sum: f32):
    %less = arith.subf %one, %most : f32
    %part = math.exp %less : f32
    %more = arith.addf %sum, %part : f32
    linalg.yield %more : f32
  } -> !of_token
  %weights = linalg.generic {
      indexing_maps = [#rows, #first, #first, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%chosen, %best, %whole : !chosen, !of_token, !of_token) outs(%chosen_empty : !chosen) {
  ^bb0(%one: f32, %most: f32, %sum: f32, %unused: f32):
    %less = arith.subf %one, %most : f32
    %part = math.exp %less : f32
    %share = arith.divf %part, %sum : f32
    %scale = arith.constant 1.0 : f32
    %weight = arith.mulf %share, %scale : f32
    linalg.yield %weight : f32
  } -> !chosen

  %block_experts = tensor.collapse_shape %ids [[0, 1]] : !ids into !of_block
  %gate_up_rows = tensor.collapse_shape %gate_up_weight [[0, 1], [2]] : !gate_up_weight into !gate_up_rows
  %down_rows = tensor.collapse_shape %down_weight [[0, 1], [2]] : !down_weight into !down_rows
  %gate_up_sums =
    flow.dispatch @gate_up_sums_kernel::@gate_up_sums_kernel(
      %tokens, %gate_up_rows, %block_experts
    ) : (
      tensor<1x64xf16>,
      tensor<512x64xf16>,
      tensor<2xi32>
    ) -> (tensor<2x128xf32>)
  %inner_empty = tensor.empty() : !inner
  %gate = tensor.extract_slice %gate_up_sums[0, 0] [2, 64] [1, 1] : !gate_up_sums to !halves
  %up = tensor.extract_slice %gate_up_sums[0, 64] [2, 64] [1, 1] : !gate_up_sums to !halves
  %inner = linalg.generic {
      indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate, %up : !halves, !halves) outs(%inner_empty : !inner) {
  ^bb0(%open: f32, %through: f32, %unused: f16):
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %open : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %open, %divisor : f32
    %made = arith.mulf %active, %through : f32
    %made_stored = arith.truncf %made : f32 to f16
    linalg.yield %made_stored : f16
  } -> !inner
  %down_sums =
    flow.dispatch @down_sums_kernel::@down_sums_kernel(
      %inner, %down_rows, %block_experts
    ) : (
      tensor<2x64xf16>,
      tensor<256x64xf16>,
      tensor<2xi32>
    ) -> (tensor<2x64xf32>)
  %sums_empty = tensor.empty() : !sums
  %sums_start = linalg.fill ins(%zero : f32) outs(%sums_empty : !sums) -> !sums
  %sums = linalg.generic {
      indexing_maps = [#middle, #outer],
      iterator_types = ["parallel", "reduction", "parallel"]
    } ins(%weights : !chosen) outs(%sums_start : !sums) {
  ^bb0(%weight: f32, %sum: f32):
    %n = linalg.index 2 : index
    %p = linalg.index 1 : index
    %made = tensor.extract %down_sums[%p, %n] : !down_sums
    %weighted = arith.mulf %weight, %made : f32
    %more = arith.addf %sum, %weighted : f32
    linalg.yield %more : f32
  } -> !sums
  %rows_empty = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%sums : !sums) outs(%rows_empty : !rows) {
  ^bb0(%of_experts: f32, %unused: f16):
    %of_experts_stored = arith.truncf %of_experts : f32 to f16
    linalg.yield %of_experts_stored : f16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 64]
    : !rows into !output
  return %output : !output
}
flow.executable private @products_kernel {
  flow.executable.export public @products_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @products_kernel(
      %tokens_in: !tokens_of_products,
      %router_weight_in: !router_weight_of_products,
      %products_out: !products_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 64], strides = [1, 1]
      : !tokens_of_products -> tensor<1x64xf16>
    %router_weight = iree_tensor_ext.dispatch.tensor.load %router_weight_in,
      offsets = [0, 0], sizes = [4, 64], strides = [1, 1]
      : !router_weight_of_products -> tensor<4x64xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 64 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 4 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<4x64xf16>
    %empty = tensor.empty() : tensor<1x4xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x4xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x4xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_block
        %n0 = affine.min affine_map<(n) -> (n + 0, 3)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 3)>(%n)[%column_step]
        %n1 = affine.min affine_map<(n) -> (n + 1, 3)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 3)>(%n)[%column_step]
        %n2 = affine.min affine_map<(n) -> (n + 2, 3)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 3)>(%n)[%column_step]
        %n3 = affine.min affine_map<(n) -> (n + 3, 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 3)>(%n)[%column_step]
        %n4 = affine.min affine_map<(n) -> (n + 4, 3)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 3)>(%n)[%column_step]
        %n5 = affine.min affine_map<(n) -> (n + 5, 3)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 3)>(%n)[%column_step]
        %n6 = affine.min affine_map<(n) -> (n + 6, 3)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 3)>(%n)[%column_step]
        %n7 = affine.min affine_map<(n) -> (n + 7, 3)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 3)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x4xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<4x64xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<4x64xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<4x64xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<4x64xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<4x64xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<4x64xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<4x64xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<4x64xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x64xf16>, !depth_given
    %left0_0 = arith.extf %left0_0_stored : !depth_given to !depth_lanes
            %right0_0_stored = vector.transfer_read
              %router_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf16>, !depth_given
    %right0_0 = arith.extf %right0_0_stored : !depth_given to !depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_lanes from !depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_lanes into !depth_block
            %right1_0_stored = vector.transfer_read
              %router_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf16>, !depth_given
    %right1_0 = arith.extf %right1_0_stored : !depth_given to !depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !depth_lanes from !depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !depth_lanes into !depth_block
            %right2_0_stored = vector.transfer_read
              %router_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf16>, !depth_given
    %right2_0 = arith.extf %right2_0_stored : !depth_given to !depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !depth_lanes from !depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !depth_lanes into !depth_block
            %right3_0_stored = vector.transfer_read
              %router_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf16>, !depth_given
    %right3_0 = arith.extf %right3_0_stored : !depth_given to !depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !depth_lanes from !depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !depth_lanes into !depth_block
            %right4_0_stored = vector.transfer_read
              %router_weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf16>, !depth_given
    %right4_0 = arith.extf %right4_0_stored : !depth_given to !depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !depth_lanes from !depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !depth_lanes into !depth_block
            %right5_0_stored = vector.transfer_read
              %router_weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf16>, !depth_given
    %right5_0 = arith.extf %right5_0_stored : !depth_given to !depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !depth_lanes from !depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !depth_lanes into !depth_block
            %right6_0_stored = vector.transfer_read
              %router_weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf16>, !depth_given
    %right6_0 = arith.extf %right6_0_stored : !depth_given to !depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !depth_lanes from !depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !depth_lanes into !depth_block
            %right7_0_stored = vector.transfer_read
              %router_weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf16>, !depth_given
    %right7_0 = arith.extf %right7_0_stored : !depth_given to !depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !depth_lanes from !depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !depth_block to !depth_part
          %registers0 = vector.shape_cast %part0 : !depth_part to !depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_register16 from !depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_register16 from !depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_register16 from !depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_register16 from !depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !depth_register16 from !depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !depth_register16 from !depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !depth_register16 from !depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !depth_register16 from !depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_register16, !depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_register16, !depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !depth_register16, !depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !depth_register16, !depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !depth_register8
          %sums0 = vector.shape_cast %numbers0 : !depth_numbers to !depth_sums
          %row0 = vector.extract %sums0[0] : !depth_row from !depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [false]} : !depth_row, tensor<1x4xf32>
          scf.yield %after : tensor<1x4xf32>
        }
        scf.yield %of_rows : tensor<1x4xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 4] [1, 1]
          : tensor<1x4xf32> into tensor<1x4xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %products_out,
      offsets = [0, 0], sizes = [1, 4], strides = [1, 1]
      : tensor<1x4xf32> -> !products_out
    return
  }
  }
}
flow.executable private @gate_up_sums_kernel {
  flow.executable.export public @gate_up_sums_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @gate_up_sums_kernel(
      %tokens_in: !tokens_of_gate_up_sums,
      %gate_up_rows_in: !gate_up_rows_of_gate_up_sums,
      %block_experts_in: !block_experts_of_gate_up_sums,
      %gate_up_sums_out: !gate_up_sums_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 64], strides = [1, 1]
      : !tokens_of_gate_up_sums -> tensor<1x64xf16>
    %gate_up_rows = iree_tensor_ext.dispatch.tensor.load %gate_up_rows_in,
      offsets = [0, 0], sizes = [512, 64], strides = [1, 1]
      : !gate_up_rows_of_gate_up_sums -> tensor<512x64xf16>
    %block_experts = iree_tensor_ext.dispatch.tensor.load %block_experts_in,
      offsets = [0], sizes = [2], strides = [1]
      : !block_experts_of_gate_up_sums -> tensor<2xi32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %depth = arith.constant 64 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %padding = arith.constant 0.0 : f16
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 64)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<512x64xf16>
    %blocks = tensor.dim %block_experts, %none : tensor<2xi32>
    %empty = tensor.empty() : tensor<2x128xf32>
    // Blocks of the same expert follow one another: its columns are read from memory once.
    %workgroups = scf.forall (%x, %b) in (%column_tiles, %blocks) shared_outs(%all = %empty)
      -> (tensor<2x128xf32>) {
      %expert_told = tensor.extract %block_experts[%b] : tensor<2xi32>
      %expert = arith.index_cast %expert_told : i32 to index
      %first_weight = affine.apply affine_map<(e) -> (e * 128)>(%expert)
      %first = affine.apply affine_map<(b) -> (b)>(%b)
      %end = affine.apply affine_map<(b) -> (b + 1)>(%b)
      %first_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 64, n)>(%first_column)[%columns]
      %end_of_single = arith.addi %end, %none : index
      %rows_single = arith.constant 1 : index
      %columns_single = arith.constant 8 : index
      %of_all = scf.for %n = %first_column to %end_column step %columns_single
        iter_args(%given = %all) -> (tensor<2x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !single_block
        %column0 = affine.min affine_map<(n) -> (n + 0, 127)>(%n)
        %n0 = affine.apply affine_map<(n)[f] -> (n + f)>(%column0)[%first_weight]
        %next0 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column0)[
            %first_weight, %columns_single]
        %column1 = affine.min affine_map<(n) -> (n + 1, 127)>(%n)
        %n1 = affine.apply affine_map<(n)[f] -> (n + f)>(%column1)[%first_weight]
        %next1 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column1)[
            %first_weight, %columns_single]
        %column2 = affine.min affine_map<(n) -> (n + 2, 127)>(%n)
        %n2 = affine.apply affine_map<(n)[f] -> (n + f)>(%column2)[%first_weight]
        %next2 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column2)[
            %first_weight, %columns_single]
        %column3 = affine.min affine_map<(n) -> (n + 3, 127)>(%n)
        %n3 = affine.apply affine_map<(n)[f] -> (n + f)>(%column3)[%first_weight]
        %next3 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column3)[
            %first_weight, %columns_single]
        %column4 = affine.min affine_map<(n) -> (n + 4, 127)>(%n)
        %n4 = affine.apply affine_map<(n)[f] -> (n + f)>(%column4)[%first_weight]
        %next4 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column4)[
            %first_weight, %columns_single]
        %column5 = affine.min affine_map<(n) -> (n + 5, 127)>(%n)
        %n5 = affine.apply affine_map<(n)[f] -> (n + f)>(%column5)[%first_weight]
        %next5 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column5)[
            %first_weight, %columns_single]
        %column6 = affine.min affine_map<(n) -> (n + 6, 127)>(%n)
        %n6 = affine.apply affine_map<(n)[f] -> (n + f)>(%column6)[%first_weight]
        %next6 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column6)[
            %first_weight, %columns_single]
        %column7 = affine.min affine_map<(n) -> (n + 7, 127)>(%n)
        %n7 = affine.apply affine_map<(n)[f] -> (n + f)>(%column7)[%first_weight]
        %next7 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column7)[
            %first_weight, %columns_single]
        %of_rows = scf.for %m = %first to %end_of_single step %rows_single iter_args(%before = %given)
          -> (tensor<2x128xf32>) {
          %m0 = affine.min affine_map<(m)[e] -> (m + 0, e - 1)>(%m)[%end]
          %x0 = affine.apply affine_map<(m) -> (0)>(%m0)
          %is_first = arith.cmpi eq, %m, %first : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<512x64xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<512x64xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<512x64xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<512x64xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<512x64xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<512x64xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<512x64xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<512x64xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%x0, %k0], %padding {in_bounds = [true]}
              : tensor<1x64xf16>, !single_given
    %left0_0 = arith.extf %left0_0_stored : !single_given to !single_lanes
            %right0_0_stored = vector.transfer_read
              %gate_up_rows[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf16>, !single_given
    %right0_0 = arith.extf %right0_0_stored : !single_given to !single_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !single_lanes from !single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !single_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !single_lanes into !single_block
            %right1_0_stored = vector.transfer_read
              %gate_up_rows[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf16>, !single_given
    %right1_0 = arith.extf %right1_0_stored : !single_given to !single_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !single_lanes from !single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !single_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !single_lanes into !single_block
            %right2_0_stored = vector.transfer_read
              %gate_up_rows[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf16>, !single_given
    %right2_0 = arith.extf %right2_0_stored : !single_given to !single_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !single_lanes from !single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !single_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !single_lanes into !single_block
            %right3_0_stored = vector.transfer_read
              %gate_up_rows[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf16>, !single_given
    %right3_0 = arith.extf %right3_0_stored : !single_given to !single_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !single_lanes from !single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !single_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !single_lanes into !single_block
            %right4_0_stored = vector.transfer_read
              %gate_up_rows[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf16>, !single_given
    %right4_0 = arith.extf %right4_0_stored : !single_given to !single_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !single_lanes from !single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !single_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !single_lanes into !single_block
            %right5_0_stored = vector.transfer_read
              %gate_up_rows[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf16>, !single_given
    %right5_0 = arith.extf %right5_0_stored : !single_given to !single_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !single_lanes from !single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !single_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !single_lanes into !single_block
            %right6_0_stored = vector.transfer_read
              %gate_up_rows[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf16>, !single_given
    %right6_0 = arith.extf %right6_0_stored : !single_given to !single_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !single_lanes from !single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !single_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !single_lanes into !single_block
            %right7_0_stored = vector.transfer_read
              %gate_up_rows[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf16>, !single_given
    %right7_0 = arith.extf %right7_0_stored : !single_given to !single_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !single_lanes from !single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !single_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !single_lanes into !single_block
            scf.yield %more : !single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !single_block to !single_part
          %registers0 = vector.shape_cast %part0 : !single_part to !single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !single_register16 from !single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !single_register16 from !single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !single_register16 from !single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !single_register16 from !single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !single_register16 from !single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !single_register16 from !single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !single_register16 from !single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !single_register16 from !single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !single_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !single_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !single_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !single_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !single_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !single_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !single_register16, !single_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !single_register16, !single_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !single_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !single_register16, !single_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !single_register16, !single_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !single_register8
          %sums0 = vector.shape_cast %numbers0 : !single_numbers to !single_sums
          %row0 = vector.extract %sums0[0] : !single_row from !single_sums
          %after = vector.transfer_write %row0,
            %before[%m0, %n]
            {in_bounds = [true]} : !single_row, tensor<2x128xf32>
          scf.yield %after : tensor<2x128xf32>
        }
        scf.yield %of_rows : tensor<2x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_all
          into %all[0, 0] [2, 128] [1, 1]
          : tensor<2x128xf32> into tensor<2x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %gate_up_sums_out,
      offsets = [0, 0], sizes = [2, 128], strides = [1, 1]
      : tensor<2x128xf32> -> !gate_up_sums_out
    return
  }
  }
}
flow.executable private @down_sums_kernel {
  flow.executable.export public @down_sums_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @down_sums_kernel(
      %inner_in: !inner_of_down_sums,
      %down_rows_in: !down_rows_of_down_sums,
      %block_experts_in: !block_experts_of_down_sums,
      %down_sums_out: !down_sums_out
    ) {
    %inner = iree_tensor_ext.dispatch.tensor.load %inner_in,
      offsets = [0, 0], sizes = [2, 64], strides = [1, 1]
      : !inner_of_down_sums -> tensor<2x64xf16>
    %down_rows = iree_tensor_ext.dispatch.tensor.load %down_rows_in,
      offsets = [0, 0], sizes = [256, 64], strides = [1, 1]
      : !down_rows_of_down_sums -> tensor<256x64xf16>
    %block_experts = iree_tensor_ext.dispatch.tensor.load %block_experts_in,
      offsets = [0], sizes = [2], strides = [1]
      : !block_experts_of_down_sums -> tensor<2xi32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %depth = arith.constant 64 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 64 : index
    %padding = arith.constant 0.0 : f16
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 64)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<256x64xf16>
    %blocks = tensor.dim %block_experts, %none : tensor<2xi32>
    %empty = tensor.empty() : tensor<2x64xf32>
    // Blocks of the same expert follow one another: its columns are read from memory once.
    %workgroups = scf.forall (%x, %b) in (%column_tiles, %blocks) shared_outs(%all = %empty)
      -> (tensor<2x64xf32>) {
      %expert_told = tensor.extract %block_experts[%b] : tensor<2xi32>
      %expert = arith.index_cast %expert_told : i32 to index
      %first_weight = affine.apply affine_map<(e) -> (e * 64)>(%expert)
      %first = affine.apply affine_map<(b) -> (b)>(%b)
      %end = affine.apply affine_map<(b) -> (b + 1)>(%b)
      %first_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 64, n)>(%first_column)[%columns]
      %end_of_single = arith.addi %end, %none : index
      %rows_single = arith.constant 1 : index
      %columns_single = arith.constant 8 : index
      %of_all = scf.for %n = %first_column to %end_column step %columns_single
        iter_args(%given = %all) -> (tensor<2x64xf32>) {
        %no_sums = arith.constant dense<0.0> : !single_block
        %column0 = affine.min affine_map<(n) -> (n + 0, 63)>(%n)
        %n0 = affine.apply affine_map<(n)[f] -> (n + f)>(%column0)[%first_weight]
        %next0 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column0)[
            %first_weight, %columns_single]
        %column1 = affine.min affine_map<(n) -> (n + 1, 63)>(%n)
        %n1 = affine.apply affine_map<(n)[f] -> (n + f)>(%column1)[%first_weight]
        %next1 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column1)[
            %first_weight, %columns_single]
        %column2 = affine.min affine_map<(n) -> (n + 2, 63)>(%n)
        %n2 = affine.apply affine_map<(n)[f] -> (n + f)>(%column2)[%first_weight]
        %next2 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column2)[
            %first_weight, %columns_single]
        %column3 = affine.min affine_map<(n) -> (n + 3, 63)>(%n)
        %n3 = affine.apply affine_map<(n)[f] -> (n + f)>(%column3)[%first_weight]
        %next3 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column3)[
            %first_weight, %columns_single]
        %column4 = affine.min affine_map<(n) -> (n + 4, 63)>(%n)
        %n4 = affine.apply affine_map<(n)[f] -> (n + f)>(%column4)[%first_weight]
        %next4 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column4)[
            %first_weight, %columns_single]
        %column5 = affine.min affine_map<(n) -> (n + 5, 63)>(%n)
        %n5 = affine.apply affine_map<(n)[f] -> (n + f)>(%column5)[%first_weight]
        %next5 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column5)[
            %first_weight, %columns_single]
        %column6 = affine.min affine_map<(n) -> (n + 6, 63)>(%n)
        %n6 = affine.apply affine_map<(n)[f] -> (n + f)>(%column6)[%first_weight]
        %next6 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column6)[
            %first_weight, %columns_single]
        %column7 = affine.min affine_map<(n) -> (n + 7, 63)>(%n)
        %n7 = affine.apply affine_map<(n)[f] -> (n + f)>(%column7)[%first_weight]
        %next7 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column7)[
            %first_weight, %columns_single]
        %of_rows = scf.for %m = %first to %end_of_single step %rows_single iter_args(%before = %given)
          -> (tensor<2x64xf32>) {
          %m0 = affine.min affine_map<(m)[e] -> (m + 0, e - 1)>(%m)[%end]
          %x0 = affine.apply affine_map<(m) -> (m)>(%m0)
          %is_first = arith.cmpi eq, %m, %first : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<256x64xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<256x64xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<256x64xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<256x64xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<256x64xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<256x64xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<256x64xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<256x64xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %inner[%x0, %k0], %padding {in_bounds = [true]}
              : tensor<2x64xf16>, !single_given
    %left0_0 = arith.extf %left0_0_stored : !single_given to !single_lanes
            %right0_0_stored = vector.transfer_read
              %down_rows[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf16>, !single_given
    %right0_0 = arith.extf %right0_0_stored : !single_given to !single_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !single_lanes from !single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !single_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !single_lanes into !single_block
            %right1_0_stored = vector.transfer_read
              %down_rows[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf16>, !single_given
    %right1_0 = arith.extf %right1_0_stored : !single_given to !single_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !single_lanes from !single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !single_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !single_lanes into !single_block
            %right2_0_stored = vector.transfer_read
              %down_rows[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf16>, !single_given
    %right2_0 = arith.extf %right2_0_stored : !single_given to !single_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !single_lanes from !single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !single_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !single_lanes into !single_block
            %right3_0_stored = vector.transfer_read
              %down_rows[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf16>, !single_given
    %right3_0 = arith.extf %right3_0_stored : !single_given to !single_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !single_lanes from !single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !single_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !single_lanes into !single_block
            %right4_0_stored = vector.transfer_read
              %down_rows[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf16>, !single_given
    %right4_0 = arith.extf %right4_0_stored : !single_given to !single_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !single_lanes from !single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !single_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !single_lanes into !single_block
            %right5_0_stored = vector.transfer_read
              %down_rows[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf16>, !single_given
    %right5_0 = arith.extf %right5_0_stored : !single_given to !single_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !single_lanes from !single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !single_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !single_lanes into !single_block
            %right6_0_stored = vector.transfer_read
              %down_rows[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf16>, !single_given
    %right6_0 = arith.extf %right6_0_stored : !single_given to !single_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !single_lanes from !single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !single_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !single_lanes into !single_block
            %right7_0_stored = vector.transfer_read
              %down_rows[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf16>, !single_given
    %right7_0 = arith.extf %right7_0_stored : !single_given to !single_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !single_lanes from !single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !single_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !single_lanes into !single_block
            scf.yield %more : !single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !single_block to !single_part
          %registers0 = vector.shape_cast %part0 : !single_part to !single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !single_register16 from !single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !single_register16 from !single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !single_register16 from !single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !single_register16 from !single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !single_register16 from !single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !single_register16 from !single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !single_register16 from !single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !single_register16 from !single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !single_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !single_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !single_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !single_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !single_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !single_register16, !single_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !single_register16, !single_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !single_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !single_register16, !single_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !single_register16, !single_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !single_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !single_register16, !single_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !single_register16, !single_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !single_register8
          %sums0 = vector.shape_cast %numbers0 : !single_numbers to !single_sums
          %row0 = vector.extract %sums0[0] : !single_row from !single_sums
          %after = vector.transfer_write %row0,
            %before[%m0, %n]
            {in_bounds = [true]} : !single_row, tensor<2x64xf32>
          scf.yield %after : tensor<2x64xf32>
        }
        scf.yield %of_rows : tensor<2x64xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_all
          into %all[0, 0] [2, 64] [1, 1]
          : tensor<2x64xf32> into tensor<2x64xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %down_sums_out,
      offsets = [0, 0], sizes = [2, 64], strides = [1, 1]
      : tensor<2x64xf32> -> !down_sums_out
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @mixture_of_experts$async(
    %hidden: !hidden,
    %router_weight: !router_weight,
    %gate_up_weight: !gate_up_weight,
    %down_weight: !down_weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @mixture_of_experts(%hidden, %router_weight, %gate_up_weight, %down_weight)
    : (!hidden, !router_weight, !gate_up_weight, !down_weight) -> (!output)
  util.return %output : !output
}
