// The row of the weights that each token id names, scaled.
// b batch, m token, n column
!token_ids = tensor<1x20xi32>
!weight = tensor<1000x256xf16>
!output = tensor<1x20x256xf16>
#token = affine_map<(b, m, n) -> (b, m)>
#output = affine_map<(b, m, n) -> (b, m, n)>
func.func @embedding(%token_ids: !token_ids, %weight: !weight) -> !output {
  %scale = arith.constant 16.0 : f32
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#token, #output], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%token_ids : !token_ids) outs(%empty : !output) {
  ^bb0(%id: i32, %unused: f16):
    %last_row = arith.constant 999 : i32
    %row_kept = arith.minui %id, %last_row : i32
    %row = arith.index_cast %row_kept : i32 to index
    %n = linalg.index 2 : index
    %embedding_stored = tensor.extract %weight[%row, %n] : !weight
    %embedding = arith.extf %embedding_stored : f16 to f32
    %scaled = arith.mulf %embedding, %scale : f32
    %scaled_stored = arith.truncf %scaled : f32 to f16
    linalg.yield %scaled_stored : f16
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @embedding$async(
    %token_ids: !token_ids,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @embedding(%token_ids, %weight)
    : (!token_ids, !weight) -> (!output)
  util.return %output : !output
}
