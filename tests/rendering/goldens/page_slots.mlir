// Slots of new tokens in a cache of pages, the blocks of sequences, and their contexts.
// b sequence, t new token, p page of a sequence, k block of a page
!cached_lens = tensor<3xi32>
!page_table = tensor<3x4xi32>
!tokens = tensor<3x4xi32>
!pool = tensor<9x2xi32>
!slot_mapping = tensor<3x4xi32>
!block_table = tensor<3x4x2xi32>
!context_lens = tensor<3xi32>
#sequence = affine_map<(b) -> (b)>
#token = affine_map<(b, t) -> (b, t)>
#of_token = affine_map<(b, t) -> (b)>
#block = affine_map<(b, p, k) -> (b, p, k)>
#of_block = affine_map<(b, p, k) -> (b, p)>

func.func @page_slots(%cached_lens: !cached_lens, %page_table: !page_table, %tokens: !tokens, %pool: !pool) -> (!slot_mapping, !block_table, !context_lens) {
  %nothing = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %block_size = arith.constant 16 : i32
  %new_tokens = arith.constant 4 : i32
  %max_pages = arith.constant 4 : i32
  %num_pages = arith.constant 9 : i32
  %blocks_per_page = arith.constant 2 : i32
  %page_size = arith.muli %blocks_per_page, %block_size : i32
  %most_tokens = arith.muli %max_pages, %page_size : i32
  %last_page = arith.subi %num_pages, %one : i32
  %last_place = arith.subi %max_pages, %one : i32

  %no_slots = tensor.empty() : !slot_mapping
  %slot_mapping = linalg.generic {
      indexing_maps = [#of_token, #token], iterator_types = ["parallel", "parallel"]
    } ins(%cached_lens : !cached_lens) outs(%no_slots : !slot_mapping) {
  ^bb0(%before: i32, %unused: i32):
    %b = linalg.index 0 : index
    %t = linalg.index 1 : index
    %token = arith.index_cast %t : index to i32
    %position = arith.addi %before, %token : i32
    %place = arith.divsi %position, %page_size : i32
    %offset = arith.remsi %position, %page_size : i32
    %not_before = arith.maxsi %place, %zero : i32
    %inside = arith.minsi %not_before, %last_place : i32
    %p = arith.index_cast %inside : i32 to index
    %page = tensor.extract %page_table[%b, %p] : !page_table
    %start = arith.muli %page, %page_size : i32
    %named = arith.addi %start, %offset : i32
    %is_real = arith.cmpi sge, %before, %zero : i32
    %has_place = arith.cmpi sle, %place, %last_place : i32
    // As an unsigned number, what is below zero is beyond all pages.
    %is_page = arith.cmpi ult, %page, %num_pages : i32
    %has_page = arith.andi %has_place, %is_page : i1
    %is_written = arith.andi %is_real, %has_page : i1
    %slot = arith.select %is_written, %named, %nothing : i32
    linalg.yield %slot : i32
  } -> !slot_mapping

  %no_blocks = tensor.empty() : !block_table
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

  %no_lens = tensor.empty() : !context_lens
  %context_lens = linalg.generic {
      indexing_maps = [#sequence, #sequence], iterator_types = ["parallel"]
    } ins(%cached_lens : !cached_lens) outs(%no_lens : !context_lens) {
  ^bb0(%before: i32, %unused: i32):
    %after = arith.addi %before, %new_tokens : i32
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
