// x / sqrt(sum(x²) + eps), row by row.
// r row, n column
!x = tensor<16384x128xf16>
!output = tensor<16384x128xf16>
!row = tensor<16384xf32>
#x = affine_map<(r, n) -> (r, n)>
#row = affine_map<(r, n) -> (r)>

func.func @l2_norm(%x: !x) -> !output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !row) -> !row
  %squares = linalg.generic {
      indexing_maps = [#x, #row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !x) outs(%start : !row) {
  ^bb0(%in_stored: f16, %sum: f32):
    %in = arith.extf %in_stored : f16 to f32
    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !row
  %eps = arith.constant 1.0e-06 : f32
  %output_empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#x, #row, #x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares : !x, !row) outs(%output_empty : !output) {
  ^bb0(%in_stored: f16, %sum: f32, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %positive = arith.addf %sum, %eps : f32
    %size = math.sqrt %positive : f32
    %scaled = arith.divf %in, %size : f32
    %scaled_stored = arith.truncf %scaled : f32 to f16
    linalg.yield %scaled_stored : f16
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @l2_norm$async(
    %x: !x
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @l2_norm(%x)
    : (!x) -> (!output)
  util.return %output : !output
}
