// Twice each number, less 1 where the least of its row is below 0, and that is nowhere.
func.func @double(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %most = arith.constant 2147483647 : i32
  %least_empty = tensor.empty() : tensor<4xi32>
  %start = linalg.fill ins(%most : i32) outs(%least_empty : tensor<4xi32>) -> tensor<4xi32>
  %least = linalg.generic {
      indexing_maps = [affine_map<(r, n) -> (r, n)>, affine_map<(r, n) -> (r)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%x : tensor<4x64xf32>) outs(%start : tensor<4xi32>) {
  ^bb0(%in: f32, %before: i32):
    %number = arith.fptosi %in : f32 to i32
    %smaller = arith.minsi %before, %number : i32
    linalg.yield %smaller : i32
  } -> tensor<4xi32>
  %empty = tensor.empty() : tensor<4x64xf32>
  %doubled = linalg.generic {
      indexing_maps = [affine_map<(r, n) -> (r, n)>, affine_map<(r, n) -> (r)>,
                       affine_map<(r, n) -> (r, n)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%x, %least : tensor<4x64xf32>, tensor<4xi32>) outs(%empty : tensor<4x64xf32>) {
  ^bb0(%in: f32, %of_row: i32, %unused: f32):
    %zero = arith.constant 0 : i32
    %is_below = arith.cmpi slt, %of_row, %zero : i32
    %less = arith.uitofp %is_below : i1 to f32
    %twice = arith.addf %in, %in : f32
    %result = arith.subf %twice, %less : f32
    linalg.yield %result : f32
  } -> tensor<4x64xf32>
  return %doubled : tensor<4x64xf32>
}
