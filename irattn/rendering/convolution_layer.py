"""How the graph of a layer with a short convolution is put together from its parts."""

from dataclasses import dataclass

from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.specs.state_layer import parameters
from irattn.targets import Target


@dataclass(frozen=True)
class ConvolutionLayer:
    """The parameters of a layer's projections, and the columns that one of them makes."""

    spec: ConvolutionLayerSpec
    target: Target

    @property
    def first_columns(self) -> dict[str, int]:
        """The first column of both gates and of what the convolution is of, among those made."""
        return {name: number * self.spec.hidden_size for number, name in enumerate("bcz")}

    @property
    def in_arguments(self) -> list[str]:
        """The parameters of the projection into these."""
        return [tensor.name for tensor in parameters("in", self.spec.into)]

    @property
    def out_arguments(self) -> list[str]:
        """The parameters of the projection back into the hidden state."""
        return [tensor.name for tensor in parameters("out", self.spec.out)]


PLANS = {("convolution_layer", "linalg"): ConvolutionLayer}
