"""Attention whose steps are written out for lanes: layouts, and the numbers of the machine code."""

import re
from dataclasses import dataclass
from itertools import product

import ml_dtypes
import numpy as np
import pytest

from irattn import targets
from irattn.binary.inspection import inspect_module
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import build
from irattn.core.tensors import TensorType
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.emulator import Counts
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.rendering import GraphRequest, allowed_tiles
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.lds import LdsPlan
from irattn.rendering.attention.plan import plan_attention
from irattn.rendering.render import render
from irattn.runtime import load_artifact
from irattn.runtime.kernel import Kernel
from irattn.specs import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec
from irattn.targets import Target
from support.affine import number_of
from support.emulated import failed_cases
from support.joined import artifact_of

_GFX = ("gfx1100", "gfx1201", "gfx942")
each_target = pytest.mark.parametrize("name", [*_GFX, "gfx90a", "gfx950"])
each_gfx = pytest.mark.parametrize("gfx", _GFX)


def spec_of(**fields) -> AttentionSpec:
    sizes = {"num_q_heads": 2, "num_kv_heads": 1, "q_len": 70, "kv_len": 100, "head_dim": 64}
    return AttentionSpec(**{**sizes, "causal": True, **fields})


NARROW_WINDOW = spec_of(q_len=512, kv_len=512, num_q_heads=1, head_dim=128, window=(255, None))
PACKED = PackedAttentionSpec(
    num_q_heads=1, num_kv_heads=1, head_dim=128, batch=2, q_tokens=512, kv_tokens=512, causal=True
)
RAGGED = spec_of(batch=2, ragged=True)
FEW_KEYS = spec_of(kv_len=20, return_lse=True)
PART_OF_A_TILE = spec_of(q_len=70, kv_len=70, head_dim=128, return_lse=True)
OWN_VALUES = spec_of(
    head_dim=192, value_dim=128, batch=2, ragged=True, softmax_scale=-0.1, return_lse=True
)
# Rows of whole pieces of neighbours, and others.
GIVEN = (
    spec_of(kv_len=96, bias="hqk", keep_mask="bk", return_lse=True),
    spec_of(kv_len=101, bias="k", keep_mask="qk", alibi=True, return_lse=True),
)
# A number for all keys, and rows in which a sequence's keys begin anywhere.
GIVEN_OF_ROWS = (
    spec_of(bias="h", keep_mask="q"),
    PACKED.replace(q_tokens=90, kv_tokens=104, batch=3, keep_mask="hqk", bias="q", num_q_heads=2),
)
WINDOW = spec_of(q_len=200, kv_len=200, window=(20, None))
MANY_KEYS = spec_of(q_len=70, kv_len=200)
PAGES = PagedAttentionSpec(
    num_q_heads=2, num_kv_heads=1, head_dim=64, block_size=4, num_blocks=31, max_blocks=30,
    q_len=70, causal=True, window=(9, None),
)  # fmt: skip
CAPPED = spec_of(batch=2, ragged=True, logits_soft_cap=20.0, sinks=True, return_lse=True)
SPECS = (
    *(PACKED, RAGGED, FEW_KEYS, PART_OF_A_TILE, WINDOW, MANY_KEYS, OWN_VALUES),
    *(*GIVEN, *GIVEN_OF_ROWS),
)
TOGETHER = {
    "gfx1100": (*SPECS, NARROW_WINDOW, CAPPED),
    "gfx1201": (*SPECS, NARROW_WINDOW, PAGES.replace(q_len=3), CAPPED.replace(q_len=1, kv_len=300)),
    "gfx942": (*SPECS, NARROW_WINDOW, PAGES, CAPPED.replace(q_len=5)),
}


def inputs_of(
    spec: AttentionSpec | PackedAttentionSpec | PagedAttentionSpec,
) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)

    def drawn(tensor: TensorType) -> np.ndarray:
        return rng.standard_normal(tensor.shape).astype(np.float16)

    return {t.name: drawn(t) for t in spec.inputs if t.dtype == "f16"}


def run(spec: AttentionSpec, gfx: str, inputs: dict[str, np.ndarray]):
    return called(compiled(spec, gfx), inputs)


def compiled(spec: AttentionSpec | PackedAttentionSpec | PagedAttentionSpec, gfx: str) -> Artifact:
    return artifact_of(spec, TOGETHER[gfx], gfx)


