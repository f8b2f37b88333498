"""The plan of layers with states: the tokens, and the parameters of projections."""

from collections.abc import Mapping
from dataclasses import dataclass

from irattn.core.tensors import AnySize
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.state_layer import StateLayer, parameters
from irattn.targets import Target

Projections = Mapping[str, QkvProjectionSpec | OutputProjectionSpec | None]


@dataclass(frozen=True)
class StateLayerPlan:
    """The tokens of a layer, and the parameters of its projections."""

    spec: StateLayer
    target: Target

    @property
    def tokens(self) -> AnySize:
        """The packed tokens."""
        return self.spec.size("q_tokens")

    @property
    def projections(self) -> Projections:
        """The projections whose parameters templates name, by name; None where a layer has none."""
        return {}

    @property
    def arguments(self) -> dict[str, list[str]]:
        """The parameters of each projection."""
        return {
            name: [tensor.name for tensor in parameters(name, part)] if part else []
            for name, part in self.projections.items()
        }
