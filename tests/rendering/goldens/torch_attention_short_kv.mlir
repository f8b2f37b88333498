// Attention in the torch dialect; how it is computed is the compiler's choice.
!query = !torch.vtensor<[1,8,40,64],f16>
!key = !torch.vtensor<[1,2,24,64],f16>
!value = !torch.vtensor<[1,2,24,64],f16>
!output = !torch.vtensor<[1,8,40,64],f16>
!seeing_query = !torch.vtensor<[1,8,24,64],f16>
!seeing_output = !torch.vtensor<[1,8,24,64],f16>
func.func @attention(%query: !query, %key: !key, %value: !value) -> !output {
  %none = torch.constant.none
  %no_dropout = torch.constant.float 0.0
  %scale = torch.constant.float 0.125
  %grouped = torch.constant.bool true
  %is_causal = torch.constant.bool true
  // The first rows see no key: only the others, for which torch's causal mask is right, are computed.
  %int1 = torch.constant.int 1
  %dim = torch.constant.int 2
  %first = torch.constant.int 16
  %end = torch.constant.int 40
  %seeing_query = torch.aten.slice.Tensor %query, %dim, %first, %end, %int1 : !query, !torch.int, !torch.int, !torch.int, !torch.int -> !seeing_query
  %seeing_output = torch.aten.scaled_dot_product_attention %seeing_query, %key, %value, %none, %no_dropout, %is_causal, %scale, %grouped : !seeing_query, !key, !value, !torch.none, !torch.float, !torch.bool, !torch.float, !torch.bool -> !seeing_output
  %int0 = torch.constant.int 0
  %zero = torch.constant.float 0.0
  %padding = torch.prim.ListConstruct %int0, %int0, %first, %int0 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %output = torch.aten.constant_pad_nd %seeing_output, %padding, %zero : !seeing_output, !torch.list<int>, !torch.float -> !output
  return %output : !output
}