def called(artifact: Artifact, inputs: dict[str, np.ndarray]):
    assert plan_attention(artifact.spec, targets.get(artifact.target)).lanes is not None
    return load_artifact(artifact, "emulator")(**inputs)


def assert_near(found: np.ndarray, expected: np.ndarray) -> None:
    error = np.linalg.norm(found.astype(np.float64) - expected) / np.linalg.norm(expected)
    assert error < 2e-3


@dataclass(frozen=True)
class Written:
    """A rendered prompt's graph, and the lanes that it is written out for."""

    text: str
    lanes: LanesPlan
    lds: LdsPlan

    @classmethod
    def of(cls, spec: AttentionSpec | PagedAttentionSpec, target: Target, **tile: int) -> "Written":
        request = GraphRequest(spec, target, tile=tile or None)
        plan = plan_attention(spec, target, tile or None)
        assert plan.lds is not None
        return cls(render(request), plan.lanes, plan.lds)

    def by_lane(self, name: str) -> list[int]:
        """A value in each lane."""
        lanes = range(self.lanes.count)
        return [number_of(self.text, name, lane=lane, none=0) for lane in lanes]


def rows_of_keys(written: Written) -> dict[int, int]:
    """Where in LDS the lanes place each key."""
    rows: dict[int, int] = {}
    for read in written.lds.key_reads:
        keys = written.by_lane(f"key_of_lane{read}")
        rows |= zip(keys, written.by_lane(f"key_lds_row{read}"), strict=True)
    return rows


def rows_of_columns(written: Written) -> dict[int, int]:
    """Where in LDS the lanes place each value column."""
    rows: dict[int, int] = {}
    for i in range(written.lanes.access):
        columns = [first + i for first in written.by_lane("value_column")]
        rows |= zip(columns, written.by_lane(f"value_lds_row{i}"), strict=True)
    return rows


def places_of_group(written: Written, group: int, rows: list[str]) -> list[int]:
    """The rows of a product that one group's lanes get, tile by tile, by the values' names."""
    lanes = written.lanes
    step = lanes.layout.sum_step
    first = group * (1 if step > 1 else lanes.own)
    indices = [first + i * step for i in range(lanes.own)]
    return [number_of(written.text, row, index=index) for row in rows for index in indices]


@pytest.mark.slow
@each_target
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize("head_dim", [64, 128, 192, 256])
def test_a_lane_gets_the_keys_and_columns_that_lds_has_for_it(name, dtype, head_dim):
    heads = {"head_dim": head_dim, "value_dim": 128 if head_dim == 192 else None}
    spec, target = spec_of(**heads, io_dtype=dtype), targets.get(name)
    plan = plan_attention(spec, target)
    if plan.lanes is None:
        pytest.skip("not written out")
    # `test_cdna.py` tests where lanes find what instructions bring right into LDS.
    if not plan.direct:
        assert_lanes_get_theirs(Written.of(spec, target))
    paged = Written.of(PAGES.replace(**heads, io_dtype=dtype), target)
    assert_lanes_get_theirs(paged)


@pytest.mark.parametrize("name", _GFX)
def test_so_does_one_of_every_step_that_may_be_chosen(name):
    """Where something lies follows from the keys of a step alone: few waves show it."""
    target = targets.get(name)
    allowed = allowed_tiles(GraphRequest(spec_of(), target))
    by_keys = {numbers["keys"]: numbers for numbers in allowed[::-1]}
    assert len(by_keys) > 2
    for numbers in by_keys.values():
        assert_lanes_get_theirs(Written.of(spec_of(), target, **numbers))


def assert_lanes_get_theirs(written: Written) -> None:
    lanes = written.lanes
    keys, columns = rows_of_keys(written), rows_of_columns(written)
    key_rows = [f"key_row{tile}_0" for tile in lanes.key_tiles]
    value_rows = [f"value_row{tile}" for tile in lanes.value_tiles]
    assert sorted(keys.values()) == sorted(keys) == list(range(lanes.keys))
    assert sorted(columns) == list(range(lanes.value_dim))
    apart = written.lds.group_rows or lanes.value_columns
    rows = [group * apart + i for group in range(lanes.groups) for i in range(lanes.value_columns)]
    assert sorted(columns.values()) == rows
    offsets = [offset for of_tile in lanes.key_offsets for offset in of_tile[0]]
    for group in range(lanes.groups):
        own = [group * lanes.key_group + offset for offset in offsets]
        assert [keys[key] for key in own] == places_of_group(written, group, key_rows)
        own = columns_of_group(written, group)
        assert [columns[c] for c in own] == places_of_group(written, group, value_rows)
    assert_groups_multiply_values_of_their_keys(written)


