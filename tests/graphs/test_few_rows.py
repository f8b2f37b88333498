"""Few rows at the level of lanes, as in decode: waves that split or share the keys of a part."""

import numpy as np
import pytest

from irattn import targets
from irattn.binary.inspection import inspect_module
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import build
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.rendering import GraphRequest, allowed_tiles, render
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.plan import plan_attention
from irattn.runtime import load_artifact
from irattn.specs import AttentionSpec, PagedAttentionSpec
from support.affine import number_of
from support.joined import artifact_of

_GFX = ("gfx1100", "gfx1201", "gfx942")
_HEADS = {"num_q_heads": 4, "num_kv_heads": 1, "head_dim": 64}
each_gfx = pytest.mark.parametrize("gfx", _GFX)


def spec_of(**fields) -> AttentionSpec:
    return AttentionSpec(**{**_HEADS, "q_len": 1, "kv_len": 300, "causal": True, **fields})


RAGGED = spec_of(batch=3, q_len=2, ragged=True, return_lse=True)
TWO_QUERIES = spec_of(q_len=2)
DRAFTS = spec_of(
    batch=2, num_q_heads=8, q_len=5, ragged=True, window=(150, None), sinks=True, return_lse=True
)
WIDE = spec_of(q_len=4, head_dim=256)
FEW_PIECES = spec_of(num_q_heads=6, num_kv_heads=2, kv_len=40)
FEW_KEYS = spec_of(kv_len=37)
ALONE = spec_of(kv_len=200)
# 11 parts, which two groups of lanes merge.
AMONG = spec_of(kv_len=1300, batch=2, ragged=True)
TOGETHER = {
    "gfx1100": (RAGGED,),
    "gfx1201": (RAGGED, TWO_QUERIES, DRAFTS),
    "gfx942": (RAGGED, WIDE, FEW_PIECES, FEW_KEYS, ALONE, AMONG),
}


def run(spec: AttentionSpec, gfx: str, inputs: dict[str, np.ndarray]):
    """The outputs, the same whichever wave and workgroup comes first."""
    return called(artifact_of(spec, TOGETHER[gfx], gfx), inputs)


def called(artifact: Artifact, inputs: dict[str, np.ndarray]):
    spec = artifact.spec
    assert plan_attention(spec, targets.get(artifact.target)).own is not None
    return load_artifact(artifact, "emulator-schedules")(**inputs)


def assert_near(found: np.ndarray, expected: np.ndarray) -> None:
    error = np.linalg.norm(found.astype(np.float64) - expected) / np.linalg.norm(expected)
    assert error < 2e-3


def sums_of_group(lanes: LanesPlan, group: int) -> list[int]:
    """The rows of a tile whose sums a group's lanes have."""
    first = group * (1 if lanes.layout.sum_step > 1 else lanes.own)
    return [first + i * lanes.layout.sum_step for i in range(lanes.own)]


@pytest.mark.parametrize("name", [*_GFX, "gfx90a", "sm_89"])
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize("head_dim", [64, 128, 256])
def test_a_wave_reads_what_its_lanes_sum_up(name, dtype, head_dim):
    spec, target = spec_of(head_dim=head_dim, io_dtype=dtype), targets.get(name)
    # What a lane reads follows from the keys of a step alone.
    by_keys = {tile["keys"]: tile for tile in allowed_tiles(GraphRequest(spec, target))}
    assert len(by_keys) > 1
    for tile in by_keys.values():
        text = render(GraphRequest(spec, target, tile=tile))
        assert_lanes_read_theirs(text, plan_attention(spec, target, tile).lanes)


def assert_lanes_read_theirs(text: str, lanes: LanesPlan) -> None:
    keys = [f"key_k{tile}" for tile in lanes.key_tiles]
    rows = [number_of(text, key, t0=0, index=i) for key in keys for i in range(lanes.side)]
    assert sorted(rows) == list(range(lanes.keys))
    for group in range(lanes.groups):
        for key, offsets in zip(keys, lanes.key_offsets, strict=True):
            read = [number_of(text, key, t0=0, index=i) for i in sums_of_group(lanes, group)]
            assert read == [group * lanes.key_group + offset for offset in offsets[0]]
        columns = [number_of(text, "value_column", index=i) for i in sums_of_group(lanes, group)]
        first, tiles = group * lanes.value_columns, len(lanes.value_tiles)
        assert columns == [first + tiles * number for number in range(lanes.own)]


@pytest.mark.parametrize("name", [*_GFX, "gfx90a", "sm_89"])
@pytest.mark.parametrize("head_dim", [64, 128, 256])
def test_lanes_share_what_waves_have_summed_up(name, head_dim):
    spec, target = spec_of(head_dim=head_dim), targets.get(name)
    for tile in allowed_tiles(GraphRequest(spec, target)):
        plan = plan_attention(spec, target, tile)
        assert plan.own.pieces * plan.own.piece == plan.lanes.value_dim
        assert plan.own.rows * plan.own.pieces <= plan.lanes.count


@pytest.mark.slow
@each_gfx
def test_what_lies_past_a_length_is_never_seen(gfx):
    lens = {"q_lens": np.array([2, 1, 0]), "context_lens": np.array([291, 3, 0])}
    inputs = random_tensors(RAGGED, 1) | {n: a.astype(np.int32) for n, a in lens.items()}
    expected, expected_lse = reference(RAGGED, inputs)
    for b, length in enumerate(lens["context_lens"]):
        inputs["key"][b, :, length:] = np.nan
        inputs["value"][b, :, length:] = np.inf
    found, lse = run(RAGGED, gfx, inputs)
    assert_near(found, expected)
    assert not found[1, :, 1:].any()
    assert not found[2].any()
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-5, atol=1e-5)


