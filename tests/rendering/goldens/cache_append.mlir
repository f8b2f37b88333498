// New keys and values are written behind those of each sequence, in the cache's own memory.
// b batch, h KV head, m new token; cache rows are numbered by sequence, head and token
!key = tensor<2x2x5x64xf16>
!value = tensor<2x2x5x64xf16>
!key_cache = tensor<2x2x77x64xf16>
!value_cache = tensor<2x2x77x64xf16>
!offsets = tensor<2xi32>
!updated_key_cache = tensor<2x2x77x64xf16>
!updated_value_cache = tensor<2x2x77x64xf16>
!key_cache_rows = tensor<308x64xf16>
!value_cache_rows = tensor<308x64xf16>
!row_numbers = tensor<2x2x5xi32>

func.func @cache_append(%key: !key, %value: !value, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %offsets: !offsets) -> (!updated_key_cache, !updated_value_cache) {
  %row_numbers_empty = tensor.empty() : !row_numbers
  %row_numbers = linalg.generic {
      indexing_maps = [affine_map<(b, h, m) -> (b)>, affine_map<(b, h, m) -> (b, h, m)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%offsets : !offsets) outs(%row_numbers_empty : !row_numbers) {
  ^bb0(%offset: i32, %unused: i32):
    %heads = arith.constant 2 : index
    %tokens = arith.constant 77 : index
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %m = linalg.index 2 : index
    %last_begin = arith.constant 72 : i32
    %begin_kept = arith.minui %offset, %last_begin : i32
    %begin = arith.index_cast %begin_kept : i32 to index
    %first_head = arith.muli %b, %heads : index
    %sequence_and_head = arith.addi %first_head, %h : index
    %first_row = arith.muli %sequence_and_head, %tokens : index
    %token = arith.addi %begin, %m : index
    %row = arith.addi %first_row, %token : index
    %row_number = arith.index_cast %row : index to i32
    linalg.yield %row_number : i32
  } -> !row_numbers
  %rows_of_key = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : !key_cache into !key_cache_rows
  %updated_rows_of_key = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%key, %row_numbers
      : !key, !row_numbers)
    outs(%rows_of_key : !key_cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !key_cache_rows
  %updated_key_cache = tensor.expand_shape %updated_rows_of_key [[0, 1, 2], [3]]
    output_shape [2, 2, 77, 64] : !key_cache_rows into !updated_key_cache
  %rows_of_value = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : !value_cache into !value_cache_rows
  %updated_rows_of_value = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%value, %row_numbers
      : !value, !row_numbers)
    outs(%rows_of_value : !value_cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !value_cache_rows
  %updated_value_cache = tensor.expand_shape %updated_rows_of_value [[0, 1, 2], [3]]
    output_shape [2, 2, 77, 64] : !value_cache_rows into !updated_value_cache
  return %updated_key_cache, %updated_value_cache
    : !updated_key_cache, !updated_value_cache
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
