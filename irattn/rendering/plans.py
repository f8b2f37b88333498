"""What gives templates their numbers."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

from irattn.core.errors import RenderError
from irattn.rendering.attention_plan import AttentionPlan
from irattn.specs import Spec
from irattn.targets import Target

# What is chosen of a tile, by name.
TileNumbers: TypeAlias = Mapping[str, int]


@cache
def plans() -> dict[tuple[str, str], Callable[[Spec, Target], object]]:
    """What makes a plan, by op and layout of the template.

    `linalg` alone is the layout of a graph that GPUs and CPUs share. Modules of this package list
    theirs as PLANS; a template without a plan reads the spec alone.
    """
    package = __name__.rpartition(".")[0]
    modules = (
        importlib.import_module(f"{package}.{module.name}")
        for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    )
    return {key: plan for module in modules for key, plan in getattr(module, "PLANS", {}).items()}


def attention_plan(spec: Spec, target: Target, layout: str) -> AttentionPlan:
    """The plan whose tile can be chosen; RenderError where there is none."""
    make_plan = plans().get((spec.op, layout))
    plan = make_plan(spec.compiled, target) if make_plan else None
    if not isinstance(plan, AttentionPlan):
        raise RenderError(
            f"tile: {spec.op} in {layout.partition('/')[0]} has none to choose; graphs of "
            "attention in linalg have"
        )
    return plan


def with_tile(plan: AttentionPlan, tile: TileNumbers) -> AttentionPlan:
    """A plan with the numbers of one of its `allowed_tiles`; RenderError for others."""
    own = plan.tile_numbers
    if set(tile) != set(own):
        raise RenderError(f"tile: expected {', '.join(own)}, got {', '.join(tile) or 'nothing'}")
    if tile != own and tile not in plan.allowed_tiles:
        said = ", ".join(f"{name} {value}" for name, value in tile.items())
        raise RenderError(f"tile: {plan.spec.op} for {plan.target.name} cannot be cut into {said}")
    return replace(plan, chosen=dict(tile))
