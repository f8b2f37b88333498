// Attention in the torch dialect; how it is computed is the compiler's choice.
!query = !torch.vtensor<[1,8,64,64],f16>
!key = !torch.vtensor<[1,2,128,64],f16>
!value = !torch.vtensor<[1,2,128,64],f16>
!output = !torch.vtensor<[1,8,64,64],f16>
func.func @attention(%query: !query, %key: !key, %value: !value) -> !output {
  %none = torch.constant.none
  %no_dropout = torch.constant.float 0.0
  %scale = torch.constant.float 0.125
  %grouped = torch.constant.bool true
  %is_causal = torch.constant.bool false
  %output = torch.aten.scaled_dot_product_attention %query, %key, %value, %none, %no_dropout, %is_causal, %scale, %grouped : !query, !key, !value, !torch.none, !torch.float, !torch.bool, !torch.float, !torch.bool -> !output
  return %output : !output
}
