"""Where both gates and what the convolution is of lie in what a layer projects."""

from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.targets import Target


def _first_columns(spec: ConvolutionLayerSpec, target: Target) -> dict[str, int]:
    """The first column of each."""
    return {name: number * spec.hidden_size for number, name in enumerate("bcz")}


PLANS = {("convolution_layer", "linalg"): _first_columns}
