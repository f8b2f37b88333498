"""How the graph of a layer with lightning attention is put together from its parts."""

from dataclasses import dataclass

from irattn.rendering.state_layers import Projections, StateLayerPlan
from irattn.specs.lightning_layer import LightningLayerSpec


@dataclass(frozen=True)
class LightningLayer(StateLayerPlan):
    """The parameters of a layer's projections, and the places of what one of them makes."""

    spec: LightningLayerSpec

    @property
    def projections(self) -> Projections:
        spec = self.spec
        return {"qkv": spec.qkv, "gate": spec.gate, "output": spec.projection}

    @property
    def parts(self) -> dict[str, int]:
        """The first head of query, key and value."""
        heads = self.spec.num_heads
        return {"query": 0, "key": heads, "value": 2 * heads}


PLANS = {("lightning_layer", "linalg"): LightningLayer}