def columns_of_group(written: Written, group: int) -> list[int]:
    """The columns that a group sums up, and writes: neighbours, or an access of each group."""
    lanes, first = written.lanes, number_of(written.text, "output_column", group=group)
    size = lanes.access if lanes.pieces else lanes.value_columns
    starts = range(first, lanes.value_dim, size * lanes.groups)
    return [start + i for start in starts for i in range(size)]


def assert_groups_multiply_values_of_their_keys(written: Written) -> None:
    """Where in an LDS row of values the lanes place each key is where its group reads it."""
    lanes, lds = written.lanes, written.lds
    firsts = [lane % lds.blocks * lds.block for lane in range(lanes.count)]
    starts = dict(zip(firsts, written.by_lane("value_lds_column"), strict=True))
    places = {first + i: start + i for first, start in starts.items() for i in range(lds.block)}
    assert sorted(places) == sorted(places.values()) == list(range(lanes.keys))
    names = [f"value_key{piece}" for piece in range(len(lds.value_pieces))]
    for group in range(lanes.groups):
        pieces = [number_of(written.text, name, group=group) for name in names]
        read = [start + i for start in pieces for i in range(lds.value_piece)]
        first = 0 if lanes.repeats else group * lanes.value_keys
        assert [places[first + i] for i in range(lanes.value_keys)] == read


NARROW = product([*_GFX, "gfx90a", "gfx950", "gfx1151"], [64, 128])
WIDE = product(["gfx1100", "gfx1151", "gfx1201"], [256])


@pytest.mark.parametrize(("name", "head_dim"), [*NARROW, *WIDE])
def test_the_lds_of_prompts_leaves_room_for_two_waves_on_each_simd(name, head_dim):
    """One alone has nobody to work while it waits."""
    target = targets.get(name)
    plan = plan_attention(spec_of(head_dim=head_dim), target)
    workgroups = target.simd.lds_bytes // (plan.direct or plan.lds).bytes
    assert workgroups * plan.lanes.waves >= 2 * target.simd.simds


def executed(artifact: Artifact, inputs: dict[str, np.ndarray]) -> list[Counts]:
    """What the emulator executes of a call, launch by launch."""
    session = EmulatedSession(artifact, "emulator", measure=True)
    Kernel(session).outputs(**inputs)
    return session.counts


def multiplied(artifact: Artifact, inputs: dict[str, np.ndarray]) -> float:
    """Matrix FLOPs that the emulator executes."""
    return sum(counts.matrix_flops for counts in executed(artifact, inputs))


@pytest.mark.slow
@pytest.mark.parametrize(("gfx", "most"), [("gfx1100", 5.2), ("gfx1201", 4.0)])
def test_lanes_that_multiply_matrices_do_little_else(gfx, most):
    """Vector instructions take time from matrix products on RDNA."""
    artifact = compiled(NARROW_WINDOW, gfx)
    (counts,) = executed(artifact, inputs_of(NARROW_WINDOW))
    assert counts.instructions["vector"] < most * counts.instructions["matrix"]


@pytest.mark.slow
@pytest.mark.parametrize("gfx", ["gfx1100", "gfx942"])
def test_two_tiles_of_queries_share_what_is_read_of_lds(gfx):
    """With the same bits as one tile: which of both prompts have depends on their length."""
    spec, target = spec_of(q_len=150, kv_len=150, head_dim=128), targets.get(gfx)
    one, two = (
        build(GraphRequest(spec, target, tile={"waves": 4, "keys": 32, "query_tiles": tiles}))
        for tiles in (1, 2)
    )
    inputs = inputs_of(spec)
    found = load_artifact(two, "emulator")(**inputs)
    assert_near(found, reference(spec, inputs)[0])
    assert np.array_equal(found, load_artifact(one, "emulator")(**inputs))
    (counts,) = executed(two, inputs)
    assert counts.instructions["lds"] < 2 * counts.instructions["matrix"]
    (kernel,) = inspect_module(two.vmfb).kernels
    assert kernel.vgpr_spills == 0


