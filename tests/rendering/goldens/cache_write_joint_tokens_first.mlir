// New keys and values are written into the blocks of a cache, in its own memory.
// t new token, h KV head; cache rows are numbered by block, slot and head
!key = tensor<20x2x64xf16>
!value = tensor<20x2x64xf16>
!key_cache = tensor<9x32x2x64xf16>
!value_cache = tensor<9x32x2x64xf16>
!slot_mapping = tensor<20xi32>
!updated_key_cache = tensor<9x32x2x64xf16>
!updated_value_cache = tensor<9x32x2x64xf16>
!key_cache_rows = tensor<576x64xf16>
!value_cache_rows = tensor<576x64xf16>
!row_numbers = tensor<20x2xi32>
!is_written = tensor<20x2xi1>

func.func @cache_write(%key: !key, %value: !value, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %slot_mapping: !slot_mapping) -> (!updated_key_cache, !updated_value_cache) {
  %slots = arith.constant 144 : i32
  // The row of every head of every token, and whether it is written; those of skipped tokens mean
  // nothing. The compiler makes both inside the kernels that write.
  %row_numbers_empty = tensor.empty() : !row_numbers
  %written_empty = tensor.empty() : !is_written
  %row_numbers, %is_written, %value_row_numbers = linalg.generic {
      indexing_maps = [affine_map<(t, h) -> (t)>, affine_map<(t, h) -> (t, h)>, affine_map<(t, h) -> (t, h)>, affine_map<(t, h) -> (t, h)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%slot_mapping : !slot_mapping)
      outs(%row_numbers_empty, %written_empty, %row_numbers_empty : !row_numbers, !is_written, !row_numbers) {
  ^bb0(%slot: i32, %unused_number: i32, %unused_flag: i1, %unused_other: i32):
    %heads = arith.constant 2 : i32
    %h = linalg.index 1 : index
    %head = arith.index_cast %h : index to i32
    %slots_per_block = arith.constant 16 : i32
    %block = arith.divsi %slot, %slots_per_block : i32
    %slot_in_block = arith.remsi %slot, %slots_per_block : i32
    %rows_of_head = arith.constant 32 : i32
    %first_slot = arith.muli %block, %rows_of_head : i32
    %slot_of_both = arith.addi %first_slot, %slot_in_block : i32
    %first_row = arith.muli %slot_of_both, %heads : i32
    %row = arith.addi %first_row, %head : i32
    %to_value = arith.constant 32 : i32
    %value_row = arith.addi %row, %to_value : i32
    // Read without a sign, a slot below 0 is beyond all others.
    %is_written = arith.cmpi ult, %slot, %slots : i32
    linalg.yield %row, %is_written, %value_row : i32, i1, i32
  } -> (!row_numbers, !is_written, !row_numbers)
  %rows_of_key = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : !key_cache into !key_cache_rows
  %updated_rows_of_key = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%key, %row_numbers, %is_written
      : !key, !row_numbers, !is_written)
    outs(%rows_of_key : !key_cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !key_cache_rows
  %updated_key_cache = tensor.expand_shape %updated_rows_of_key [[0, 1, 2], [3]]
    output_shape [9, 32, 2, 64] : !key_cache_rows into !updated_key_cache
  %rows_of_value = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : !value_cache into !value_cache_rows
  %updated_rows_of_value = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%value, %value_row_numbers, %is_written
      : !value, !row_numbers, !is_written)
    outs(%rows_of_value : !value_cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !value_cache_rows
  %updated_value_cache = tensor.expand_shape %updated_rows_of_value [[0, 1, 2], [3]]
    output_shape [9, 32, 2, 64] : !value_cache_rows into !updated_value_cache
  return %updated_key_cache, %updated_value_cache
    : !updated_key_cache, !updated_value_cache
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
