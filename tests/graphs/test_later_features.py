"""A feature of attention that comes later is refused by all that lists what it can say."""

from dataclasses import MISSING, dataclass, fields

import pytest

from irattn import AttentionSpec, PackedPagedAttentionSpec, PagedAttentionSpec, targets
from irattn.core.errors import RenderError, UsageError
from irattn.lab.benchmark import problems
from irattn.rendering import GraphRequest, render, torch
from irattn.rendering.attention import lanes_table
from irattn.rendering.attention.choose import choose
from irattn.rendering.attention.lanes_table import LanesTile
from irattn.rendering.attention.tensor_tile import TensorTile
from irattn.specs import pipeline

HEADS = {"num_q_heads": 8, "num_kv_heads": 2, "head_dim": 64}
LANES_TARGETS = ("gfx1100", "gfx1201", "gfx942", "sm_80")


@dataclass(frozen=True, kw_only=True)
class LaterSpec(AttentionSpec):
    made_up: bool = False


@dataclass(frozen=True, kw_only=True)
class LaterPagedSpec(PagedAttentionSpec):
    made_up: bool = False


LATER = LaterSpec(**HEADS, q_len=64, kv_len=128)
LATER_DECODE = LaterPagedSpec(**HEADS, q_len=1, num_blocks=64, max_blocks=64)


@pytest.mark.parametrize("name", LANES_TARGETS)
@pytest.mark.parametrize("spec", [LATER, LATER_DECODE], ids=["many", "few"])
def test_lanes_are_left_out(spec, name):
    target = targets.get(name)
    assert isinstance(choose(spec, target).tile, LanesTile)
    assert isinstance(choose(spec.replace(made_up=True), target).tile, TensorTile)


def test_the_torch_dialect_refuses():
    def rendered(spec):
        return render(GraphRequest(spec, targets.get("gfx1100"), dialect="torch"))

    assert "scaled_dot_product_attention" in rendered(LATER)
    with pytest.raises(RenderError, match=r"^made_up: torch's scaled_dot_product_attention has no"):
        rendered(LATER.replace(made_up=True))


def test_the_stages_refuse():
    assert pipeline.stages_of(LATER)
    with pytest.raises(UsageError, match=r"^made_up: the stages of attention have no word for it"):
        pipeline.stages_of(LATER.replace(made_up=True))


def test_the_problems_of_the_benchmark_refuse():
    with pytest.raises(problems.NoWayError, match=r"^its attention has no made_up$"):
        problems.problems_of(LATER.replace(made_up=True), {})


@pytest.mark.parametrize("place", [lanes_table, torch, pipeline, problems])
def test_what_is_listed_is_a_feature(place):
    features = {
        field.name
        for spec in (AttentionSpec, PagedAttentionSpec, PackedPagedAttentionSpec)
        for field in fields(spec)
        if field.default is not MISSING
    }
    assert set(place._SAYABLE) <= features
