// How many scores of each block the mask shows, what order that gives blocks in, and lists in that order.
// b sequence, h head, r row of blocks, c column, d another one; j key within a block, p place
!captured_documents = tensor<40xi32>
!block_counts = tensor<2x2x3x2xi32>
!block_columns = tensor<2x2x3x5xi32>
!blocks = tensor<3x5xi32>
!keys = tensor<3x40xi32>
!keys_of_blocks = tensor<3x5x8xi32>
#key = affine_map<(r, c) -> (r, c)>
#in_block = affine_map<(r, c, j) -> (r, c, j)>
#block_of = affine_map<(r, c, j) -> (r, c)>
#block = affine_map<(r, c) -> (r, c)>
#one = affine_map<(r, c, d) -> (r, c)>
#other = affine_map<(r, c, d) -> (r, d)>
#order = affine_map<(b, h, r, p, c) -> (r, c)>
#place = affine_map<(b, h, r, p, c) -> (b, h, r, p)>

func.func @block_mask(%captured_documents: !captured_documents) -> (!block_counts, !block_columns) {

  %none = arith.constant 0 : i32
  %no_blocks = tensor.empty() : !blocks
  %nothing = linalg.fill ins(%none : i32) outs(%no_blocks : !blocks) -> !blocks
  %no_keys = tensor.empty() : !keys
  %shown_of_keys = linalg.generic {indexing_maps = [#key], iterator_types = ["parallel", "parallel"]}
    outs(%no_keys : !keys) {
  ^bb0(%unused: i32):
    %r = linalg.index 0 : index
    %k = linalg.index 1 : index
    // Past the last key, that one is asked about, and does not count.
    %last_key = arith.constant 39 : index
    %key = arith.minsi %k, %last_key : index
    %is_key = arith.cmpi eq, %k, %key : index
    %first = affine.apply affine_map<(r) -> (r * 16)>(%r)
    %end = affine.min affine_map<(r) -> (r * 16 + 16, 40)>(%r)
    %one_query = arith.constant 1 : index
    %shown_here = scf.for %query = %first to %end step %one_query iter_args(%count = %none) -> i32 {
      %query_i32 = arith.index_cast %query : index to i32
      %key_i32 = arith.index_cast %key : index to i32
      %no_offset = arith.constant 0 : i32
          %mask_mod_0 = arith.constant 0 : i32
      %mask_mod_1_at = arith.index_cast %query_i32 : i32 to index
      %mask_mod_1 = tensor.extract %captured_documents[%mask_mod_1_at]
        : tensor<40xi32>
          %mask_mod_2 = arith.constant 0 : i32
          %mask_mod_3 = arith.addi %no_offset, %key_i32 : i32
          %mask_mod_4 = arith.constant 39 : i32
          %mask_mod_5 = arith.minsi %mask_mod_3, %mask_mod_4 : i32
      %mask_mod_6_at = arith.index_cast %mask_mod_5 : i32 to index
      %mask_mod_6 = tensor.extract %captured_documents[%mask_mod_6_at]
        : tensor<40xi32>
          %mask_mod_7 = arith.cmpi eq,
            %mask_mod_1, %mask_mod_6 : i32
          %mask_mod_8 = arith.cmpi sle,
            %mask_mod_3, %query_i32 : i32
          %mask_mod_9 = arith.andi %mask_mod_7, %mask_mod_8 : i1
      %counts = arith.andi %is_key, %mask_mod_9 : i1
      %one_more = arith.extui %counts : i1 to i32
      %more = arith.addi %count, %one_more : i32
      scf.yield %more : i32
    }
    linalg.yield %shown_here : i32
  } -> !keys
  // Fused with what adds up its numbers, a lane would count a whole block.
  %apart = iree_tensor_ext.compute_barrier.start %shown_of_keys : !keys -> !keys
  %by_blocks = tensor.expand_shape %apart [[0], [1, 2]] output_shape [3, 5, 8]
    : !keys into !keys_of_blocks
  %shown = linalg.generic {
      indexing_maps = [#in_block, #block_of], iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%by_blocks : !keys_of_blocks) outs(%nothing : !blocks) {
  ^bb0(%of_key: i32, %count: i32):
    %more = arith.addi %count, %of_key : i32
    linalg.yield %more : i32
  } -> !blocks

  // Those that are shown in part come first, 0, then those all of, 1, and those that are hidden, 2.
  %order = linalg.generic {indexing_maps = [#block, #block], iterator_types = ["parallel", "parallel"]}
    ins(%shown : !blocks) outs(%no_blocks : !blocks) {
  ^bb0(%count: i32, %unused: i32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %rows = affine.min affine_map<(r) -> (40 - r * 16, 16)>(%r)
    %columns = affine.min affine_map<(c) -> (40 - c * 8, 8)>(%c)
    %scores_index = arith.muli %rows, %columns : index
    %scores = arith.index_cast %scores_index : index to i32
    %first = arith.constant 0 : i32
    %second = arith.constant 1 : i32
    %last = arith.constant 2 : i32
    %is_full = arith.cmpi eq, %count, %scores : i32
    %is_hidden = arith.cmpi eq, %count, %first : i32
    %of_shown = arith.select %is_full, %second, %first : i32
    %own = arith.select %is_hidden, %last, %of_shown : i32
    linalg.yield %own : i32
  } -> !blocks

  // A block has as many places before it as there are blocks that come before it.
  %places = linalg.generic {
      indexing_maps = [#one, #other, #one], iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%order, %order : !blocks, !blocks) outs(%nothing : !blocks) {
  ^bb0(%own: i32, %others: i32, %count: i32):
    %c = linalg.index 1 : index
    %d = linalg.index 2 : index
    %is_left = arith.cmpi slt, %d, %c : index
    %is_less = arith.cmpi slt, %others, %own : i32
    %is_same = arith.cmpi eq, %others, %own : i32
    %is_same_left = arith.andi %is_same, %is_left : i1
    %is_before = arith.ori %is_less, %is_same_left : i1
    %one_more = arith.extui %is_before : i1 to i32
    %more = arith.addi %count, %one_more : i32
    linalg.yield %more : i32
  } -> !blocks

  %no_columns = tensor.empty() : !block_columns
  %columns_start = linalg.fill ins(%none : i32) outs(%no_columns : !block_columns) -> !block_columns
  %block_columns = linalg.generic {
      indexing_maps = [#order, #place], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%places : !blocks) outs(%columns_start : !block_columns) {
  ^bb0(%place: i32, %before: i32):
    %p_index = linalg.index 3 : index
    %p = arith.index_cast %p_index : index to i32
    %c_index = linalg.index 4 : index
    %c = arith.index_cast %c_index : index to i32
    %is_here = arith.cmpi eq, %place, %p : i32
    %column = arith.select %is_here, %c, %before : i32
    linalg.yield %column : i32
  } -> !block_columns

  %no_counts = tensor.empty() : !block_counts
  %counts_start = linalg.fill ins(%none : i32) outs(%no_counts : !block_counts) -> !block_counts
  %block_counts = linalg.generic {
      indexing_maps = [#order, #place], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%order : !blocks) outs(%counts_start : !block_counts) {
  ^bb0(%own: i32, %before: i32):
    %kind_index = linalg.index 3 : index
    %kind = arith.index_cast %kind_index : index to i32
    %is_of_kind = arith.cmpi eq, %own, %kind : i32
    %one_more = arith.extui %is_of_kind : i1 to i32
    %more = arith.addi %before, %one_more : i32
    linalg.yield %more : i32
  } -> !block_counts
  return %block_counts, %block_columns
    : !block_counts, !block_columns
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @block_mask$async(
    %captured_documents: !captured_documents
  ) -> (!block_counts, !block_columns) attributes {iree.abi.model = "coarse-fences"} {
  %block_counts, %block_columns = func.call @block_mask(%captured_documents)
    : (!captured_documents) -> (!block_counts, !block_columns)
  util.return %block_counts, %block_columns : !block_counts, !block_columns
}
