"""How the graph of a layer with lightning attention is put together from its parts."""

from dataclasses import dataclass

from irattn.core.tensors import AnySize
from irattn.specs.lightning_layer import LightningLayerSpec
from irattn.specs.state_layer import parameters
from irattn.targets import Target


@dataclass(frozen=True)
class LightningLayer:
    """The parameters of a layer's projections, and the places of what one of them makes."""

    spec: LightningLayerSpec
    target: Target

    @property
    def tokens(self) -> AnySize:
        """The packed tokens."""
        return self.spec.size("q_tokens")

    @property
    def arguments(self) -> dict[str, list[str]]:
        """The parameters of each projection."""
        spec = self.spec
        tensors = {
            "qkv": parameters("qkv", spec.qkv),
            "gate": parameters("gate", spec.gate),
            "output": parameters("output", spec.projection),
        }
        return {name: [one.name for one in own] for name, own in tensors.items()}

    @property
    def parts(self) -> dict[str, int]:
        """The first head of query, key and value."""
        heads = self.spec.num_heads
        return {"query": 0, "key": heads, "value": 2 * heads}


PLANS = {("lightning_layer", "linalg"): LightningLayer}
