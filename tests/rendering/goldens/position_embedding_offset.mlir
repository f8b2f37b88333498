// The learned embedding of each token's position, added to its hidden state.
// b batch, m token, n column
!hidden = tensor<1x64x256xf16>
!position_table = tensor<130x256xf16>
!positions = tensor<1x64xi32>
!output = tensor<1x64x256xf16>
#hidden = affine_map<(b, m, n) -> (b, m, n)>
#token = affine_map<(b, m, n) -> (b, m)>

func.func @position_embedding(%hidden: !hidden, %position_table: !position_table, %positions: !positions) -> !output {
  %offset = arith.constant 2 : i32
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#hidden, #token, #hidden],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%hidden, %positions : !hidden, !positions) outs(%empty : !output) {
  ^bb0(%state_stored: f16, %position: i32, %unused: f16):
    %row_i32 = arith.addi %position, %offset : i32
    %last_row = arith.constant 129 : i32
    %row_kept = arith.minui %row_i32, %last_row : i32
    %row = arith.index_cast %row_kept : i32 to index
    %n = linalg.index 2 : index
    %embedding_stored = tensor.extract %position_table[%row, %n] : !position_table
    %state = arith.extf %state_stored : f16 to f32
    %embedding = arith.extf %embedding_stored : f16 to f32
    %sum = arith.addf %state, %embedding : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @position_embedding$async(
    %hidden: !hidden,
    %position_table: !position_table,
    %positions: !positions
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @position_embedding(%hidden, %position_table, %positions)
    : (!hidden, !position_table, !positions) -> (!output)
  util.return %output : !output
}
