"""A graph as it is asked for."""

from dataclasses import dataclass, replace

from irattn.core.errors import RenderError, shown
from irattn.rendering.limits import (
    check_activations,
    check_columns,
    check_experts,
    check_scales,
    check_sizes,
)
from irattn.rendering.plans import TileNumbers, attention_plan, plans
from irattn.rendering.torch import unsayable
from irattn.specs import Spec
from irattn.specs.base import MAX_HEAD_DIM
from irattn.targets import Target

FORMULATIONS = ("fused", "blocked")
DIALECTS = ("linalg", "torch")


@dataclass(frozen=True)
class GraphRequest:
    """A request for a graph: the spec, the target, and how the graph says it.

    `formulation` is `fused` (one attention kernel, for GPUs), `blocked` (query blocks, for CPUs)
    or, when it is made, None for the target's own. Once made, it is the one that is rendered, and
    None where a graph has only one, or leaves the choice to the compiler as the torch dialect does.
    `tile`, one of `allowed_tiles`, takes the place of what irattn's tables say. RenderError for
    what the dialect or formulation cannot say.
    """

    spec: Spec
    target: Target
    formulation: str | None = None
    dialect: str = "linalg"
    tile: TileNumbers | None = None

    def __post_init__(self) -> None:
        has_one = _has_one_formulation(self.spec)
        self._check_words(has_one)
        if self.dialect == "torch":
            self._check_torch()
        elif not has_one:
            object.__setattr__(self, "formulation", self.formulation or self.target.formulation)
        check_sizes(self.spec.compiled)
        if self.target.is_gpu:
            check_activations(self.spec)
            check_experts(self.spec)
            check_scales(self.spec)
        if self.formulation == "fused":
            check_columns(self.spec)
        if self.tile is not None:
            attention_plan(self.spec, self.target, self.layout, self.tile)

    @property
    def layout(self) -> str:
        """The folder of the graph's template."""
        return f"{self.dialect}/{self.formulation}" if self.formulation else self.dialect

    def on(self, target: Target) -> "GraphRequest":
        """The request for another target, but for the sizes of its tile."""
        return replace(self, target=target, tile=None)

    def part(self, spec: Spec) -> "GraphRequest":
        """A part of the graph, said as the whole is."""
        chosen = None if _has_one_formulation(spec) else self.formulation
        return GraphRequest(spec, self.target, chosen, self.dialect)

    def _check_words(self, has_one: bool) -> None:
        if self.formulation not in (None, *FORMULATIONS):
            raise RenderError(
                f"formulation: expected {' or '.join(FORMULATIONS)}, got {shown(self.formulation)}"
            )
        if self.dialect not in DIALECTS:
            raise RenderError(
                f"dialect: expected {' or '.join(DIALECTS)}, got {shown(self.dialect)}"
            )
        if self.formulation and has_one:
            raise RenderError(f"formulation: {self.spec.op} has only one; leave it out")

    def _check_torch(self) -> None:
        if self.formulation:
            raise RenderError(
                "formulation: the torch dialect leaves it to the compiler; leave it out"
            )
        if (self.spec.op, "torch") not in plans():
            raise RenderError(
                f"dialect: torch has no word for {self.spec.op}, so it is rendered in linalg only"
            )
        if field := unsayable(self.spec):
            raise RenderError(
                f"{field}: torch's scaled_dot_product_attention has no word for it; use the linalg "
                "dialect"
            )
        columns = self.spec.inputs[0].largest_shape[-1]
        if columns > MAX_HEAD_DIM:
            raise RenderError(
                f"dialect: torch attention is rendered up to head_dim {MAX_HEAD_DIM}; use the "
                "linalg dialect"
            )
        if not self.target.is_gpu and columns > 128:
            raise RenderError(
                "dialect: for CPUs, the pinned compiler turns torch attention with head_dim above "
                "128 into wrong numbers; use the linalg dialect"
            )


def _has_one_formulation(spec: Spec) -> bool:
    return not any((spec.op, f"linalg/{name}") in plans() for name in FORMULATIONS)
