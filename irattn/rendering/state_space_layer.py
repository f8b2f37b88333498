"""How the graph of a layer with Mamba 2's step is put together from its parts."""

from dataclasses import dataclass

from irattn.rendering.state_layers import Projections, StateLayerPlan
from irattn.specs.state_space_layer import StateSpaceLayerSpec


@dataclass(frozen=True)
class StateSpaceLayer(StateLayerPlan):
    """The places of x, B and C among the columns of the convolution."""

    spec: StateSpaceLayerSpec

    @property
    def projections(self) -> Projections:
        spec = self.spec
        return {
            "gate": spec.gate,
            "channels": spec.into,
            "steps": spec.steps,
            "output": spec.projection,
        }

    @property
    def parts(self) -> dict[str, tuple[int, int, int]]:
        """The first column of what the step calls value, key and query, their heads and sizes."""
        spec = self.spec
        of_heads, of_groups, _ = spec.columns
        return {
            "value": (0, spec.num_heads, spec.head_dim),
            "key": (of_heads, spec.num_groups, spec.state_size),
            "query": (of_heads + of_groups, spec.num_groups, spec.state_size),
        }

    @property
    def group_columns(self) -> int:
        """Columns of the heads of a group."""
        return self.spec.group_norm.columns

    @property
    def groups(self) -> range:
        """The first column of each group of heads."""
        return range(0, self.spec.inner_size, self.group_columns)


PLANS = {("state_space_layer", "linalg"): StateSpaceLayer}
