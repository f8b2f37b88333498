// The row of the weights that each token id names, scaled.
!token_ids = tensor<1x?xi32>
!weight = tensor<1000x33xf16>
!output = tensor<1x?x33xf16>
!token_ids_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x?xi32>>
!weight_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1000x33xf16>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x?x33xf16>>
!some = vector<32xf16>
!some_f32 = vector<32xf32>
func.func @embedding(%token_ids_given: !token_ids, %weight: !weight) -> !output {
  %q_len_axis = arith.constant 1 : index
  %q_len_given = tensor.dim %token_ids_given, %q_len_axis : !token_ids
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 20, udiv = 1> : index
  %token_ids = flow.tensor.tie_shape %token_ids_given
    : !token_ids{%q_len_dim}
  %output =
    flow.dispatch @output_kernel::@output_kernel[%q_len_dim](
      %token_ids, %weight, %q_len_dim
    ) : (
      tensor<1x?xi32>{%q_len_dim},
      tensor<1000x33xf16>,
      index
    ) -> (tensor<1x?x33xf16>{%q_len_dim})
  return %output : !output
}
flow.executable private @output_kernel {
  flow.executable.export public @output_kernel
      workgroups(%q_len_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%q_len_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @output_kernel(
      %token_ids_in: !token_ids_in,
      %weight_in: !weight_in,
      %q_len_dim_in: index,
      %output_out: !output_out
    ) {
    %q_len_dim = iree_tensor_ext.dispatch.workload.ordinal %q_len_dim_in, 0 : index
    %token_ids_tied = flow.dispatch.tie_shape %token_ids_in
      : !token_ids_in{%q_len_dim}
    %token_ids = iree_tensor_ext.dispatch.tensor.load %token_ids_tied,
      offsets = [0, 0], sizes = [1, %q_len_dim], strides = [1, 1]
      : !token_ids_in{%q_len_dim} -> tensor<1x?xi32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [1000, 33], strides = [1, 1]
      : !weight_in -> tensor<1000x33xf16>
    %output_tied = flow.dispatch.tie_shape %output_out
      : !output_out{%q_len_dim}
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %columns = arith.constant 33 : index
    %step = arith.constant 32 : index
    %sequences = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %scale = arith.constant dense<16.0> : !some_f32
    %groups = affine.apply affine_map<()[n] -> (n ceildiv 16)>()[%q_len_dim]
    %empty = tensor.empty(%q_len_dim) : !output
    %workgroups = scf.forall (%b, %i) in (%sequences, %groups) shared_outs(%all = %empty)
      -> (!output) {
      %first = affine.apply affine_map<(i) -> (i * 16)>(%i)
      %end = affine.min affine_map<(f)[n] -> (f + 16, n)>(%first)[%q_len_dim]
      %embedded = scf.for %t = %first to %end step %one iter_args(%of_tokens = %all) -> (!output) {
        %id = tensor.extract %token_ids[%b, %t] : !token_ids
        %row = arith.index_cast %id : i32 to index
        %of_token = scf.for %c = %none to %columns step %step iter_args(%before = %of_tokens) -> (!output) {
          %some = vector.transfer_read %weight[%row, %c], %padding {in_bounds = [false]}
            : !weight, !some
          %some_f32 = arith.extf %some : !some to !some_f32
          %scaled_f32 = arith.mulf %some_f32, %scale : !some_f32
          %scaled = arith.truncf %scaled_f32 : !some_f32 to !some
          %after = vector.transfer_write %scaled, %before[%b, %t, %c]
            {in_bounds = [false]} : !some, !output
          scf.yield %after : !output
        }
        scf.yield %of_token : !output
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %embedded
          into %all[0, 0, 0] [1, %q_len_dim, 33] [1, 1, 1] : !output into !output
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_tied,
      offsets = [0, 0, 0], sizes = [1, %q_len_dim, 33], strides = [1, 1, 1]
      : tensor<1x?x33xf16> -> !output_out{%q_len_dim}
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @embedding$async(
    %token_ids: !token_ids,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @embedding(%token_ids, %weight)
    : (!token_ids, !weight) -> (!output)
  util.return %output : !output
}
