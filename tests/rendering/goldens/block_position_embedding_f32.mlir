// The learned embeddings of each token's two positions, added to its hidden state.
// b batch, m token, n column
!hidden = tensor<1x64x256xf32>
!position_table = tensor<65x256xf32>
!block_position_table = tensor<33x256xf32>
!positions = tensor<1x64xi32>
!block_positions = tensor<1x64xi32>
!output = tensor<1x64x256xf32>
#hidden = affine_map<(b, m, n) -> (b, m, n)>
#token = affine_map<(b, m, n) -> (b, m)>

func.func @block_position_embedding(%hidden: !hidden, %position_table: !position_table, %block_position_table: !block_position_table, %positions: !positions, %block_positions: !block_positions) -> !output {
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#hidden, #token, #token, #hidden],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%hidden, %positions, %block_positions : !hidden, !positions, !block_positions)
      outs(%empty : !output) {
  ^bb0(%state: f32, %position: i32, %block_position: i32, %unused: f32):
    %last_row = arith.constant 64 : i32
    %last_block_row = arith.constant 32 : i32
    %row_kept = arith.minui %position, %last_row : i32
    %row = arith.index_cast %row_kept : i32 to index
    %block_row_kept = arith.minui %block_position, %last_block_row : i32
    %block_row = arith.index_cast %block_row_kept : i32 to index
    %n = linalg.index 2 : index
    %embedding = tensor.extract %position_table[%row, %n] : !position_table
    %block_embedding = tensor.extract %block_position_table[%block_row, %n] : !block_position_table



    %positioned = arith.addf %state, %embedding : f32
    %sum = arith.addf %positioned, %block_embedding : f32

    linalg.yield %sum : f32
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @block_position_embedding$async(
    %hidden: !hidden,
    %position_table: !position_table,
    %block_position_table: !block_position_table,
    %positions: !positions,
    %block_positions: !block_positions
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @block_position_embedding(%hidden, %position_table, %block_position_table, %positions, %block_positions)
    : (!hidden, !position_table, !block_position_table, !positions, !block_positions) -> (!output)
  util.return %output : !output
}