@pytest.mark.parametrize(
    ("heads", "fields", "tiles"),
    [
        (8, {}, 1),
        (16, {}, 2),
        (16, {"causal": False}, 1),
        (16, {"window": (1023, None)}, 1),
        (32, {"causal": False}, 2),
    ],
)
def test_prompts_of_many_rows_have_two_tiles_of_queries_on_rdna_3(heads, fields, tiles):
    spec = spec_of(num_q_heads=heads, head_dim=128, q_len=2048, kv_len=2048, **fields)
    lanes = plan_attention(spec, targets.get("gfx1100")).lanes
    assert lanes is not None
    assert lanes.query_tiles == tiles


@pytest.mark.parametrize(
    ("spec", "heads_first"),
    [
        (spec_of(), True),
        (spec_of(io_dtype="f32"), True),
        (spec_of(window=(20, None)), True),
        (spec_of(causal=False), False),
        # Tiles of queries of all heads of a group, and parts of keys.
        (spec_of(q_len=1), False),
        (spec_of(q_len=4, kv_len=2000), False),
    ],
)
@pytest.mark.parametrize("gfx", ["gfx1100", "gfx1201", "gfx90a"])
def test_causal_tiles_of_all_heads_come_before_those_of_fewer_keys(spec, heads_first, gfx):
    assert plan_attention(spec, targets.get(gfx)).heads_first == heads_first


@pytest.mark.parametrize("gfx", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("columns", [128, 256])
@pytest.mark.parametrize(
    ("fields", "tiles", "heads"),
    [
        ({"q_len": 512, "causal": False}, 1, 1),
        ({"q_len": 513, "causal": False}, 2, 1),
        ({"q_len": 512}, 1, 4),
        ({"q_len": 256, "batch": 6}, 2, 4),
        ({"q_len": 1024, "num_q_heads": 16, "num_kv_heads": 4}, 1, 2),
        ({"q_len": 1024, "num_q_heads": 8, "num_kv_heads": 2}, 1, 1),
        ({"q_len": 2048, "num_q_heads": 8, "num_kv_heads": 2}, 2, 1),
        ({"q_len": 256, "dynamic": ("q_len",)}, 2, 4),
        ({"q_len": 64, "alibi": True}, 2, 1),
    ],
)
def test_short_prompts_have_one_tile_of_queries_on_mfma(fields, tiles, heads, gfx, columns):
    """Also where waves have rows of several heads, on chips of several dies."""
    spec = spec_of(num_q_heads=32, num_kv_heads=8, head_dim=columns, kv_len=512)
    lanes = plan_attention(spec.replace(**fields), targets.get(gfx)).lanes
    assert lanes is not None
    assert lanes.query_tiles == tiles
    assert lanes.heads == (1 if gfx == "gfx90a" else heads)


@pytest.mark.parametrize(
    ("q_len", "columns", "tiles"), [(1024, 128, 1), (1024, 256, 1), (1056, 128, 2)]
)
def test_causal_prompts_of_more_rows_have_one_tile_of_queries_too(q_len, columns, tiles):
    spec = spec_of(num_q_heads=32, num_kv_heads=8, head_dim=columns, q_len=q_len, kv_len=q_len)
    lanes = plan_attention(spec, targets.get("gfx942")).lanes
    assert lanes is not None
    assert lanes.query_tiles == tiles


@pytest.mark.slow
@pytest.mark.parametrize("gfx", ["gfx1100", "gfx942"])
def test_little_is_multiplied_that_a_narrow_window_hides(gfx):
    artifact = compiled(NARROW_WINDOW, gfx)
    assert multiplied(artifact, inputs_of(NARROW_WINDOW)) < 1.2 * NARROW_WINDOW.least_flops


@pytest.mark.slow
@each_gfx
def test_little_is_multiplied_that_packed_sequences_hide(gfx):
    bounds = np.array([0, 256, 512], np.int32)
    inputs = {**inputs_of(PACKED), "cu_seqlens_q": bounds, "cu_seqlens_k": bounds}
    assert multiplied(compiled(PACKED, gfx), inputs) < 1.2 * PACKED.least_flops


OF_BF16 = {
    head_dim: spec_of(io_dtype="bf16", head_dim=head_dim, logits_soft_cap=20.0, sinks=True)
    for head_dim in (64, 256)
}


@pytest.mark.slow
@pytest.mark.parametrize("head_dim", OF_BF16)
def test_nvidia_multiplies_bf16(head_dim):
    spec = OF_BF16[head_dim]
    target = targets.get("sm_89")
    text = render(GraphRequest(spec, target))
    assert artifact_of(spec, OF_BF16.values(), target.name).vmfb
    assert "NV_MMA_SYNC_F32_16x8x16_BF16" in text
    for query in plan_attention(spec, target).lanes.queries:
        assert re.search(rf"arith.ori %\w+, %grows{query} ", text), "brings no sum down"


@pytest.mark.slow
@each_gfx
def test_a_nan_spoils_only_the_rows_that_see_it(gfx):
    inputs = inputs_of(MANY_KEYS)
    (expected,) = reference(MANY_KEYS, inputs)
    poisoned = {name: array.copy() for name, array in inputs.items()}
    poisoned["key"][0, 0, 190] = np.nan
    found = run(MANY_KEYS, gfx, poisoned)
    # Query i stands at i + 130.
    assert np.isnan(found[:, :, 60:]).all()
    assert_near(found[:, :, :60], expected[:, :, :60])


@pytest.mark.slow
@each_gfx
def test_what_lies_past_a_length_is_never_seen(gfx):
    lens = {"q_lens": np.array([70, 3], np.int32), "context_lens": np.array([75, 3], np.int32)}
    inputs = {**inputs_of(RAGGED), **lens}
    (expected,) = reference(RAGGED, inputs)
    for b, length in enumerate(lens["context_lens"]):
        inputs["key"][b, :, length:] = np.nan
        inputs["value"][b, :, length:] = np.inf
    found = run(RAGGED, gfx, inputs)
    assert_near(found, expected)
    assert not found[1, :, 3:].any()


@pytest.mark.slow
@each_gfx
def test_values_of_their_own_and_a_negative_scale(gfx):
    """The largest logit is that of the smallest score."""
    lens = {"q_lens": np.array([70, 3], np.int32), "context_lens": np.array([75, 3], np.int32)}
    inputs = {**inputs_of(OWN_VALUES), **lens}
    expected, expected_lse = reference(OWN_VALUES, inputs)
    inputs["key"][0, :, 75:] = np.nan
    found, lse = run(OWN_VALUES, gfx, inputs)
    assert_near(found, expected)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-5, atol=1e-5)


