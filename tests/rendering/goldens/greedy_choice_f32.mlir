// The first token of those with the largest logit: of each part of the vocabulary, then of all parts.
// b batch, m token, c part, n token of the vocabulary within its part
!logits = tensor<2x1x1000xf32>
!token_ids = tensor<2x1xi32>
!padded = tensor<2x1x1024xf32>
!parts = tensor<2x1x1x1024xf32>
!of_part = tensor<2x1x1xi32>
!of_row = !token_ids
#parts = affine_map<(b, m, c, n) -> (b, m, c, n)>
#of_part = affine_map<(b, m, c, n) -> (b, m, c)>
#candidates = affine_map<(b, m, c) -> (b, m, c)>
#of_row = affine_map<(b, m, c) -> (b, m)>

func.func @greedy_choice(%logits: !logits) -> !token_ids {
  %zero = arith.constant 0 : i32
  %magnitude_bits = arith.constant 2147483647 : i32
  %infinity = arith.constant 2139095040 : i32
  // On GPUs, the compiler makes wrong code of the least and the largest of numbers with a sign: these
  // have none, and this is the largest.
  %none = arith.constant -1 : i32
  %middle = arith.constant -2147483648 : i32
  // What is added comes last, and is never larger.
  %lowest = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %logits low[0, 0, 0] high[0, 0, 24] {
  ^bb0(%b: index, %m: index, %n: index):
    tensor.yield %lowest : f32
  } : !logits to !padded
  %parts = tensor.expand_shape %padded [[0], [1], [2, 3]] output_shape [2, 1, 1, 1024] : !padded into !parts
  %of_part_empty = tensor.empty() : !of_part
  %largest_start = linalg.fill ins(%zero : i32) outs(%of_part_empty : !of_part) -> !of_part
  %largest = linalg.generic {
      indexing_maps = [#parts, #of_part],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%parts : !parts) outs(%largest_start : !of_part) {
  ^bb0(%logit: f32, %before: i32):
    %bits = arith.bitcast %logit : f32 to i32
    %magnitude = arith.andi %bits, %magnitude_bits : i32
    %below_zero = arith.subi %zero, %magnitude : i32
    %is_negative = arith.cmpi slt, %bits, %zero : i32
    %number = arith.select %is_negative, %below_zero, %magnitude : i32
    %is_nan = arith.cmpi sgt, %magnitude, %infinity : i32
    %above_zero = arith.addi %number, %middle : i32
    %order = arith.select %is_nan, %none, %above_zero : i32
    %larger = arith.maxui %before, %order : i32
    linalg.yield %larger : i32
  } -> !of_part
  %first_start = linalg.fill ins(%none : i32) outs(%of_part_empty : !of_part) -> !of_part
  %first = linalg.generic {
      indexing_maps = [#parts, #of_part, #of_part],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%parts, %largest : !parts, !of_part) outs(%first_start : !of_part) {
  ^bb0(%logit: f32, %largest_order: i32, %before: i32):
    %bits = arith.bitcast %logit : f32 to i32
    %magnitude = arith.andi %bits, %magnitude_bits : i32
    %below_zero = arith.subi %zero, %magnitude : i32
    %is_negative = arith.cmpi slt, %bits, %zero : i32
    %number = arith.select %is_negative, %below_zero, %magnitude : i32
    %is_nan = arith.cmpi sgt, %magnitude, %infinity : i32
    %above_zero = arith.addi %number, %middle : i32
    %order = arith.select %is_nan, %none, %above_zero : i32
    %c = linalg.index 2 : index
    %n = linalg.index 3 : index
    %token_at = affine.apply affine_map<(c, n) -> (c * 1024 + n)>(%c, %n)
    %token = arith.index_cast %token_at : index to i32
    %is_largest = arith.cmpi eq, %order, %largest_order : i32
    %candidate = arith.select %is_largest, %token, %none : i32
    %earlier = arith.minui %before, %candidate : i32
    linalg.yield %earlier : i32
  } -> !of_part

  %of_row_empty = tensor.empty() : !of_row
  %row_start = linalg.fill ins(%zero : i32) outs(%of_row_empty : !of_row) -> !of_row
  %row_largest = linalg.generic {
      indexing_maps = [#candidates, #of_row], iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%largest : !of_part) outs(%row_start : !of_row) {
  ^bb0(%order: i32, %before: i32):
    %larger = arith.maxui %before, %order : i32
    linalg.yield %larger : i32
  } -> !of_row
  %token_start = linalg.fill ins(%none : i32) outs(%of_row_empty : !of_row) -> !of_row
  %token_ids = linalg.generic {
      indexing_maps = [#candidates, #candidates, #of_row, #of_row],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%largest, %first, %row_largest : !of_part, !of_part, !of_row) outs(%token_start : !of_row) {
  ^bb0(%order: i32, %token: i32, %largest_order: i32, %before: i32):
    %is_largest = arith.cmpi eq, %order, %largest_order : i32
    %candidate = arith.select %is_largest, %token, %none : i32
    %earlier = arith.minui %before, %candidate : i32
    linalg.yield %earlier : i32
  } -> !of_row
  return %token_ids
    : !token_ids
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @greedy_choice$async(
    %logits: !logits
  ) -> (!token_ids) attributes {iree.abi.model = "coarse-fences"} {
  %token_ids = func.call @greedy_choice(%logits)
    : (!logits) -> (!token_ids)
  util.return %token_ids : !token_ids
}
