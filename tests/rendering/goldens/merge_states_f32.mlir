// Two partial attention results over disjoint keys become one.
// b batch, h query head, m query, n value column
!out_a = tensor<2x8x40x64xf32>
!lse_a = tensor<2x8x40xf32>
!out_b = tensor<2x8x40x64xf32>
!lse_b = tensor<2x8x40xf32>
!output = tensor<2x8x40x64xf32>
!lse = tensor<2x8x40xf32>
#rows = affine_map<(b, h, m) -> (b, h, m)>
#values = affine_map<(b, h, m, n) -> (b, h, m, n)>
#row = affine_map<(b, h, m, n) -> (b, h, m)>

func.func @merge_states(%out_a: !out_a, %lse_a: !lse_a, %out_b: !out_b, %lse_b: !lse_b) -> (!output, !lse) {
  %zero = arith.constant 0.0 : f32
  // The maximum is kept finite: exp(-inf - maximum) is then 0, not NaN.
  %lowest = arith.constant -3.40282347E+38 : f32
  %lse_empty = tensor.empty() : !lse
  %lse = linalg.generic {
      indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%lse_a, %lse_b : !lse_a, !lse_b) outs(%lse_empty : !lse) {
  ^bb0(%part_a: f32, %part_b: f32, %unused: f32):
    %larger = arith.maximumf %part_a, %part_b : f32
    %top = arith.maximumf %larger, %lowest : f32
    %below_a = arith.subf %part_a, %top : f32
    %below_b = arith.subf %part_b, %top : f32
    %weight_a = math.exp %below_a : f32
    %weight_b = math.exp %below_b : f32
    %total = arith.addf %weight_a, %weight_b : f32
    // Where nothing was seen this is log(0), -inf.
    %log = math.log %total : f32
    %merged = arith.addf %top, %log : f32
    linalg.yield %merged : f32
  } -> !lse
  %output_empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#values, #row, #values, #row, #values],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%out_a, %lse_a, %out_b, %lse_b : !out_a, !lse_a, !out_b, !lse_b) outs(%output_empty : !output) {
  ^bb0(%value_a: f32, %part_a: f32, %value_b: f32, %part_b: f32, %unused: f32):
    %larger = arith.maximumf %part_a, %part_b : f32
    %top = arith.maximumf %larger, %lowest : f32
    %below_a = arith.subf %part_a, %top : f32
    %below_b = arith.subf %part_b, %top : f32
    %weight_a = math.exp %below_a : f32
    %weight_b = math.exp %below_b : f32
    %total = arith.addf %weight_a, %weight_b : f32

    %has_a = arith.cmpf ogt, %weight_a, %zero : f32
    %weighted_a = arith.mulf %value_a, %weight_a : f32
    %added_a = arith.select %has_a, %weighted_a, %zero : f32

    %has_b = arith.cmpf ogt, %weight_b, %zero : f32
    %weighted_b = arith.mulf %value_b, %weight_b : f32
    %added_b = arith.select %has_b, %weighted_b, %zero : f32
    %sum = arith.addf %added_a, %added_b : f32
    %any = arith.cmpf ogt, %total, %zero : f32
    %quotient = arith.divf %sum, %total : f32
    %mean = arith.select %any, %quotient, %zero : f32

    linalg.yield %mean : f32
  } -> !output
  return %output, %lse : !output, !lse
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @merge_states$async(
    %out_a: !out_a,
    %lse_a: !lse_a,
    %out_b: !out_b,
    %lse_b: !lse_b
  ) -> (!output, !lse) attributes {iree.abi.model = "coarse-fences"} {
  %output, %lse = func.call @merge_states(%out_a, %lse_a, %out_b, %lse_b)
    : (!out_a, !lse_a, !out_b, !lse_b) -> (!output, !lse)
  util.return %output, %lse : !output, !lse
}
