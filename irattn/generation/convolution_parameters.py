"""The parameters of layers with short convolutions, by the names of tensors in a model's files."""

from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.models.families.tensor_names import ConvolutionNames
from irattn.specs.convolution_layer import ConvolutionLayerSpec


def convolution_pieces(
    before: str, spec: ConvolutionLayerSpec, names: TensorNames
) -> dict[str, Pieces]:
    """The tensors of what is a layer's own, whose names begin like that in the files."""
    theirs, size = names.convolution or ConvolutionNames(), spec.hidden_size
    taps = (size, spec.kernel) if theirs.is_flat else (size, 1, spec.kernel)
    return {
        "in_weight": Pieces({f"{before}{theirs.into}.weight": (3 * size, size)}),
        "conv_weight": Pieces(
            {f"{before}{theirs.conv}.weight": taps}, drops_ones=not theirs.is_flat
        ),
        "out_weight": Pieces({f"{before}{theirs.out}.weight": (size, size)}),
    }
