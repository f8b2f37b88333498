"""The parameters of layers with short convolutions, by the names of tensors in a model's files."""

from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.models.families.state_tensor_names import ConvolutionNames
from irattn.specs.convolution_layer import ConvolutionLayerSpec


def parts_of_convolution(
    spec: ConvolutionLayerSpec, names: TensorNames
) -> dict[str, dict[str, int]]:
    """The tensors of the projections around a convolution, and their rows."""
    theirs, size = names.convolution or ConvolutionNames(), spec.hidden_size
    return {"in": {theirs.into: 3 * size}, "out": {theirs.out: size}}


def taps_of(before: str, spec: ConvolutionLayerSpec, names: TensorNames) -> Pieces:
    """The weight of the convolution itself, whose name begins like that in the files."""
    theirs, size = names.convolution or ConvolutionNames(), spec.hidden_size
    taps = (size, spec.kernel) if theirs.is_flat else (size, 1, spec.kernel)
    return Pieces({f"{before}{theirs.conv}.weight": taps}, drops_ones=not theirs.is_flat)
