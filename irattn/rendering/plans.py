"""Find the plans that give templates their numbers."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Protocol, TypeAlias, TypeGuard

from irattn.core.errors import RenderError
from irattn.specs import Spec
from irattn.targets import Target

# What is chosen of a tile, by name.
TileNumbers: TypeAlias = Mapping[str, int]


class TiledPlan(Protocol):
    """A plan whose tile can be chosen: its numbers as they are, and all that may be."""

    @property
    def spec(self) -> Spec: ...

    @property
    def target(self) -> Target: ...

    @property
    def tile_numbers(self) -> dict[str, int]: ...

    @property
    def allowed_tiles(self) -> list[dict[str, int]]: ...


@cache
def plans() -> dict[tuple[str, str], Callable[..., object]]:
    """The makers of plans, by op and layout of the template.

    `linalg` alone is the layout of a graph that GPUs and CPUs share. Modules of this package list
    theirs as PLANS; a template without a plan reads the spec alone.
    """
    package = __name__.rpartition(".")[0]
    modules = (
        importlib.import_module(f"{package}.{module.name}")
        for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    )
    return {key: plan for module in modules for key, plan in getattr(module, "PLANS", {}).items()}


def attention_plan(
    spec: Spec, target: Target, layout: str, tile: TileNumbers | None = None
) -> TiledPlan:
    """The plan whose tile can be chosen, with `tile` in place of the tables' if it is given.

    RenderError where there is none, and for a tile that is none of its `allowed_tiles`.
    """
    make_plan = plans().get((spec.op, layout))
    plan = make_plan(spec.compiled, target) if make_plan else None
    if make_plan is None or not _is_tiled(plan):
        raise RenderError(
            f"tile: {spec.op} in {layout.partition('/')[0]} has none to choose; graphs of "
            "attention in linalg have"
        )
    if tile is None:
        return plan
    _check_tile(plan, tile)
    tiled = make_plan(spec.compiled, target, dict(tile))
    assert _is_tiled(tiled)
    return tiled


def _is_tiled(plan: object) -> TypeGuard[TiledPlan]:
    return hasattr(type(plan), "allowed_tiles")


def _check_tile(plan: TiledPlan, tile: TileNumbers) -> None:
    own = plan.tile_numbers
    if set(tile) != set(own):
        raise RenderError(f"tile: expected {', '.join(own)}, got {', '.join(tile) or 'nothing'}")
    if tile != own and tile not in plan.allowed_tiles:
        said = ", ".join(f"{name} {value}" for name, value in tile.items())
        raise RenderError(f"tile: {plan.spec.op} for {plan.target.name} cannot be cut into {said}")
