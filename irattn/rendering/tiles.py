"""Tell the tiles of attention's kernels."""

from irattn.rendering.attention.blocked import BlockedPlan
from irattn.rendering.attention.blocked_work import vector_cycles as cycles_of
from irattn.rendering.plans import attention_plan
from irattn.rendering.request import GraphRequest


def tile_numbers(request: GraphRequest) -> dict[str, int]:
    """The tile of a graph by irattn's tables; RenderError if it has none."""
    return attention_plan(request.spec, request.target, request.layout).tile_numbers


def allowed_tiles(request: GraphRequest) -> list[dict[str, int]]:
    """The tiles that may take its place; RenderError for a graph that has none."""
    return attention_plan(request.spec, request.target, request.layout).allowed_tiles


def vector_cycles(request: GraphRequest) -> float:
    """Cycles of a CPU's vector units for a call, counted from the plan: a model's.

    RenderError where there is none.
    """
    plan = attention_plan(request.spec, request.target, request.layout, request.tile)
    assert isinstance(plan, BlockedPlan)
    return cycles_of(plan)
