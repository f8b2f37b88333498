
// Gated linear attention: 4 tokens of a head read and write its state together.
!query = tensor<2x1x9x64xf16>
!key = tensor<2x1x9x64xf16>
!value = tensor<2x2x9x64xf16>
!g = tensor<2x2x9xf32>
!beta = tensor<2x2x9xf16>
!initial_state = tensor<2x2x64x64xf32>
!q_lens = tensor<2xi32>
!output = tensor<2x2x9x64xf16>
!final_state = tensor<2x2x64x64xf32>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x1x9x64xf16>>
!key_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x1x9x64xf16>>
!value_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x9x64xf16>>
!g_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x9xf32>>
!beta_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x9xf16>>
!q_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!initial_state_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x2x64x64xf32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x2x9x64xf16>>
!state = tensor<2x2x64x64xf32>
!key_given = vector<16xf16>
!key_part = vector<16xf32>
!value_given = vector<64xf16>
!row = vector<64xf32>
!reading = tensor<4x64xf32>
!writing = tensor<4x64xf32>
!row_decays = tensor<64xf32>

func.func @gated_delta_rule(%query: !query, %key: !key, %value: !value, %g: !g, %beta: !beta, %initial_state: !initial_state {iree.abi.consume}, %q_lens: !q_lens) -> (!output, !final_state) {
  %final_state, %output =
    flow.dispatch @final_state_kernel::@final_state_kernel(
      %query, %key, %value, %g, %beta, %q_lens, %initial_state
    ) : (
      tensor<2x1x9x64xf16>,
      tensor<2x1x9x64xf16>,
      tensor<2x2x9x64xf16>,
      tensor<2x2x9xf32>,
      tensor<2x2x9xf16>,
      tensor<2xi32>,
      tensor<2x2x64x64xf32>
    ) -> (%initial_state, tensor<2x2x9x64xf16>)
  return %output, %final_state
    : !output, !final_state
}
flow.executable private @final_state_kernel {
  flow.executable.export public @final_state_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @final_state_kernel(
      %query_in: !query_in,
      %key_in: !key_in,
      %value_in: !value_in,
      %g_in: !g_in,
      %beta_in: !beta_in,
      %q_lens_in: !q_lens_in,
      %initial_state_in: !initial_state_in,
      %output_out: !output_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0, 0], sizes = [2, 1, 9, 64], strides = [1, 1, 1, 1]
      : !query_in -> tensor<2x1x9x64xf16>
    %key = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [0, 0, 0, 0], sizes = [2, 1, 9, 64], strides = [1, 1, 1, 1]
      : !key_in -> tensor<2x1x9x64xf16>
    %value = iree_tensor_ext.dispatch.tensor.load %value_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 9, 64], strides = [1, 1, 1, 1]
      : !value_in -> tensor<2x2x9x64xf16>
    %g = iree_tensor_ext.dispatch.tensor.load %g_in,
      offsets = [0, 0, 0], sizes = [2, 2, 9], strides = [1, 1, 1]
      : !g_in -> tensor<2x2x9xf32>
    %beta = iree_tensor_ext.dispatch.tensor.load %beta_in,
      offsets = [0, 0, 0], sizes = [2, 2, 9], strides = [1, 1, 1]
      : !beta_in -> tensor<2x2x9xf16>
    %q_lens = iree_tensor_ext.dispatch.tensor.load %q_lens_in,
      offsets = [0], sizes = [2], strides = [1]
      : !q_lens_in -> tensor<2xi32>
    %initial_state = iree_tensor_ext.dispatch.tensor.load %initial_state_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 64, 64], strides = [1, 1, 1, 1]
      : !initial_state_in -> tensor<2x2x64x64xf32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %turn = arith.constant 4 : index
    %heads = arith.constant 2 : index
    %key_dim = arith.constant 64 : index
    %value_dim = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %columns = arith.constant 64 : index
    %batch = arith.constant 2 : index
    %q_len = arith.constant 9 : index
    %zero = arith.constant 0.0 : f32
    %unit = arith.constant 1.0 : f32
    %padding = arith.constant 0.0 : f16
    %no_key_part = arith.constant dense<0.0> : !key_part
    %no_row = arith.constant dense<0.0> : !row
    %reading_empty = tensor.empty() : !reading
    %writing_empty = tensor.empty() : !writing
    %output_empty = tensor.empty() : !output
    %workgroups:2 = scf.forall (%b, %h) in (%batch, %heads)
        shared_outs(%state_all = %initial_state, %output_all = %output_empty) -> (!state, !output) {
      %key_head = affine.apply affine_map<(h) -> (h floordiv 2)>(%h)
      %most = arith.index_cast %q_len : index to i32
      %first = arith.constant 0 : index
      %end_told = tensor.extract %q_lens[%b] : !q_lens
    %end_kept = arith.minui %end_told, %most : i32
    %end = arith.index_cast %end_kept : i32 to index
      %state_done, %output_real = scf.for %start = %first to %end step %turn
          iter_args(%state_before = %state_all, %output_before = %output_all) -> (!state, !output) {
        %t0 = affine.min affine_map<(t)[e] -> (t + 0, e - 1)>(%start)[%end]
        %beta0_stored = tensor.extract %beta[%b, %h, %t0] : !beta
    %beta0 = arith.extf %beta0_stored : f16 to f32
        %g0 = tensor.extract %g[%b, %h, %t0] : !g
        %kept0 = math.exp %g0 : f32
        %t1 = affine.min affine_map<(t)[e] -> (t + 1, e - 1)>(%start)[%end]
        %t_any1 = affine.apply affine_map<(t) -> (t + 1)>(%start)
        %is_real1 = arith.cmpi slt, %t_any1, %end : index
        %beta_any1_stored = tensor.extract %beta[%b, %h, %t1] : !beta
    %beta_any1 = arith.extf %beta_any1_stored : f16 to f32
        %beta1 = arith.select %is_real1, %beta_any1, %zero : f32
        %g1 = tensor.extract %g[%b, %h, %t1] : !g
        %kept_any1 = math.exp %g1 : f32
        %kept1 = arith.select %is_real1, %kept_any1, %unit : f32
        %t2 = affine.min affine_map<(t)[e] -> (t + 2, e - 1)>(%start)[%end]
        %t_any2 = affine.apply affine_map<(t) -> (t + 2)>(%start)
        %is_real2 = arith.cmpi slt, %t_any2, %end : index
        %beta_any2_stored = tensor.extract %beta[%b, %h, %t2] : !beta
    %beta_any2 = arith.extf %beta_any2_stored : f16 to f32
        %beta2 = arith.select %is_real2, %beta_any2, %zero : f32
        %g2 = tensor.extract %g[%b, %h, %t2] : !g
        %kept_any2 = math.exp %g2 : f32
        %kept2 = arith.select %is_real2, %kept_any2, %unit : f32
        %t3 = affine.min affine_map<(t)[e] -> (t + 3, e - 1)>(%start)[%end]
        %t_any3 = affine.apply affine_map<(t) -> (t + 3)>(%start)
        %is_real3 = arith.cmpi slt, %t_any3, %end : index
        %beta_any3_stored = tensor.extract %beta[%b, %h, %t3] : !beta
    %beta_any3 = arith.extf %beta_any3_stored : f16 to f32
        %beta3 = arith.select %is_real3, %beta_any3, %zero : f32
        %g3 = tensor.extract %g[%b, %h, %t3] : !g
        %kept_any3 = math.exp %g3 : f32
        %kept3 = arith.select %is_real3, %kept_any3, %unit : f32
        %until1 = arith.mulf %kept0, %kept1 : f32
        %until2 = arith.mulf %until1, %kept2 : f32
        %until3 = arith.mulf %until2, %kept3 : f32
        %between2_0 = arith.mulf %kept1, %kept2 : f32
        %between3_0 = arith.mulf %between2_0, %kept3 : f32
        %between3_1 = arith.mulf %kept2, %kept3 : f32
        %scale = arith.constant 0.125 : f32
        %query_squares0, %query_squares1, %query_squares2, %query_squares3 = scf.for %c = %none to %key_dim step %lanes
            iter_args(%before0 = %no_key_part, %before1 = %no_key_part, %before2 = %no_key_part, %before3 = %no_key_part)
              -> (!key_part, !key_part, !key_part, !key_part) {
          %query0_stored = vector.transfer_read
            %query[%b, %key_head, %t0, %c], %padding {in_bounds = [true]}
            : !query, !key_given
    %query0 = arith.extf %query0_stored : !key_given to !key_part
          %after0 = math.fma %query0, %query0, %before0 : !key_part
          %query1_stored = vector.transfer_read
            %query[%b, %key_head, %t1, %c], %padding {in_bounds = [true]}
            : !query, !key_given
    %query1 = arith.extf %query1_stored : !key_given to !key_part
          %after1 = math.fma %query1, %query1, %before1 : !key_part
          %query2_stored = vector.transfer_read
            %query[%b, %key_head, %t2, %c], %padding {in_bounds = [true]}
            : !query, !key_given
    %query2 = arith.extf %query2_stored : !key_given to !key_part
          %after2 = math.fma %query2, %query2, %before2 : !key_part
          %query3_stored = vector.transfer_read
            %query[%b, %key_head, %t3, %c], %padding {in_bounds = [true]}
            : !query, !key_given
    %query3 = arith.extf %query3_stored : !key_given to !key_part
          %after3 = math.fma %query3, %query3, %before3 : !key_part
          scf.yield %after0, %after1, %after2, %after3 : !key_part, !key_part, !key_part, !key_part
        }
        %query_sum0 = vector.reduction <add>, %query_squares0 fastmath<reassoc>
          : !key_part into f32
        %query_eps0 = arith.constant 1.0e-06 : f32
        %query_more0 = arith.addf %query_sum0, %query_eps0 : f32
        %query_length0 = math.sqrt %query_more0 : f32
        %query_factor0 = arith.divf
          %scale, %query_length0 : f32
        %query_sum1 = vector.reduction <add>, %query_squares1 fastmath<reassoc>
          : !key_part into f32
        %query_eps1 = arith.constant 1.0e-06 : f32
        %query_more1 = arith.addf %query_sum1, %query_eps1 : f32
        %query_length1 = math.sqrt %query_more1 : f32
        %query_factor1 = arith.divf
          %scale, %query_length1 : f32
        %query_sum2 = vector.reduction <add>, %query_squares2 fastmath<reassoc>
          : !key_part into f32
        %query_eps2 = arith.constant 1.0e-06 : f32
        %query_more2 = arith.addf %query_sum2, %query_eps2 : f32
        %query_length2 = math.sqrt %query_more2 : f32
        %query_factor2 = arith.divf
          %scale, %query_length2 : f32
        %query_sum3 = vector.reduction <add>, %query_squares3 fastmath<reassoc>
          : !key_part into f32
        %query_eps3 = arith.constant 1.0e-06 : f32
        %query_more3 = arith.addf %query_sum3, %query_eps3 : f32
        %query_length3 = math.sqrt %query_more3 : f32
        %query_factor3 = arith.divf
          %scale, %query_length3 : f32
        %key_squares0, %key_squares1, %key_squares2, %key_squares3 = scf.for %c = %none to %key_dim step %lanes
            iter_args(%before0 = %no_key_part, %before1 = %no_key_part, %before2 = %no_key_part, %before3 = %no_key_part)
              -> (!key_part, !key_part, !key_part, !key_part) {
          %key0_stored = vector.transfer_read
            %key[%b, %key_head, %t0, %c], %padding {in_bounds = [true]}
            : !key, !key_given
    %key0 = arith.extf %key0_stored : !key_given to !key_part
          %after0 = math.fma %key0, %key0, %before0 : !key_part
          %key1_stored = vector.transfer_read
            %key[%b, %key_head, %t1, %c], %padding {in_bounds = [true]}
            : !key, !key_given
    %key1 = arith.extf %key1_stored : !key_given to !key_part
          %after1 = math.fma %key1, %key1, %before1 : !key_part
          %key2_stored = vector.transfer_read
            %key[%b, %key_head, %t2, %c], %padding {in_bounds = [true]}
            : !key, !key_given
    %key2 = arith.extf %key2_stored : !key_given to !key_part
          %after2 = math.fma %key2, %key2, %before2 : !key_part
          %key3_stored = vector.transfer_read
            %key[%b, %key_head, %t3, %c], %padding {in_bounds = [true]}
            : !key, !key_given
    %key3 = arith.extf %key3_stored : !key_given to !key_part
          %after3 = math.fma %key3, %key3, %before3 : !key_part
          scf.yield %after0, %after1, %after2, %after3 : !key_part, !key_part, !key_part, !key_part
        }
        %key_sum0 = vector.reduction <add>, %key_squares0 fastmath<reassoc>
          : !key_part into f32
        %key_eps0 = arith.constant 1.0e-06 : f32
        %key_more0 = arith.addf %key_sum0, %key_eps0 : f32
        %key_length0 = math.sqrt %key_more0 : f32
        %key_factor0 = arith.divf
          %unit, %key_length0 : f32
        %key_sum1 = vector.reduction <add>, %key_squares1 fastmath<reassoc>
          : !key_part into f32
        %key_eps1 = arith.constant 1.0e-06 : f32
        %key_more1 = arith.addf %key_sum1, %key_eps1 : f32
        %key_length1 = math.sqrt %key_more1 : f32
        %key_factor1 = arith.divf
          %unit, %key_length1 : f32
        %key_sum2 = vector.reduction <add>, %key_squares2 fastmath<reassoc>
          : !key_part into f32
        %key_eps2 = arith.constant 1.0e-06 : f32
        %key_more2 = arith.addf %key_sum2, %key_eps2 : f32
        %key_length2 = math.sqrt %key_more2 : f32
        %key_factor2 = arith.divf
          %unit, %key_length2 : f32
        %key_sum3 = vector.reduction <add>, %key_squares3 fastmath<reassoc>
          : !key_part into f32
        %key_eps3 = arith.constant 1.0e-06 : f32
        %key_more3 = arith.addf %key_sum3, %key_eps3 : f32
        %key_length3 = math.sqrt %key_more3 : f32
        %key_factor3 = arith.divf
          %unit, %key_length3 : f32
        %reading, %writing, %query0_0_lanes, %query1_0_lanes, %query1_1_lanes, %query2_0_lanes, %query2_1_lanes, %query2_2_lanes, %query3_0_lanes, %query3_1_lanes, %query3_2_lanes, %query3_3_lanes =
          scf.for %c = %none to %key_dim step %lanes
            iter_args(%reading_before = %reading_empty, %writing_before = %writing_empty,
              %query0_0_before = %no_key_part, %query1_0_before = %no_key_part, %query1_1_before = %no_key_part, %query2_0_before = %no_key_part, %query2_1_before = %no_key_part, %query2_2_before = %no_key_part, %query3_0_before = %no_key_part, %query3_1_before = %no_key_part, %query3_2_before = %no_key_part, %query3_3_before = %no_key_part)
              -> (!reading, !writing, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part) {
          %query0_stored = vector.transfer_read
            %query[%b, %key_head, %t0, %c], %padding {in_bounds = [true]}
            : !query, !key_given
    %query0 = arith.extf %query0_stored : !key_given to !key_part
          %query_factors0 = vector.broadcast
            %query_factor0 : f32 to !key_part
          %query_made0 = arith.mulf %query0, %query_factors0 : !key_part
          %key0_stored = vector.transfer_read
            %key[%b, %key_head, %t0, %c], %padding {in_bounds = [true]}
            : !key, !key_given
    %key0 = arith.extf %key0_stored : !key_given to !key_part
          %key_factors0 = vector.broadcast
            %key_factor0 : f32 to !key_part
          %key_made0 = arith.mulf %key0, %key_factors0 : !key_part
          %query1_stored = vector.transfer_read
            %query[%b, %key_head, %t1, %c], %padding {in_bounds = [true]}
            : !query, !key_given
    %query1 = arith.extf %query1_stored : !key_given to !key_part
          %query_factors1 = vector.broadcast
            %query_factor1 : f32 to !key_part
          %query_made1 = arith.mulf %query1, %query_factors1 : !key_part
          %key1_stored = vector.transfer_read
            %key[%b, %key_head, %t1, %c], %padding {in_bounds = [true]}
            : !key, !key_given
    %key1 = arith.extf %key1_stored : !key_given to !key_part
          %key_factors1 = vector.broadcast
            %key_factor1 : f32 to !key_part
          %key_made1 = arith.mulf %key1, %key_factors1 : !key_part
          %query2_stored = vector.transfer_read
            %query[%b, %key_head, %t2, %c], %padding {in_bounds = [true]}
            : !query, !key_given
    %query2 = arith.extf %query2_stored : !key_given to !key_part
          %query_factors2 = vector.broadcast
            %query_factor2 : f32 to !key_part
          %query_made2 = arith.mulf %query2, %query_factors2 : !key_part
          %key2_stored = vector.transfer_read
            %key[%b, %key_head, %t2, %c], %padding {in_bounds = [true]}
            : !key, !key_given
    %key2 = arith.extf %key2_stored : !key_given to !key_part
          %key_factors2 = vector.broadcast
            %key_factor2 : f32 to !key_part
          %key_made2 = arith.mulf %key2, %key_factors2 : !key_part
          %query3_stored = vector.transfer_read
            %query[%b, %key_head, %t3, %c], %padding {in_bounds = [true]}
            : !query, !key_given
    %query3 = arith.extf %query3_stored : !key_given to !key_part
          %query_factors3 = vector.broadcast
            %query_factor3 : f32 to !key_part
          %query_made3 = arith.mulf %query3, %query_factors3 : !key_part
          %key3_stored = vector.transfer_read
            %key[%b, %key_head, %t3, %c], %padding {in_bounds = [true]}
            : !key, !key_given
    %key3 = arith.extf %key3_stored : !key_given to !key_part
          %key_factors3 = vector.broadcast
            %key_factor3 : f32 to !key_part
          %key_made3 = arith.mulf %key3, %key_factors3 : !key_part
          %query0_until = vector.broadcast %kept0 : f32 to !key_part
          %query0_reads = arith.mulf %query_made0,
            %query0_until : !key_part
          %query0_row = arith.constant 0 : index
          %reading_after_1 = vector.transfer_write %query0_reads, %reading_before[%query0_row, %c]
            {in_bounds = [true]} : !key_part, !reading
          %query1_until = vector.broadcast %until1 : f32 to !key_part
          %query1_reads = arith.mulf %query_made1,
            %query1_until : !key_part
          %query1_row = arith.constant 1 : index
          %reading_after_2 = vector.transfer_write %query1_reads, %reading_after_1[%query1_row, %c]
            {in_bounds = [true]} : !key_part, !reading
          %query2_until = vector.broadcast %until2 : f32 to !key_part
          %query2_reads = arith.mulf %query_made2,
            %query2_until : !key_part
          %query2_row = arith.constant 2 : index
          %reading_after_3 = vector.transfer_write %query2_reads, %reading_after_2[%query2_row, %c]
            {in_bounds = [true]} : !key_part, !reading
          %query3_until = vector.broadcast %until3 : f32 to !key_part
          %query3_reads = arith.mulf %query_made3,
            %query3_until : !key_part
          %query3_row = arith.constant 3 : index
          %reading_after = vector.transfer_write %query3_reads, %reading_after_3[%query3_row, %c]
            {in_bounds = [true]} : !key_part, !reading
          %left0 = vector.broadcast %between3_0 : f32 to !key_part
          %written0 = arith.mulf %key_made0,
            %left0 : !key_part
          %writing_row0 = arith.constant 0 : index
          %writing_after_1 = vector.transfer_write %written0,
            %writing_before[%writing_row0, %c] {in_bounds = [true]} : !key_part, !writing
          %left1 = vector.broadcast %between3_1 : f32 to !key_part
          %written1 = arith.mulf %key_made1,
            %left1 : !key_part
          %writing_row1 = arith.constant 1 : index
          %writing_after_2 = vector.transfer_write %written1,
            %writing_after_1[%writing_row1, %c] {in_bounds = [true]} : !key_part, !writing
          %left2 = vector.broadcast %kept3 : f32 to !key_part
          %written2 = arith.mulf %key_made2,
            %left2 : !key_part
          %writing_row2 = arith.constant 2 : index
          %writing_after_3 = vector.transfer_write %written2,
            %writing_after_2[%writing_row2, %c] {in_bounds = [true]} : !key_part, !writing
          %writing_row3 = arith.constant 3 : index
          %writing_after = vector.transfer_write %key_made3,
            %writing_after_3[%writing_row3, %c] {in_bounds = [true]} : !key_part, !writing
          %query0_0_after = math.fma
            %query_made0, %key_made0,
            %query0_0_before : !key_part
          %query1_0_after = math.fma
            %query_made1, %key_made0,
            %query1_0_before : !key_part
          %query1_1_after = math.fma
            %query_made1, %key_made1,
            %query1_1_before : !key_part
          %query2_0_after = math.fma
            %query_made2, %key_made0,
            %query2_0_before : !key_part
          %query2_1_after = math.fma
            %query_made2, %key_made1,
            %query2_1_before : !key_part
          %query2_2_after = math.fma
            %query_made2, %key_made2,
            %query2_2_before : !key_part
          %query3_0_after = math.fma
            %query_made3, %key_made0,
            %query3_0_before : !key_part
          %query3_1_after = math.fma
            %query_made3, %key_made1,
            %query3_1_before : !key_part
          %query3_2_after = math.fma
            %query_made3, %key_made2,
            %query3_2_before : !key_part
          %query3_3_after = math.fma
            %query_made3, %key_made3,
            %query3_3_before : !key_part
          scf.yield %reading_after, %writing_after, %query0_0_after, %query1_0_after, %query1_1_after, %query2_0_after, %query2_1_after, %query2_2_after, %query3_0_after, %query3_1_after, %query3_2_after, %query3_3_after
            : !reading, !writing, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part, !key_part
        }
        %query0_0 = vector.reduction <add>, %query0_0_lanes
          fastmath<reassoc> : !key_part into f32
        %query0_0_of_row = vector.broadcast %query0_0 : f32 to !row
        %query1_0_any = vector.reduction <add>, %query1_0_lanes
          fastmath<reassoc> : !key_part into f32
        %query1_0 = arith.mulf %query1_0_any, %kept1 : f32
        %query1_0_of_row = vector.broadcast %query1_0 : f32 to !row
        %query1_1 = vector.reduction <add>, %query1_1_lanes
          fastmath<reassoc> : !key_part into f32
        %query1_1_of_row = vector.broadcast %query1_1 : f32 to !row
        %query2_0_any = vector.reduction <add>, %query2_0_lanes
          fastmath<reassoc> : !key_part into f32
        %query2_0 = arith.mulf %query2_0_any, %between2_0 : f32
        %query2_0_of_row = vector.broadcast %query2_0 : f32 to !row
        %query2_1_any = vector.reduction <add>, %query2_1_lanes
          fastmath<reassoc> : !key_part into f32
        %query2_1 = arith.mulf %query2_1_any, %kept2 : f32
        %query2_1_of_row = vector.broadcast %query2_1 : f32 to !row
        %query2_2 = vector.reduction <add>, %query2_2_lanes
          fastmath<reassoc> : !key_part into f32
        %query2_2_of_row = vector.broadcast %query2_2 : f32 to !row
        %query3_0_any = vector.reduction <add>, %query3_0_lanes
          fastmath<reassoc> : !key_part into f32
        %query3_0 = arith.mulf %query3_0_any, %between3_0 : f32
        %query3_0_of_row = vector.broadcast %query3_0 : f32 to !row
        %query3_1_any = vector.reduction <add>, %query3_1_lanes
          fastmath<reassoc> : !key_part into f32
        %query3_1 = arith.mulf %query3_1_any, %between3_1 : f32
        %query3_1_of_row = vector.broadcast %query3_1 : f32 to !row
        %query3_2_any = vector.reduction <add>, %query3_2_lanes
          fastmath<reassoc> : !key_part into f32
        %query3_2 = arith.mulf %query3_2_any, %kept3 : f32
        %query3_2_of_row = vector.broadcast %query3_2 : f32 to !row
        %query3_3 = vector.reduction <add>, %query3_3_lanes
          fastmath<reassoc> : !key_part into f32
        %query3_3_of_row = vector.broadcast %query3_3 : f32 to !row
        %beta_of_row0 = vector.broadcast %beta0 : f32 to !row
        %beta_of_row1 = vector.broadcast %beta1 : f32 to !row
        %beta_of_row2 = vector.broadcast %beta2 : f32 to !row
        %beta_of_row3 = vector.broadcast %beta3 : f32 to !row
        %decay = vector.broadcast %until3 : f32 to !row
        %state_after, %output_after = scf.for %c = %none to %value_dim step %columns
            iter_args(%state_now = %state_before, %output_now = %output_before) -> (!state, !output) {
          %held0, %held1, %held2, %held3 = scf.for %r = %none to %key_dim step %one
              iter_args(%held_before0 = %no_row, %held_before1 = %no_row, %held_before2 = %no_row, %held_before3 = %no_row)
                -> (!row, !row, !row, !row) {
            %state_row = vector.transfer_read %state_now[%b, %h, %r, %c], %zero
              {in_bounds = [true]} : !state, !row
            %number0 = arith.constant 0 : index
            %read0 = tensor.extract %reading[%number0, %r] : !reading
            %reads0 = vector.broadcast %read0 : f32 to !row
            %held_after0 = math.fma %state_row, %reads0, %held_before0 : !row
            %number1 = arith.constant 1 : index
            %read1 = tensor.extract %reading[%number1, %r] : !reading
            %reads1 = vector.broadcast %read1 : f32 to !row
            %held_after1 = math.fma %state_row, %reads1, %held_before1 : !row
            %number2 = arith.constant 2 : index
            %read2 = tensor.extract %reading[%number2, %r] : !reading
            %reads2 = vector.broadcast %read2 : f32 to !row
            %held_after2 = math.fma %state_row, %reads2, %held_before2 : !row
            %number3 = arith.constant 3 : index
            %read3 = tensor.extract %reading[%number3, %r] : !reading
            %reads3 = vector.broadcast %read3 : f32 to !row
            %held_after3 = math.fma %state_row, %reads3, %held_before3 : !row
            scf.yield %held_after0, %held_after1, %held_after2, %held_after3 : !row, !row, !row, !row
          }
          %value0_stored = vector.transfer_read %value[%b, %h, %t0, %c], %padding
            {in_bounds = [true]} : !value, !value_given
    %value0 = arith.extf %value0_stored : !value_given to !row
          %delta0 = arith.mulf %value0, %beta_of_row0 : !row
          %output_row0 = math.fma %delta0, %query0_0_of_row, %held0 : !row
    %output_row0_stored = arith.truncf %output_row0 : !row to !value_given
          %value1_stored = vector.transfer_read %value[%b, %h, %t1, %c], %padding
            {in_bounds = [true]} : !value, !value_given
    %value1 = arith.extf %value1_stored : !value_given to !row
          %delta1 = arith.mulf %value1, %beta_of_row1 : !row
          %output_row1_1 = math.fma %delta0, %query1_0_of_row, %held1 : !row
          %output_row1 = math.fma %delta1, %query1_1_of_row, %output_row1_1 : !row
    %output_row1_stored = arith.truncf %output_row1 : !row to !value_given
          %value2_stored = vector.transfer_read %value[%b, %h, %t2, %c], %padding
            {in_bounds = [true]} : !value, !value_given
    %value2 = arith.extf %value2_stored : !value_given to !row
          %delta2 = arith.mulf %value2, %beta_of_row2 : !row
          %output_row2_1 = math.fma %delta0, %query2_0_of_row, %held2 : !row
          %output_row2_2 = math.fma %delta1, %query2_1_of_row, %output_row2_1 : !row
          %output_row2 = math.fma %delta2, %query2_2_of_row, %output_row2_2 : !row
    %output_row2_stored = arith.truncf %output_row2 : !row to !value_given
          %value3_stored = vector.transfer_read %value[%b, %h, %t3, %c], %padding
            {in_bounds = [true]} : !value, !value_given
    %value3 = arith.extf %value3_stored : !value_given to !row
          %delta3 = arith.mulf %value3, %beta_of_row3 : !row
          %output_row3_1 = math.fma %delta0, %query3_0_of_row, %held3 : !row
          %output_row3_2 = math.fma %delta1, %query3_1_of_row, %output_row3_1 : !row
          %output_row3_3 = math.fma %delta2, %query3_2_of_row, %output_row3_2 : !row
          %output_row3 = math.fma %delta3, %query3_3_of_row, %output_row3_3 : !row
    %output_row3_stored = arith.truncf %output_row3 : !row to !value_given
          %output_next_1 = vector.transfer_write %output_row0_stored, %output_now[%b, %h, %t0, %c]
            {in_bounds = [true]} : !value_given, !output
          %output_next_2 = scf.if %is_real1 -> (!output) {
            %output_written1 = vector.transfer_write %output_row1_stored, %output_next_1[%b, %h, %t1, %c]
              {in_bounds = [true]} : !value_given, !output
            scf.yield %output_written1 : !output
          } else {
            scf.yield %output_next_1 : !output
          }
          %output_next_3 = scf.if %is_real2 -> (!output) {
            %output_written2 = vector.transfer_write %output_row2_stored, %output_next_2[%b, %h, %t2, %c]
              {in_bounds = [true]} : !value_given, !output
            scf.yield %output_written2 : !output
          } else {
            scf.yield %output_next_2 : !output
          }
          %output_next = scf.if %is_real3 -> (!output) {
            %output_written3 = vector.transfer_write %output_row3_stored, %output_next_3[%b, %h, %t3, %c]
              {in_bounds = [true]} : !value_given, !output
            scf.yield %output_written3 : !output
          } else {
            scf.yield %output_next_3 : !output
          }
          %state_next = scf.for %r = %none to %key_dim step %one iter_args(%state_so_far = %state_now)
              -> (!state) {
            %state_row = vector.transfer_read %state_so_far[%b, %h, %r, %c], %zero
              {in_bounds = [true]} : !state, !row
            %kept_row = arith.mulf %state_row, %decay : !row
            %number0 = arith.constant 0 : index
            %write0 = tensor.extract %writing[%number0, %r] : !writing
            %writes0 = vector.broadcast %write0 : f32 to !row
            %new_row_1 = math.fma %delta0, %writes0, %kept_row : !row
            %number1 = arith.constant 1 : index
            %write1 = tensor.extract %writing[%number1, %r] : !writing
            %writes1 = vector.broadcast %write1 : f32 to !row
            %new_row_2 = math.fma %delta1, %writes1, %new_row_1 : !row
            %number2 = arith.constant 2 : index
            %write2 = tensor.extract %writing[%number2, %r] : !writing
            %writes2 = vector.broadcast %write2 : f32 to !row
            %new_row_3 = math.fma %delta2, %writes2, %new_row_2 : !row
            %number3 = arith.constant 3 : index
            %write3 = tensor.extract %writing[%number3, %r] : !writing
            %writes3 = vector.broadcast %write3 : f32 to !row
            %new_row = math.fma %delta3, %writes3, %new_row_3 : !row
            %state_with_row = vector.transfer_write %new_row, %state_so_far[%b, %h, %r, %c]
              {in_bounds = [true]} : !row, !state
            scf.yield %state_with_row : !state
          }
          scf.yield %state_next, %output_next : !state, !output
        }
        scf.yield %state_after, %output_after : !state, !output
      }
      %no_values = arith.constant dense<0.0> : !value_given
      %length = affine.apply affine_map<()[n] -> (n)>()[%q_len]
      %output_done = scf.for %t = %end to %length step %one
          iter_args(%output_before = %output_real) -> (!output) {
        %output_after = scf.for %c = %none to %value_dim step %columns
            iter_args(%output_now = %output_before) -> (!output) {
          %output_next = vector.transfer_write %no_values, %output_now[%b, %h, %t, %c]
            {in_bounds = [true]} : !value_given, !output
          scf.yield %output_next : !output
        }
        scf.yield %output_after : !output
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %state_done into %state_all
          [0, 0, 0, 0] [2, 2, 64, 64] [1, 1, 1, 1] : tensor<2x2x64x64xf32> into tensor<2x2x64x64xf32>
        tensor.parallel_insert_slice %output_done into %output_all
          [0, 0, 0, 0] [2, 2, 9, 64] [1, 1, 1, 1] : tensor<2x2x9x64xf16> into tensor<2x2x9x64xf16>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %initial_state_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 64, 64], strides = [1, 1, 1, 1]
      : tensor<2x2x64x64xf32> -> !initial_state_in
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %output_out,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 9, 64], strides = [1, 1, 1, 1]
      : tensor<2x2x9x64xf16> -> !output_out
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @gated_delta_rule$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %g: !g,
    %beta: !beta,
    %initial_state: !initial_state {iree.abi.consume},
    %q_lens: !q_lens
  ) -> (!output, !final_state) attributes {iree.abi.model = "coarse-fences"} {
  %output, %final_state = func.call @gated_delta_rule(%query, %key, %value, %g, %beta, %initial_state, %q_lens)
    : (!query, !key, !value, !g, !beta, !initial_state, !q_lens) -> (!output, !final_state)
  util.return %output, %final_state : !output, !final_state
}
