// New keys and values are written into the blocks of a cache, in its own memory.
!key = tensor<20x2x64xf16>
!value = tensor<20x2x64xf16>
!key_cache = tensor<9x2x32x64xf16>
!value_cache = tensor<9x2x32x64xf16>
!slot_mapping = tensor<20xi32>
!updated_key_cache = tensor<9x2x32x64xf16>
!updated_value_cache = tensor<9x2x32x64xf16>
!slot_mapping_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<20xi32>>
!key_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<20x2x64xf16>>
!value_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<20x2x64xf16>>
!key_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x2x32x64xf16>>
!value_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x2x32x64xf16>>
!some_of_key = vector<32xf16>
!some_of_value = vector<32xf16>

func.func @cache_write(%key: !key, %value: !value, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %slot_mapping: !slot_mapping) -> (!updated_key_cache, !updated_value_cache) {
  %updated_key_cache, %updated_value_cache =
    flow.dispatch @updated_key_cache_kernel::@updated_key_cache_kernel(
      %slot_mapping, %key, %value, %key_cache, %value_cache
    ) : (
      tensor<20xi32>,
      tensor<20x2x64xf16>,
      tensor<20x2x64xf16>,
      tensor<9x2x32x64xf16>,
      tensor<9x2x32x64xf16>
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
      %slot_mapping_in: !slot_mapping_to_write,
      %key_in: !key_to_write,
      %value_in: !value_to_write,
      %key_cache_in: !key_cache_to_write,
      %value_cache_in: !value_cache_to_write
    ) {
    %slot_mapping = iree_tensor_ext.dispatch.tensor.load %slot_mapping_in,
      offsets = [0], sizes = [20], strides = [1]
      : !slot_mapping_to_write -> tensor<20xi32>
    %key = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [0, 0, 0], sizes = [20, 2, 64], strides = [1, 1, 1]
      : !key_to_write -> tensor<20x2x64xf16>
    %value = iree_tensor_ext.dispatch.tensor.load %value_in,
      offsets = [0, 0, 0], sizes = [20, 2, 64], strides = [1, 1, 1]
      : !value_to_write -> tensor<20x2x64xf16>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 32, 64], strides = [1, 1, 1, 1]
      : !key_cache_to_write -> tensor<9x2x32x64xf16>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 32, 64], strides = [1, 1, 1, 1]
      : !value_cache_to_write -> tensor<9x2x32x64xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %sequences = arith.constant 1 : index
    %tokens = arith.constant 20 : index
    %groups = affine.apply affine_map<()[n] -> (n ceildiv 16)>()[%tokens]
    %workgroups:2 = scf.forall (%b, %i) in (%sequences, %groups)
        shared_outs(%key_cache_all = %key_cache, %value_cache_all = %value_cache)
          -> (!key_cache, !value_cache) {
      %first = affine.apply affine_map<(i) -> (i * 16)>(%i)
      %end = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first)[%tokens]
      %written:2 = scf.for %t = %first to %end step %one
          iter_args(%key_cache_before = %key_cache_all, %value_cache_before = %value_cache_all)
            -> (!key_cache, !value_cache) {
        %slot_i32 = tensor.extract %slot_mapping[%t] : !slot_mapping
        %no_slot = arith.constant -1 : i32
        %is_written = arith.cmpi sgt, %slot_i32, %no_slot : i32
        %written_heads = arith.select %is_written, %heads, %none : index
        %slots_per_block = arith.constant 16 : index
        %slot = arith.index_cast %slot_i32 : i32 to index
        %block = arith.divui %slot, %slots_per_block : index
        %slot_in_block = arith.remui %slot, %slots_per_block : index
        %first_value_slot = arith.constant 16 : index
        %value_slot = arith.addi %slot_in_block, %first_value_slot : index
        %key_cache_after, %value_cache_after = scf.for %h = %none to %written_heads step %one
            iter_args(%key_cache_so_far = %key_cache_before, %value_cache_so_far = %value_cache_before)
              -> (!key_cache, !value_cache) {
          %key_moved_unused = arith.constant 0.0 : f16
          %key_moved_columns = arith.constant 64 : index
          %key_moved_step = arith.constant 32 : index
          %key_moved = scf.for %c = %none to %key_moved_columns step %key_moved_step
              iter_args(%so_far = %key_cache_so_far) -> (!key_cache) {
            %some = vector.transfer_read %key[%t, %h, %c], %key_moved_unused
              {in_bounds = [true]} : !key, !some_of_key
            %moved = vector.transfer_write %some, %so_far[%block, %h, %slot_in_block, %c]
              {in_bounds = [true]} : !some_of_key, !key_cache
            scf.yield %moved : !key_cache
          }
          %value_moved_unused = arith.constant 0.0 : f16
          %value_moved_columns = arith.constant 64 : index
          %value_moved_step = arith.constant 32 : index
          %value_moved = scf.for %c = %none to %value_moved_columns step %value_moved_step
              iter_args(%so_far = %value_cache_so_far) -> (!value_cache) {
            %some = vector.transfer_read %value[%t, %h, %c], %value_moved_unused
              {in_bounds = [true]} : !value, !some_of_value
            %moved = vector.transfer_write %some, %so_far[%block, %h, %value_slot, %c]
              {in_bounds = [true]} : !some_of_value, !value_cache
            scf.yield %moved : !value_cache
          }
          scf.yield %key_moved, %value_moved : !key_cache, !value_cache
        }
        scf.yield %key_cache_after, %value_cache_after : !key_cache, !value_cache
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written#0 into %key_cache_all
          [0, 0, 0, 0] [9, 2, 32, 64] [1, 1, 1, 1]
          : tensor<9x2x32x64xf16> into tensor<9x2x32x64xf16>
        tensor.parallel_insert_slice %written#1 into %value_cache_all
          [0, 0, 0, 0] [9, 2, 32, 64] [1, 1, 1, 1]
          : tensor<9x2x32x64xf16> into tensor<9x2x32x64xf16>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 32, 64], strides = [1, 1, 1, 1]
      : tensor<9x2x32x64xf16> -> !key_cache_to_write
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 32, 64], strides = [1, 1, 1, 1]
      : tensor<9x2x32x64xf16> -> !value_cache_to_write
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @cache_write$async(
    %key: !key,
    %value: !value,
    %key_cache: !key_cache {iree.abi.consume},
    %value_cache: !value_cache {iree.abi.consume},
    %slot_mapping: !slot_mapping
  ) -> (!updated_key_cache, !updated_value_cache) attributes {iree.abi.model = "coarse-fences"} {
  %updated_key_cache, %updated_value_cache = func.call @cache_write(%key, %value, %key_cache, %value_cache, %slot_mapping)
    : (!key, !value, !key_cache, !value_cache, !slot_mapping) -> (!updated_key_cache, !updated_value_cache)
  util.return %updated_key_cache, %updated_value_cache : !updated_key_cache, !updated_value_cache
}
