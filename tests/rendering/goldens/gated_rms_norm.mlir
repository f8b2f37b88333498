// x / sqrt(mean(x²) + eps) * (offset + weight) * silu(gate), row by row.
// r row, n column
!x = tensor<16384x128xf16>
!gate = tensor<16384x128xf16>
!weight = tensor<128xf16>
!output = tensor<16384x128xf16>
!row = tensor<16384xf32>
#x = affine_map<(r, n) -> (r, n)>
#row = affine_map<(r, n) -> (r)>
#weight = affine_map<(r, n) -> (n)>

func.func @gated_rms_norm(%x: !x, %gate: !gate, %weight: !weight) -> !output {
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
  %columns = arith.constant 128.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#x, #x, #row, #weight, #x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %gate, %squares, %weight : !x, !gate, !row, !weight) outs(%output_empty : !output) {
  ^bb0(%in_stored: f16, %z_stored: f16, %sum: f32, %w_stored: f16, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %z = arith.extf %z_stored : f16 to f32
    %w = arith.extf %w_stored : f16 to f32
    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in, %size : f32
    %factor = arith.addf %w, %offset : f32
    %normed = arith.mulf %unit, %factor : f32
    %minus_z = arith.negf %z : f32
    %closing = math.exp %minus_z : f32
    %one = arith.constant 1.0 : f32
    %divisor = arith.addf %closing, %one : f32
    %opened = arith.divf %z, %divisor : f32
    %scaled = arith.mulf %normed, %opened : f32
    %scaled_stored = arith.truncf %scaled : f32 to f16
    linalg.yield %scaled_stored : f16
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @gated_rms_norm$async(
    %x: !x,
    %gate: !gate,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @gated_rms_norm(%x, %gate, %weight)
    : (!x, !gate, !weight) -> (!output)
  util.return %output : !output
}
