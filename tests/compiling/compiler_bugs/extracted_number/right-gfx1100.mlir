// Each workgroup doubles one number: the sum of its 64 shares, made for each of eight rows, of which
// the first is stored.
!in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>
!out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>
#lanes = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [0, 0], reduction = [0, 0], subgroup_basis = [[1, 1], [0, 1]],
    lane_basis = [[8, 4], [0, 1]], thread = [1, 4]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>>
func.func @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %axis = arith.constant 0 : index
  %count = tensor.dim %x, %axis : tensor<?xf32>
  %doubled = flow.dispatch.workgroups[%count](%x, %count)
      : (tensor<?xf32>{%count}, index) -> tensor<?xf32>{%count} = (%in: !in, %n_given: index, %out: !out) {
    %none = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = iree_tensor_ext.dispatch.workload.ordinal %n_given, 0 : index
    %in_tied = flow.dispatch.tie_shape %in : !in{%n}
    %out_tied = flow.dispatch.tie_shape %out : !out{%n}
    %numbers = iree_tensor_ext.dispatch.tensor.load %in_tied, offsets = [0], sizes = [%n], strides = [1]
      : !in{%n} -> tensor<?xf32>
    %all_empty = tensor.empty(%n) : tensor<?xf32>
    %all = scf.forall (%i) in (%n) shared_outs(%whole = %all_empty) -> (tensor<?xf32>) {
      %number = tensor.extract_slice %numbers[%i] [1] [1] : tensor<?xf32> to tensor<f32>
      %shares_empty = tensor.empty() : tensor<8x64xf32>
      %shares = linalg.generic {
          indexing_maps = [affine_map<(m, k) -> ()>, affine_map<(m, k) -> (m, k)>],
          iterator_types = ["parallel", "parallel"]
        } ins(%number : tensor<f32>) outs(%shares_empty : tensor<8x64xf32>) {
      ^bb0(%own: f32, %unused: f32):
        %part = arith.constant 0.03125 : f32
        %share = arith.mulf %own, %part : f32
        linalg.yield %share : f32
      } -> tensor<8x64xf32>
      %rows_empty = tensor.empty() : tensor<8xf32>
      %rows_start = linalg.fill ins(%zero : f32) outs(%rows_empty : tensor<8xf32>) -> tensor<8xf32>
      %rows = linalg.generic {
          indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
          iterator_types = ["parallel", "reduction"]
        } ins(%shares : tensor<8x64xf32>) outs(%rows_start : tensor<8xf32>)
          attrs = {compilation_info = #lanes} {
      ^bb0(%share: f32, %total: f32):
        %more = arith.addf %total, %share : f32
        linalg.yield %more : f32
      } -> tensor<8xf32>
      %first_empty = tensor.empty() : tensor<f32>
      %first_start = linalg.fill ins(%zero : f32) outs(%first_empty : tensor<f32>) -> tensor<f32>
      %first = linalg.generic {
          indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> ()>], iterator_types = ["reduction"]
        } ins(%rows : tensor<8xf32>) outs(%first_start : tensor<f32>) {
      ^bb0(%row: f32, %before: f32):
        %m = linalg.index 0 : index
        %is_first = arith.cmpi eq, %m, %none : index
        %kept = arith.select %is_first, %row, %zero : f32
        %sum = arith.addf %before, %kept : f32
        linalg.yield %sum : f32
      } -> tensor<f32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %first into %whole[%i] [1] [1] : tensor<f32> into tensor<?xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %all, %out_tied, offsets = [0], sizes = [%n], strides = [1]
      : tensor<?xf32> -> !out{%n}
    flow.return
  } count(%n: index) -> (index, index, index) {
    %wide, %high, %deep = iree_tensor_ext.dispatch.workgroup_count_from_slice(%n)
    flow.return %wide, %high, %deep : index, index, index
  }
  return %doubled : tensor<?xf32>
}
