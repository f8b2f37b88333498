// Slots of new tokens in a cache of pages, the blocks of sequences, and their contexts.
// b sequence, t new token, p page of a sequence, k block of a page
!cached_lens = tensor<?xi32>
!page_table = tensor<?x?xi32>
!tokens = tensor<?x1xi32>
!pool = tensor<?x2xi32>
!slot_mapping = tensor<?x1xi32>
!block_table = tensor<?x?x2xi32>
!context_lens = tensor<?xi32>
#sequence = affine_map<(b) -> (b)>
#token = affine_map<(b, t) -> (b, t)>
#of_token = affine_map<(b, t) -> (b)>
#block = affine_map<(b, p, k) -> (b, p, k)>
#of_block = affine_map<(b, p, k) -> (b, p)>

func.func @page_slots(%cached_lens_given: !cached_lens, %page_table_given: !page_table, %tokens_given: !tokens, %pool_given: !pool) -> (!slot_mapping, !block_table, !context_lens) {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %cached_lens_given, %batch_axis : !cached_lens
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 64, udiv = 1> : index
  %max_pages_axis = arith.constant 1 : index
  %max_pages_given = tensor.dim %page_table_given, %max_pages_axis : !page_table
  %max_pages_dim = util.assume.int %max_pages_given
    <umin = 1, umax = 128, udiv = 1> : index
  %num_pages_axis = arith.constant 0 : index
  %num_pages_given = tensor.dim %pool_given, %num_pages_axis : !pool
  %num_pages_dim = util.assume.int %num_pages_given
    <umin = 1, umax = 8192, udiv = 1> : index
  %cached_lens = flow.tensor.tie_shape %cached_lens_given
    : !cached_lens{%batch_dim}
  %page_table = flow.tensor.tie_shape %page_table_given
    : !page_table{%batch_dim, %max_pages_dim}
  %tokens = flow.tensor.tie_shape %tokens_given
    : !tokens{%batch_dim}
  %pool = flow.tensor.tie_shape %pool_given
    : !pool{%num_pages_dim}
  %nothing = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %block_size = arith.constant 16 : i32
  %new_tokens = arith.constant 1 : i32
  %max_pages = arith.index_cast %max_pages_dim : index to i32
  %num_pages = arith.index_cast %num_pages_dim : index to i32
  %blocks_per_page = arith.constant 2 : i32
  %page_size = arith.muli %blocks_per_page, %block_size : i32
  %most_tokens = arith.muli %max_pages, %page_size : i32
  %last_page = arith.subi %num_pages, %one : i32
  %last_place = arith.subi %max_pages, %one : i32

  %no_slots = tensor.empty(%batch_dim) : !slot_mapping
  %slot_mapping = linalg.generic {
      indexing_maps = [#of_token, #token], iterator_types = ["parallel", "parallel"]
    } ins(%cached_lens : !cached_lens) outs(%no_slots : !slot_mapping) {
  ^bb0(%before: i32, %unused: i32):
    linalg.yield %nothing : i32
  } -> !slot_mapping

  %no_blocks = tensor.empty(%batch_dim, %max_pages_dim) : !block_table
  %block_table = linalg.generic {
      indexing_maps = [#of_block, #block], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%page_table : !page_table) outs(%no_blocks : !block_table) {
  ^bb0(%given: i32, %unused: i32):
    %k = linalg.index 2 : index
    %within = arith.index_cast %k : index to i32
    %least = arith.maxsi %given, %zero : i32
    %there = arith.minsi %least, %last_page : i32
    %first = arith.muli %there, %blocks_per_page : i32
    %id = arith.addi %first, %within : i32
    linalg.yield %id : i32
  } -> !block_table

  %no_lens = tensor.empty(%batch_dim) : !context_lens
  %context_lens = linalg.generic {
      indexing_maps = [#sequence, #sequence], iterator_types = ["parallel"]
    } ins(%cached_lens : !cached_lens) outs(%no_lens : !context_lens) {
  ^bb0(%before: i32, %unused: i32):
    %after = arith.addi %before, %zero : i32
    %some = arith.maxsi %after, %zero : i32
    %length = arith.minsi %some, %most_tokens : i32
    linalg.yield %length : i32
  } -> !context_lens
  return %slot_mapping, %block_table, %context_lens
    : !slot_mapping, !block_table, !context_lens
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @page_slots$async(
    %cached_lens: !cached_lens,
    %page_table: !page_table,
    %tokens: !tokens,
    %pool: !pool
  ) -> (!slot_mapping, !block_table, !context_lens) attributes {iree.abi.model = "coarse-fences"} {
  %slot_mapping, %block_table, %context_lens = func.call @page_slots(%cached_lens, %page_table, %tokens, %pool)
    : (!cached_lens, !page_table, !tokens, !pool) -> (!slot_mapping, !block_table, !context_lens)
  util.return %slot_mapping, %block_table, %context_lens : !slot_mapping, !block_table, !context_lens
}
