// New keys and values are written behind those of each sequence, in the cache's own memory.
!key = tensor<2x2x5x64xf16>
!value = tensor<2x2x5x64xf16>
!key_cache = tensor<2x2x77x64xf16>
!value_cache = tensor<2x2x77x64xf16>
!offsets = tensor<2xi32>
!updated_key_cache = tensor<2x2x77x64xf16>
!updated_value_cache = tensor<2x2x77x64xf16>
!offsets_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!key_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x5x64xf16>>
!value_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x5x64xf16>>
!key_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x2x77x64xf16>>
!value_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x2x77x64xf16>>
!some_of_key = vector<32xf16>
!some_of_value = vector<32xf16>

func.func @cache_append(%key: !key, %value: !value, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %offsets: !offsets) -> (!updated_key_cache, !updated_value_cache) {
  %updated_key_cache, %updated_value_cache =
    flow.dispatch @updated_key_cache_kernel::@updated_key_cache_kernel(
      %offsets, %key, %value, %key_cache, %value_cache
    ) : (
      tensor<2xi32>,
      tensor<2x2x5x64xf16>,
      tensor<2x2x5x64xf16>,
      tensor<2x2x77x64xf16>,
      tensor<2x2x77x64xf16>
    ) -> (%key_cache, %value_cache)
  return %updated_key_cache, %updated_value_cache
    : !updated_key_cache, !updated_value_cache
}
flow.executable private @updated_key_cache_kernel {
  flow.executable.export public @updated_key_cache_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @updated_key_cache_kernel(
      %offsets_in: !offsets_to_write,
      %key_in: !key_to_write,
      %value_in: !value_to_write,
      %key_cache_in: !key_cache_to_write,
      %value_cache_in: !value_cache_to_write
    ) {
    %offsets = iree_tensor_ext.dispatch.tensor.load %offsets_in,
      offsets = [0], sizes = [2], strides = [1]
      : !offsets_to_write -> tensor<2xi32>
    %key = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 5, 64], strides = [1, 1, 1, 1]
      : !key_to_write -> tensor<2x2x5x64xf16>
    %value = iree_tensor_ext.dispatch.tensor.load %value_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 5, 64], strides = [1, 1, 1, 1]
      : !value_to_write -> tensor<2x2x5x64xf16>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 77, 64], strides = [1, 1, 1, 1]
      : !key_cache_to_write -> tensor<2x2x77x64xf16>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 77, 64], strides = [1, 1, 1, 1]
      : !value_cache_to_write -> tensor<2x2x77x64xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %sequences = arith.constant 2 : index
    %tokens = arith.constant 5 : index
    %groups = affine.apply affine_map<()[n] -> (n ceildiv 128)>()[%tokens]
    %workgroups:2 = scf.forall (%b, %i) in (%sequences, %groups)
        shared_outs(%key_cache_all = %key_cache, %value_cache_all = %value_cache)
          -> (!key_cache, !value_cache) {
      %first = affine.apply affine_map<(i) -> (i * 128)>(%i)
      %end = affine.min
        affine_map<(f)[n] -> (f + 128, n)>(%first)[%tokens]
      %written:2 = scf.for %h = %none to %heads step %one
          iter_args(%key_cache_before = %key_cache_all, %value_cache_before = %value_cache_all)
            -> (!key_cache, !value_cache) {
        %key_cache_after, %value_cache_after = scf.for %t = %first to %end step %one
            iter_args(%key_cache_so_far = %key_cache_before, %value_cache_so_far = %value_cache_before)
              -> (!key_cache, !value_cache) {
          %offset_i32 = tensor.extract %offsets[%b] : !offsets
          %offset = arith.index_cast %offset_i32 : i32 to index
          %token = arith.addi %offset, %t : index
          %key_moved_unused = arith.constant 0.0 : f16
          %key_moved_columns = arith.constant 64 : index
          %key_moved_step = arith.constant 32 : index
          %key_moved = scf.for %c = %none to %key_moved_columns step %key_moved_step
              iter_args(%so_far = %key_cache_so_far) -> (!key_cache) {
            %some = vector.transfer_read %key[%b, %h, %t, %c], %key_moved_unused
              {in_bounds = [true]} : !key, !some_of_key
            %moved = vector.transfer_write %some, %so_far[%b, %h, %token, %c]
              {in_bounds = [true]} : !some_of_key, !key_cache
            scf.yield %moved : !key_cache
          }
          %value_moved_unused = arith.constant 0.0 : f16
          %value_moved_columns = arith.constant 64 : index
          %value_moved_step = arith.constant 32 : index
          %value_moved = scf.for %c = %none to %value_moved_columns step %value_moved_step
              iter_args(%so_far = %value_cache_so_far) -> (!value_cache) {
            %some = vector.transfer_read %value[%b, %h, %t, %c], %value_moved_unused
              {in_bounds = [true]} : !value, !some_of_value
            %moved = vector.transfer_write %some, %so_far[%b, %h, %token, %c]
              {in_bounds = [true]} : !some_of_value, !value_cache
            scf.yield %moved : !value_cache
          }
          scf.yield %key_moved, %value_moved : !key_cache, !value_cache
        }
        scf.yield %key_cache_after, %value_cache_after : !key_cache, !value_cache
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written#0 into %key_cache_all
          [0, 0, 0, 0] [2, 2, 77, 64] [1, 1, 1, 1]
          : tensor<2x2x77x64xf16> into tensor<2x2x77x64xf16>
        tensor.parallel_insert_slice %written#1 into %value_cache_all
          [0, 0, 0, 0] [2, 2, 77, 64] [1, 1, 1, 1]
          : tensor<2x2x77x64xf16> into tensor<2x2x77x64xf16>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 77, 64], strides = [1, 1, 1, 1]
      : tensor<2x2x77x64xf16> -> !key_cache_to_write
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 77, 64], strides = [1, 1, 1, 1]
      : tensor<2x2x77x64xf16> -> !value_cache_to_write
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @cache_append$async(
    %key: !key,
    %value: !value,
    %key_cache: !key_cache {iree.abi.consume},
    %value_cache: !value_cache {iree.abi.consume},
    %offsets: !offsets
  ) -> (!updated_key_cache, !updated_value_cache) attributes {iree.abi.model = "coarse-fences"} {
  %updated_key_cache, %updated_value_cache = func.call @cache_append(%key, %value, %key_cache, %value_cache, %offsets)
    : (!key, !value, !key_cache, !value_cache, !offsets) -> (!updated_key_cache, !updated_value_cache)
  util.return %updated_key_cache, %updated_value_cache : !updated_key_cache, !updated_value_cache
}