@pytest.mark.slow
@each_gfx
@pytest.mark.parametrize("spec", GIVEN, ids=["whole", "odd"])
def test_what_rules_are_given_hides_keys_whatever_they_are(spec, gfx):
    inputs = random_tensors(spec)
    inputs["bias"][..., 7], inputs["keep_mask"][..., 40:45] = -np.inf, False
    expected, expected_lse = reference(spec, inputs)
    inputs["key"][:, :, 7] = np.nan
    inputs["key"][:, :, 40:45] = np.inf
    found, lse = run(spec, gfx, inputs)
    assert_near(found, expected)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-5, atol=1e-5)


@pytest.mark.slow
@each_gfx
@pytest.mark.parametrize("spec", GIVEN_OF_ROWS, ids=["padded", "packed"])
def test_what_rules_are_given_of_rows_and_packed_keys_meets_the_reference(spec, gfx):
    assert plan_attention(spec, targets.get(gfx)).lanes
    assert failed_cases(compiled(spec, gfx)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("gfx", "io_dtype"), [("gfx1100", "f16"), ("gfx1201", "bf16")])
def test_a_bias_hides_keys_whose_scores_are_no_numbers(gfx, io_dtype):
    """Only weights that became NaN are asked about; what is seen stays NaN."""
    spec = spec_of(kv_len=96, head_dim=128, bias="hqk", alibi=True, io_dtype=io_dtype)
    plan = plan_attention(spec, targets.get(gfx))
    assert plan.mends_weights
    assert plan.adds_to_slopes is (io_dtype == "f16")
    inputs = random_tensors(spec)
    inputs["bias"][..., 7] = inputs["bias"][..., 40:45] = -np.inf
    inputs["bias"][..., 80] = 0
    (expected,) = reference(spec, inputs)
    inputs["key"][:, :, 7], inputs["key"][:, :, 40:45] = np.nan, np.inf
    inputs["key"][:, :, 80] = np.nan
    (found,) = called(build(GraphRequest(spec, targets.get(gfx))), inputs)
    found = found.reshape(expected.shape).astype(np.float64)
    first_that_sees = 80 - (96 - 70)
    assert np.isnan(found[:, :, first_that_sees:]).all()
    found, expected = found[:, :, :first_that_sees], expected[:, :, :first_that_sees]
    np.testing.assert_allclose(found, expected, atol=0.03)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gfx", "q_len", "kv_len"), [("gfx1100", 70, 100), ("gfx950", 70, 100), ("gfx1201", 4, 600)]
)
def test_a_bias_in_bf16_may_be_the_lowest_number(gfx, q_len, kv_len):
    """Times log2(e) it would be none: of a row of such biases keys count alike."""
    spec = spec_of(
        **{"num_q_heads": 1, "q_len": q_len, "kv_len": kv_len, "causal": False},
        **{"bias": "qk", "io_dtype": "bf16", "return_lse": True},
    )
    assert plan_attention(spec, targets.get(gfx)).lanes
    inputs, low = random_tensors(spec), ml_dtypes.finfo(ml_dtypes.bfloat16).min
    bias = inputs["bias"].reshape(q_len, kv_len)
    bias[:3], bias[1, 5:], bias[2, 3], bias[3, 7] = low, -np.inf, -1e38, -np.inf
    bias[:, 9] = -np.inf
    expected, expected_lse = reference(spec, inputs)
    inputs["key"][:, :, 9] = np.nan
    found, lse = called(build(GraphRequest(spec, targets.get(gfx))), inputs)
    np.testing.assert_allclose(found.astype(np.float64), expected, atol=0.03)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-5, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("q_len", "gfx"), [(3, "gfx1201"), (70, "gfx942")])
