// Every KV head once per query head of its group.
// b batch, h KV head, g query head of the KV head's group, t KV token, k head column
!kv = tensor<1x2x48x64xf16>
!output = tensor<1x8x48x64xf16>
!grouped = tensor<1x2x4x48x64xf16>

func.func @replicate_kv(%kv: !kv) -> !output {
  %empty = tensor.empty() : !grouped
  %grouped = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, g, t, k) -> (b, h, t, k)>, affine_map<(b, h, g, t, k) -> (b, h, g, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%kv : !kv) outs(%empty : !grouped) {
  ^bb0(%element: f16, %unused: f16):
    linalg.yield %element : f16
  } -> !grouped
  %output = tensor.collapse_shape %grouped [[0], [1, 2], [3], [4]] : !grouped into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @replicate_kv$async(
    %kv: !kv
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @replicate_kv(%kv)
    : (!kv) -> (!output)
  util.return %output : !output
}
