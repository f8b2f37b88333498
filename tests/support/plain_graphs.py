"""Graphs that are none of irattn's: a product, a softmax and a convolution."""

MATMUL = """
func.func @matmul(%a: tensor<64x48xf32>, %b: tensor<48x80xf32>) -> tensor<64x80xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x80xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x80xf32>) -> tensor<64x80xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x48xf32>, tensor<48x80xf32>)
                     outs(%init : tensor<64x80xf32>) -> tensor<64x80xf32>
  return %c : tensor<64x80xf32>
}
"""
SOFTMAX = """
func.func @softmax(%x: tensor<24x100xf32>) -> tensor<24x100xf32> {
  %empty = tensor.empty() : tensor<24x100xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<24x100xf32>)
                      outs(%empty : tensor<24x100xf32>) -> tensor<24x100xf32>
  return %y : tensor<24x100xf32>
}
"""
CONVOLUTION = """
func.func @convolution(%x: tensor<1x10x10x8xf32>, %k: tensor<3x3x8x16xf32>)
    -> tensor<1x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x16xf32>)
      -> tensor<1x8x8x16xf32>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>,
                                 strides = dense<1> : tensor<2xi64>}
      ins(%x, %k : tensor<1x10x10x8xf32>, tensor<3x3x8x16xf32>)
      outs(%init : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %y : tensor<1x8x8x16xf32>
}
"""
