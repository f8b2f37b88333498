"""How the graph of a layer is put together from its parts."""

from dataclasses import dataclass

from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.targets import Target


@dataclass(frozen=True)
class DecoderLayer:
    """The arguments that a layer hands on to its parts."""

    spec: DecoderLayerSpec
    target: Target

    @property
    def attention_arguments(self) -> list[str]:
        """The arguments of attention after query, key and value."""
        return [tensor.name for tensor in self.spec.cached_attention.inputs[3:]]

    @property
    def mlp_arguments(self) -> list[str]:
        """The arguments of the MLP after the hidden state."""
        return [tensor.name for tensor in self.spec.mlp.inputs[1:]] if self.spec.mlp else []


# One template, whose parts differ.
PLANS = {
    ("decoder_layer", "linalg/blocked"): DecoderLayer,
    ("decoder_layer", "linalg/fused"): DecoderLayer,
}
