// (x - mean(x)) / sqrt(mean((x - mean(x))²) + eps) * (offset + weight) + bias, row by row.
// r row, n column
!x = tensor<3x64xf16>
!weight = tensor<64xf16>
!bias = tensor<64xf16>
!output = tensor<3x64xf16>
!row = tensor<3xf32>
#x = affine_map<(r, n) -> (r, n)>
#row = affine_map<(r, n) -> (r)>
#weight = affine_map<(r, n) -> (n)>

func.func @layer_norm(%x: !x, %weight: !weight, %bias: !bias) -> !output {
  %zero = arith.constant 0.0 : f32
  %columns = arith.constant 64.0 : f32
  %row_empty = tensor.empty() : !row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !row) -> !row
  %sums = linalg.generic {
      indexing_maps = [#x, #row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !x) outs(%start : !row) {
  ^bb0(%in_stored: f16, %sum: f32):
    %in = arith.extf %in_stored : f16 to f32
    %more = arith.addf %sum, %in : f32
    linalg.yield %more : f32
  } -> !row
  // The squares of differences, as a difference of squares would lose what is small beside the mean.
  %squares = linalg.generic {
      indexing_maps = [#x, #row, #row], iterator_types = ["parallel", "reduction"]
    } ins(%x, %sums : !x, !row) outs(%start : !row) {
  ^bb0(%in_stored: f16, %of_row: f32, %sum: f32):
    %in = arith.extf %in_stored : f16 to f32
    %mean = arith.divf %of_row, %columns : f32
    %centred = arith.subf %in, %mean : f32
    %square = arith.mulf %centred, %centred : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !row
  %eps = arith.constant 1.0e-05 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#x, #row, #row, #weight, #weight, #x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %sums, %squares, %weight, %bias : !x, !row, !row, !weight, !bias) outs(%output_empty : !output) {
  ^bb0(%in_stored: f16, %of_row: f32, %sum: f32, %w_stored: f16, %shift_stored: f16, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %w = arith.extf %w_stored : f16 to f32
    %mean = arith.divf %of_row, %columns : f32
    %centred = arith.subf %in, %mean : f32
    %variance = arith.divf %sum, %columns : f32
    %positive = arith.addf %variance, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %centred, %size : f32
    %factor = arith.addf %w, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %scaled, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @layer_norm$async(
    %x: !x,
    %weight: !weight,
    %bias: !bias
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @layer_norm(%x, %weight, %bias)
    : (!x, !weight, !bias) -> (!output)
  util.return %output : !output
}