@pytest.mark.slow
def test_a_nan_spoils_only_the_rows_that_see_it():
    inputs = random_tensors(TWO_QUERIES, 1)
    (expected,) = reference(TWO_QUERIES, inputs)
    inputs["key"][0, 0, -1] = np.nan
    found = run(TWO_QUERIES, "gfx1201", inputs)
    assert np.isnan(found[:, :, 1]).all()
    assert_near(found[:, :, 0], expected[:, :, 0])


@pytest.mark.slow
def test_drafts_of_several_tokens_share_the_keys_of_a_part():
    """40 rows of a group: waves have some each, and the keys of their sequence and window."""
    plan = plan_attention(DRAFTS, targets.get("gfx1201"))
    assert (plan.own, plan.lds is not None, plan.grid.parts) == (None, True, 2)
    lens = {"q_lens": np.array([3, 5]), "context_lens": np.array([291, 130])}
    inputs = random_tensors(DRAFTS, 1) | {n: a.astype(np.int32) for n, a in lens.items()}
    expected, expected_lse = reference(DRAFTS, inputs)
    for b, length in enumerate(lens["context_lens"]):
        inputs["key"][b, :, length:] = np.nan
        inputs["value"][b, :, length:] = np.inf
    artifact = artifact_of(DRAFTS, TOGETHER["gfx1201"], "gfx1201")
    found, lse = load_artifact(artifact, "emulator-schedules")(**inputs)
    assert_near(found, expected)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-5, atol=1e-5)


def test_waves_add_up_in_turns_where_their_sums_do_not_fit():
    """16 rows of heads of 256 fit a workgroup's LDS on CDNA 4, not on CDNA 3."""
    turns = {gfx: plan_attention(WIDE, targets.get(gfx)).own for gfx in ("gfx942", "gfx950")}
    assert {gfx: own.in_turns for gfx, own in turns.items()} == {"gfx942": True, "gfx950": False}
    # There registers would spill.
    for gfx in ("gfx1100", "gfx1201"):
        assert plan_attention(WIDE, targets.get(gfx)).lds is not None
    inputs = random_tensors(WIDE, 1)
    (expected,) = reference(WIDE, inputs)
    assert_near(run(WIDE, "gfx942", inputs), expected)


def test_a_lane_without_a_piece_writes_nothing():
    plan = plan_attention(FEW_PIECES, targets.get("gfx942"))
    assert plan.own.rows * plan.own.pieces < plan.lanes.count
    inputs = random_tensors(FEW_PIECES, 1)
    (expected,) = reference(FEW_PIECES, inputs)
    assert_near(run(FEW_PIECES, "gfx942", inputs), expected)


def test_an_infinite_last_value_is_the_mean():
    """Nothing reads it again in place of keys past the last one."""
    inputs = random_tensors(FEW_KEYS, 1)
    inputs["value"][0, 0, -1] = np.inf
    assert np.isposinf(run(FEW_KEYS, "gfx942", inputs)).all()


@pytest.mark.slow
def test_bits_depend_neither_on_company_nor_on_the_longest():
    lens = {"q_lens": np.array([1, 1], np.int32), "context_lens": np.array([1300, 200], np.int32)}
    inputs = random_tensors(AMONG, 1) | lens
    both = run(AMONG, "gfx942", inputs)
    assert_near(both, reference(AMONG, inputs)[0])
    found = both[1:]
    own = {"query": inputs["query"][1:]}
    own |= {name: inputs[name][1:, :, :200].copy() for name in ("key", "value")}
    assert run(ALONE, "gfx942", own).tobytes() == found.tobytes()


@pytest.mark.slow
def test_pages_of_a_window():
    """With heads of 256, lanes of 32 read their queries again in every step, and spill nothing."""
    pages = {"batch": 2, "block_size": 16, "num_blocks": 48, "max_blocks": 20}
    spec = PagedAttentionSpec(
        **{**_HEADS, **pages, "head_dim": 256, "q_len": 1, "causal": True, "window": (60, None)}
    )
    artifact = build(GraphRequest(spec, targets.get("gfx1100")))
    inputs = random_tensors(spec, 2)
    (expected,) = reference(spec, inputs)
    assert_near(called(artifact, inputs), expected)
    assert inspect_module(artifact.vmfb).kernels[0].vgpr_spills == 0


@pytest.mark.slow
def test_values_wait_where_registers_are_short():
    """Read before the scores are there, they spilled 32 of such a kernel."""
    sizes = {"num_q_heads": 3, "head_dim": 128, "q_len": 2, "batch": 2, "dynamic": ("kv_len",)}
    spec = spec_of(**sizes, alignment="offsets")
    (kernel, *_) = inspect_module(build(GraphRequest(spec, targets.get("gfx1100"))).vmfb).kernels
    assert kernel.vgpr_spills == 0


def test_what_is_no_tile_of_few_rows_stays_on_tensors():
    target = targets.get("gfx1100")
    short = {"num_q_heads": 17, "kv_len": 100}
    for fields in (short, {"num_q_heads": 1, "kv_len": 100}):
        assert plan_attention(spec_of(**fields), target).lanes is None
