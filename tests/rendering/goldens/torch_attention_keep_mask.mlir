// Attention in the torch dialect; how it is computed is the compiler's choice.
!query = !torch.vtensor<[1,8,64,64],f16>
!key = !torch.vtensor<[1,2,128,64],f16>
!value = !torch.vtensor<[1,2,128,64],f16>
!keep_mask = !torch.vtensor<[1,1,1,128],i1>
!output = !torch.vtensor<[1,8,64,64],f16>
!mask = !torch.vtensor<[1,8,64,128],i1>
!any = !torch.vtensor<[1,8,64,1],i1>
func.func @attention(%query: !query, %key: !key, %value: !value, %keep_mask: !keep_mask) -> !output {
  %none = torch.constant.none
  %no_dropout = torch.constant.float 0.0
  %scale = torch.constant.float 0.125
  %grouped = torch.constant.bool true
  %is_causal = torch.constant.bool false
  %batch = torch.constant.int 1
  %heads = torch.constant.int 8
  %rows = torch.constant.int 64
  %tokens = torch.constant.int 128
  %shape = torch.prim.ListConstruct %batch, %heads, %rows, %tokens : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // Causal as a tensor: torch's own flag aligns at the top left, and excludes other masks.
  %diagonal = torch.constant.int 64
  %bool = torch.constant.int 11
  %all = torch.aten.ones %shape, %bool, %none, %none, %none : !torch.list<int>, !torch.int, !torch.none, !torch.none, !torch.none -> !mask
  %causal = torch.aten.tril %all, %diagonal : !mask, !torch.int -> !mask
  %kept = torch.aten.broadcast_to %keep_mask, %shape : !keep_mask, !torch.list<int> -> !mask
  %seen = torch.aten.logical_and %causal, %kept : !mask, !mask -> !mask
  %attended = torch.aten.scaled_dot_product_attention %query, %key, %value, %seen, %no_dropout, %is_causal, %scale, %grouped : !query, !key, !value, !mask, !torch.float, !torch.bool, !torch.float, !torch.bool -> !output
  // A row that sees no key is zeros.
  %last = torch.constant.int -1
  %keep = torch.constant.bool true
  %zero = torch.constant.float 0.0
  %any = torch.aten.any.dim %seen, %last, %keep : !mask, !torch.int, !torch.bool -> !any
  %output = torch.aten.where.ScalarOther %any, %attended, %zero : !any, !output, !torch.float -> !output
  return %output : !output
}
