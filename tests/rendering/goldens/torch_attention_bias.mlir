// Attention in the torch dialect; how it is computed is the compiler's choice.
!query = !torch.vtensor<[1,8,64,64],f16>
!key = !torch.vtensor<[1,2,128,64],f16>
!value = !torch.vtensor<[1,2,128,64],f16>
!bias = !torch.vtensor<[1,8,64,128],f16>
!output = !torch.vtensor<[1,8,64,64],f16>
!mask = !torch.vtensor<[1,8,64,128],i1>
!wide_bias = !torch.vtensor<[1,8,64,128],f16>
!any = !torch.vtensor<[1,8,64,1],i1>
func.func @attention(%query: !query, %key: !key, %value: !value, %bias: !bias) -> !output {
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
  %minus_inf = torch.constant.float 0xFFF0000000000000
  %broadcast_bias = torch.aten.broadcast_to %bias, %shape : !bias, !torch.list<int> -> !wide_bias
  %attended = torch.aten.scaled_dot_product_attention %query, %key, %value, %broadcast_bias, %no_dropout, %is_causal, %scale, %grouped : !query, !key, !value, !wide_bias, !torch.float, !torch.bool, !torch.float, !torch.bool -> !output
  // A row that sees no key is zeros.
  %last = torch.constant.int -1
  %keep = torch.constant.bool true
  %zero = torch.constant.float 0.0
  %finite = torch.aten.gt.Scalar %broadcast_bias, %minus_inf : !wide_bias, !torch.float -> !mask
  %any = torch.aten.any.dim %finite, %last, %keep : !mask, !torch.int, !torch.bool -> !any
  %output = torch.aten.where.ScalarOther %any, %attended, %zero : !any, !output, !torch.float -> !output
  return %output : !output
}
