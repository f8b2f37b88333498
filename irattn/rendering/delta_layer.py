"""How the graph of a layer with a gated delta net is put together from its parts."""

from dataclasses import dataclass

from irattn.rendering.state_layers import Projections, StateLayerPlan
from irattn.specs.delta_layer import DeltaLayerSpec


@dataclass(frozen=True)
class DeltaLayer(StateLayerPlan):
    """The places of query, key and value among the columns of the convolution."""

    spec: DeltaLayerSpec

    @property
    def projections(self) -> Projections:
        spec = self.spec
        return {
            "qkv": spec.qkv,
            "gates_down": spec.gates_down,
            "gate": spec.gate,
            "rates": spec.rates,
            "output": spec.projection,
        }

    @property
    def parts(self) -> dict[str, tuple[int, int, int]]:
        """The first column of query, key and value, their heads, and the columns of each."""
        spec = self.spec
        queries, keys, _ = spec.columns
        return {
            "query": (0, spec.num_k_heads, spec.key_dim),
            "key": (queries, spec.num_k_heads, spec.key_dim),
            "value": (queries + keys, spec.num_v_heads, spec.value_dim),
        }


PLANS = {("delta_layer", "linalg"): DeltaLayer}
