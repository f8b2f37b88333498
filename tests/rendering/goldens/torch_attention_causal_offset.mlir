// Attention in the torch dialect; how it is computed is the compiler's choice.
!query = !torch.vtensor<[1,8,64,64],f16>
!key = !torch.vtensor<[1,2,128,64],f16>
!value = !torch.vtensor<[1,2,128,64],f16>
!output = !torch.vtensor<[1,8,64,64],f16>
!mask = !torch.vtensor<[1,8,64,128],i1>
func.func @attention(%query: !query, %key: !key, %value: !value) -> !output {
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
  %output = torch.aten.scaled_dot_product_attention %query, %key, %value, %causal, %no_dropout, %is_causal, %scale, %grouped : !query, !key, !value, !mask, !torch.float, !torch.bool, !torch.float, !torch.bool -> !output
  return %output : !output
}
