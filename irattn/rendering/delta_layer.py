"""How the graph of a layer with a gated delta net is put together from its parts."""

from dataclasses import dataclass

from irattn.core.tensors import AnySize
from irattn.specs.delta_layer import DeltaLayerSpec
from irattn.specs.state_layer import parameters
from irattn.targets import Target


@dataclass(frozen=True)
class DeltaLayer:
    """The places of query, key and value among the columns of the convolution."""

    spec: DeltaLayerSpec
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
            "gates_down": parameters("gates_down", spec.gates_down) if spec.gates_down else (),
            "gate": parameters("gate", spec.gate),
            "rates": parameters("rates", spec.rates),
            "output": parameters("output", spec.projection),
        }
        return {name: [one.name for one in own] for name, own in tensors.items()}

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
