// attended · weightᵀ + bias, with the heads of a token side by side.
// m token, n hidden column, k column of a head
!attended = tensor<2x8x1x64xbf16>
!weight = tensor<256x512xbf16>
!output = tensor<2x1x256xbf16>
!by_token = tensor<2x1x8x64xbf16>
!sequences = tensor<2x512xbf16>
!acc = tensor<2x256xf32>
!sums = tensor<2x256xbf16>
#sums = affine_map<(m, n) -> (m, n)>

func.func @output_projection(%attended: !attended, %weight: !weight) -> !output {
  %by_token_empty = tensor.empty() : !by_token
  %by_token = linalg.transpose ins(%attended : !attended) outs(%by_token_empty : !by_token) permutation = [0, 2, 1, 3]
  %sequences = tensor.collapse_shape %by_token [[0, 1], [2, 3]] : !by_token into !sequences
  %zero = arith.constant 0.0 : f32
  %acc_empty = tensor.empty() : !acc
  %start = linalg.fill ins(%zero : f32) outs(%acc_empty : !acc) -> !acc
  %token_parts = iree_tensor_ext.bitcast %sequences : !sequences -> tensor<2x16x1x16xi32>
  %weight_parts = iree_tensor_ext.bitcast %weight : !weight -> tensor<256x16x1x16xi32>
  %x0_of_acc = tensor.extract_slice %token_parts[0, 0, 0, 0] [2, 16, 1, 16] [1, 1, 1, 1] : tensor<2x16x1x16xi32> to tensor<2x16x16xi32>
  %w0_of_acc = tensor.extract_slice %weight_parts[0, 0, 0, 0] [256, 16, 1, 16] [1, 1, 1, 1] : tensor<256x16x1x16xi32> to tensor<256x16x16xi32>
  %empty_lanes_of_acc = tensor.empty() : tensor<2x256x16xf32>
  %no_lanes_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_lanes_of_acc : tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
  %lanes_of_acc = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l, k) -> (m, k, l)>,
        affine_map<(m, n, l, k) -> (n, k, l)>,
        affine_map<(m, n, l, k) -> (m, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%x0_of_acc, %w0_of_acc
        : tensor<2x16x16xi32>, tensor<256x16x16xi32>)
      outs(%no_lanes_of_acc : tensor<2x256x16xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
      lowering_config = #iree_cpu.lowering_config<
        distribution = [0, 64, 0, 0], vector_common_parallel = [2, 4, 16, 0],
        vector_reduction = [0, 0, 0, 1]>,
      translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>} {
  ^bb0(%x0: i32, %w0: i32, %sum: f32):
    %half = arith.constant 16 : i32
    %upper = arith.constant -65536 : i32
    %x_low_bits = arith.shli %x0, %half : i32
    %x_low = arith.bitcast %x_low_bits : i32 to f32
    %x_high_bits = arith.andi %x0, %upper : i32
    %x_high = arith.bitcast %x_high_bits : i32 to f32
    %w_low_bits = arith.shli %w0, %half : i32
    %w_low = arith.bitcast %w_low_bits : i32 to f32
    %w_high_bits = arith.andi %w0, %upper : i32
    %w_high = arith.bitcast %w_high_bits : i32 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<2x256x16xf32>
  %acc = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l) -> (m, n, l)>, affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%lanes_of_acc : tensor<2x256x16xf32>) outs(%start : tensor<2x256xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x256xf32>
  %empty = tensor.empty() : !sums
  %sums = linalg.generic {
      indexing_maps = [#sums, #sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !sums) {
  ^bb0(%sum: f32, %unused: bf16):
    %sum_stored = arith.truncf %sum : f32 to bf16
    linalg.yield %sum_stored : bf16
  } -> !sums
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [2, 1, 256] : !sums into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @output_projection$async(
    %attended: !attended,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @output_projection(%attended, %weight)
    : (!attended, !weight) -> (!output)
  util.return %output : !output
}