def test_pages_before_a_window_are_no_ones(q_len, gfx):
    """Entries that name no block are read as block 0, which may hold anything."""
    spec = PAGES.replace(q_len=q_len)
    table, length = np.arange(1, 31, dtype=np.int32)[None], 107
    inputs = {**inputs_of(spec), "block_table": table, "context_lens": np.array([length], np.int32)}
    (expected,) = reference(spec, inputs)
    table[:, : (length - q_len - 9) // 4] = -1
    inputs["key_cache"][0] = inputs["value_cache"][0] = np.nan
    assert_near(load_artifact(compiled(spec, gfx), "emulator")(**inputs), expected)


@pytest.mark.slow
@each_gfx
def test_rows_that_see_nothing_are_zeros(gfx):
    inputs = inputs_of(FEW_KEYS)
    expected, expected_lse = reference(FEW_KEYS, inputs)
    found, lse = run(FEW_KEYS, gfx, inputs)
    assert not found[:, :, :50].any()
    assert np.isneginf(lse[:, :, :50]).all()
    assert_near(found, expected)
    np.testing.assert_allclose(lse[:, :, 50:], expected_lse[:, :, 50:], rtol=1e-5, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("gfx", ["gfx1100", "gfx1201"])
def test_a_tile_writes_no_row_of_the_next_head(gfx):
    """Whichever is written last: the orders of the emulator give the same numbers."""
    inputs = inputs_of(PART_OF_A_TILE)
    expected, _ = reference(PART_OF_A_TILE, inputs)
    artifact = compiled(PART_OF_A_TILE, gfx)
    found, _ = load_artifact(artifact, "emulator-schedules")(**inputs)
    assert_near(found, expected)


@pytest.mark.slow
@each_gfx
def test_a_window_skips_what_none_of_its_rows_sees(gfx):
    inputs = inputs_of(WINDOW)
    (expected,) = reference(WINDOW, inputs)
    assert_near(run(WINDOW, gfx, inputs), expected)


@pytest.mark.slow
def test_a_window_of_wide_heads_spills_no_registers():
    """Addresses for three loops did, on RDNA 4: all steps are masked there."""
    spec = spec_of(head_dim=256, window=(40, None))
    behind = spec.replace(window=(1023, None), q_len=512, kv_len=4096)
    artifacts = [build(GraphRequest(one, targets.get("gfx1201"))) for one in (spec, behind)]
    for artifact in artifacts:
        (kernel,) = inspect_module(artifact.vmfb).kernels
        assert kernel.vgpr_spills == 0
    inputs = inputs_of(spec)
    (expected,) = reference(spec, inputs)
    assert_near(called(artifacts[0], inputs), expected)


@pytest.mark.slow
def test_a_window_of_packed_sequences_spills_no_registers():
    """Two tiles of queries did, with heads of 64 on RDNA 3."""
    spec = PACKED.replace(head_dim=64, window=(20, 0), io_dtype="bf16", q_tokens=200, kv_tokens=200)
    artifact = build(GraphRequest(spec, targets.get("gfx1100")))
    (kernel,) = inspect_module(artifact.vmfb).kernels
    assert kernel.vgpr_spills == 0
    inputs = random_tensors(spec)
    expected = reference(spec, inputs)[0]
    session = EmulatedSession(artifact, "emulator", ("lockstep", "reverse"))
    found = Kernel(session).outputs(**inputs)[0].astype(np.float64)
    assert np.linalg.norm(found - expected) / np.linalg.norm(expected) < 5e-3


@pytest.mark.slow
def test_queries_of_wide_heads_are_read_again_where_operands_are_held_twice():
    """Sums and queries would take all registers on RDNA 3: some of the queries stay in LDS."""
    spec = RAGGED.replace(head_dim=256, num_q_heads=1, return_lse=True)
    target = targets.get("gfx1100")
    artifact, plan = build(GraphRequest(spec, target)), plan_attention(spec, target)
    assert plan.lanes.waves > 1
    assert 0 < plan.lanes.kept_columns < plan.lanes.head_columns
    (kernel,) = inspect_module(artifact.vmfb).kernels
    assert kernel.vgpr_spills == 0
    assert kernel.lds_bytes == plan.lds.bytes
    lens = {"q_lens": np.array([70, 20], np.int32), "context_lens": np.array([99, 31], np.int32)}
    inputs = {**inputs_of(spec), **lens}
    expected, expected_lse = reference(spec, inputs)
    found, lse = called(artifact, inputs)
    assert_near(found, expected)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-5, atol=1e-5)


@pytest.mark.slow
@each_gfx
def test_growing_logits_are_brought_down(gfx):
    inputs = inputs_of(MANY_KEYS)
    inputs["key"] *= np.linspace(1, 40, 200, dtype=np.float16)[:, None]
    (expected,) = reference(MANY_KEYS, inputs)
    assert_near(run(MANY_KEYS, gfx, inputs), expected)


@pytest.mark.slow
def test_workgroups_of_sizes_that_the_call_chooses():
    """The compiler's own loop over them spilled scalar registers, and read what nobody wrote."""
    spec = spec_of(q_len=300, head_dim=128, batch=2, dynamic=("q_len",))
    artifact = build(GraphRequest(spec, targets.get("gfx942")))
    (kernel,) = inspect_module(artifact.vmfb).kernels
    assert kernel.sgpr_spills == 0
    inputs = inputs_of(spec.replace(q_len=130, dynamic=()))
    (expected,) = reference(spec, inputs)
    assert_near(called(artifact, inputs), expected)


@pytest.mark.slow
@pytest.mark.parametrize(("q_len", "gfx"), [(1, "gfx1201"), (5, "gfx942"), (70, "gfx1100")])
def test_capped_scores_with_sinks(q_len, gfx):
    """Few rows of a whole group, in parts and not, and many: sequences of lengths of their own."""
    spec = CAPPED.replace(q_len=q_len, kv_len=300 if q_len == 1 else 100)
    lens = {"q_lens": np.array([q_len, 1], np.int32), "context_lens": np.array([75, 1], np.int32)}
    sinks = {"sinks": np.array([-2.0, 300.0], np.float32)}
    inputs = {**inputs_of(spec), **lens, **sinks}
    # Some scores reach the ends of the cap, others are so small that the cap changes nothing.
    inputs["query"] *= np.array([8, 0.01], np.float16)[:, None, None, None]
    expected, expected_lse = reference(spec, inputs)
    for b, length in enumerate(lens["context_lens"]):
        inputs["key"][b, :, length:] = np.nan
        inputs["value"][b, :, length:] = np.nan
    found, lse = run(spec, gfx, inputs)
    assert_near(found, expected)
    np.testing.assert_allclose(lse[0], expected_lse[0], rtol=1e-5, atol=2e-5)
    np.testing.assert_allclose(lse[1], expected_lse[1], rtol=3e-6)
    # A row without a query has nothing but the sink.
    assert not found[1, :, 1:].any()
    np.testing.assert_array_equal(lse[1, :, 1:].T, np.tile(sinks["sinks"], (q_len - 1, 1)))


def test_features_stay_on_tensors():
    for target, fields in (
        ("gfx1100", {"value_dim": 256}),
        ("sm_80", {"keep_mask": "bq"}),
    ):
        assert plan_attention(spec_of(**fields), targets.get(target)).lanes is None
