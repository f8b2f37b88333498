"""Attention on the dies, banks and matrix instructions of CDNA."""

import re
from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from ml_dtypes import bfloat16

from irattn import targets
from irattn.binary.inspection.module import disassemble_kernels
from irattn.compiling.build import build
from irattn.core.dtypes import dtype
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.lab.profiling import code_objects
from irattn.reference import reference
from irattn.rendering import GraphRequest, render
from irattn.rendering.attention.plan import plan_attention
from irattn.runtime.kernel import Kernel
from irattn.specs import AttentionSpec, PackedPagedAttentionSpec
from irattn.targets.chips import dies_of
from support.affine import number_of
from support.joined import artifact_of

PROMPT = AttentionSpec(
    num_q_heads=32, num_kv_heads=8, head_dim=128, q_len=1024, kv_len=1024, causal=True
)
STEP = PackedPagedAttentionSpec(
    num_q_heads=32, num_kv_heads=8, head_dim=128, batch=4, q_tokens=600, num_blocks=99,
    max_blocks=40, causal=True, dynamic=("batch", "q_tokens", "num_blocks", "max_blocks"),
)  # fmt: skip


def heads_of_dies(spec: AttentionSpec, target: str) -> dict[int, set[int]]:
    """The heads whose workgroups each die takes, in turn."""
    chip, found = targets.get(target), defaultdict(set)
    text, plan = render(GraphRequest(spec, chip)), plan_attention(spec, chip)
    for number in range(plan.grid.heads):
        first = plan.tile_heads * number_of(text, "x", head_number=number)
        found[number % dies_of(target)].update(range(first, first + plan.tile_heads))
    return found


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
@pytest.mark.parametrize("spec", [PROMPT, STEP], ids=["prompt", "step"])
def test_a_die_has_all_tiles_of_the_heads_of_one_group(spec, target):
    dies = heads_of_dies(spec, target)
    for heads in dies.values():
        assert len(heads) == 4
        assert len({head // spec.group_size for head in heads}) == 1
    assert set.union(*dies.values()) == set(range(32))


@pytest.mark.parametrize(("heads", "kv_heads"), [(28, 4), (40, 10), (8, 1), (1, 1)])
def test_every_head_has_workgroups_whatever_the_number_of_dies(heads, kv_heads):
    spec = PROMPT.replace(num_q_heads=heads, num_kv_heads=kv_heads)
    dies = heads_of_dies(spec, "gfx942")
    assert set.union(*dies.values()) == set(range(heads))


# Groups of four heads and of two, in both layouts, whole tiles, cut ones, and of sizes that a call
# chooses.
GROUPED = PROMPT.replace(head_dim=64, q_len=70, kv_len=70)
GROUPS = {
    "of-four": GROUPED.replace(return_lse=True),
    "tokens-first": GROUPED.replace(layout="NHD", return_lse=True),
    "of-two": GROUPED.replace(num_q_heads=16, head_dim=128, q_len=128, kv_len=128),
    "chosen": GROUPED.replace(batch=2, dynamic=("batch", "q_len", "kv_len"), return_lse=True),
}
ON_DIES = {"gfx942": list(GROUPS.values()), "gfx950": list(GROUPS.values())[:3]}


def group_of(value):
    """What tells a group from others, or a target."""
    return value if isinstance(value, str) else next(n for n in GROUPS if GROUPS[n] == value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "spec"),
    [(target, spec) for target in ON_DIES for spec in ON_DIES[target]],
    ids=group_of,
)
def test_waves_have_the_same_rows_of_the_heads_of_a_group(target, spec):
    plan = plan_attention(spec, targets.get(target))
    assert plan.tile_heads == spec.group_size
    assert plan.tile.rows * plan.tile_heads == 4 * plan.lanes.wave_rows
    artifact, inputs = artifact_of(spec, ON_DIES[target], target), random_tensors(spec)
    session = EmulatedSession(artifact, "emulator", ("lockstep", "reverse"))
    found, expected = Kernel(session).outputs(**inputs), reference(spec, inputs)
    for values, exact in zip(found, expected, strict=True):
        error = np.linalg.norm(values.astype(np.float64) - exact) / np.linalg.norm(exact)
        assert error < dtype(spec.io_dtype).tolerance


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_heads_of_a_group_ask_for_each_line_that_they_see_once(target):
    """Queries and outputs once, keys and values up to the last row of each tile, and no more."""
    spec = GROUPS["of-two"]
    artifact = artifact_of(spec, ON_DIES[target], target)
    session = EmulatedSession(artifact, "emulator", measure=True)
    Kernel(session).outputs(**random_tensors(spec))
    (counts,) = session.counts
    rows, keys = 2 * spec.num_q_heads * spec.q_len, 2 * spec.num_kv_heads * (32 + 64 + 96 + 128)
    assert counts.traffic.cache_lines == (rows + keys) * spec.head_dim * 2 // 64


@pytest.mark.parametrize(
    "changed",
    [{"num_q_heads": 8}, {"num_q_heads": 24}, {"causal": False}, {"alibi": True}, {"sinks": True}],
    ids=str,
)
def test_one_head_has_the_rows_of_a_tile_elsewhere(changed):
    assert plan_attention(PROMPT.replace(**changed), targets.get("gfx942")).tile_heads == 1
    assert plan_attention(PROMPT, targets.get("gfx1100")).tile_heads == 1


@pytest.mark.parametrize("target", ["gfx90a", "gfx1100"])
def test_tiles_that_do_not_differ_come_first_where_there_is_one_die(target):
    text = render(GraphRequest(PROMPT.replace(causal=False), targets.get(target)))
    assert re.search(r"scf\.forall \(%b, %x, %i\) in", text)


SMALL = AttentionSpec(
    num_q_heads=2, num_kv_heads=1, head_dim=64, q_len=130, kv_len=130, causal=True
)
CASES = (
    *(SMALL.replace(head_dim=head_dim) for head_dim in (64, 128, 256)),
    SMALL.replace(head_dim=192, value_dim=128),
    SMALL.replace(head_dim=64, window=(40, None)),
    *(SMALL.replace(head_dim=head_dim, q_len=1) for head_dim in (64, 128, 256)),
)


# CDNA 2 has the lanes of CDNA 3, and CDNA 4 most of them: a few cases show that code is as right.
ON_CHIPS = {
    "gfx90a": CASES[1:8:3],
    "gfx942": CASES,
    "gfx950": [CASES[number] for number in (1, 2, 4, 6)],
}
RUNS = [(spec, target) for target, specs in ON_CHIPS.items() for spec in specs]


def named(value):
    """What tells a case from others, or a target."""
    return value if isinstance(value, str) else f"{value.head_dim}-{value.q_len}-{value.window}"


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "target"), RUNS, ids=named)
def test_no_lane_waits_for_a_bank_of_lds(spec, target):
    """The numbers are right besides: what is read is what was written there."""
    assert plan_attention(spec, targets.get(target)).lanes is not None
    rng = np.random.default_rng(2)
    inputs = {t.name: rng.standard_normal(t.shape).astype(np.float16) for t in spec.inputs}
    session = EmulatedSession(artifact_of(spec, ON_CHIPS[target], target), "emulator", measure=True)
    (found,) = Kernel(session).outputs(**inputs)
    (expected,) = reference(spec, inputs)
    error = np.linalg.norm(found.astype(np.float64) - expected) / np.linalg.norm(expected)
    assert error < 2e-3
    traffic = [counts.traffic for counts in session.counts]
    assert sum(t.lds_phases for t in traffic) > 0
    assert sum(t.lds_cycles for t in traffic) == sum(t.lds_phases for t in traffic)
    if plan_attention(spec, targets.get(target)).lanes.pieces:
        # Waves read and write whole lines.
        asked = sum(counts.global_bytes for counts in session.counts)
        assert 64 * sum(t.cache_lines for t in traffic) <= 1.03 * asked


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize("q_len", [1, 1024])
def test_lanes_of_cdna_4_multiply_at_twice_the_depth(dtype, q_len):
    spec = PROMPT.replace(io_dtype=dtype, q_len=q_len)
    text = render(GraphRequest(spec, targets.get("gfx950")))
    assert {*re.findall(r"mma_layout<(\w+)>", text)} == {f"MFMA_F32_16x16x32_{dtype.upper()}"}


def test_keys_and_values_come_right_into_lds_on_cdna_4_where_their_places_are_known():
    """By what is multiplied as it is stored, in memory of a known size, by blocks of whole rows."""
    chip = targets.get("gfx950")
    for head_dim, window in [(64, None), (128, None), (64, (40, None))]:
        assert plan_attention(PROMPT.replace(head_dim=head_dim, window=window), chip).direct
    others = [
        PROMPT.replace(head_dim=256),
        PROMPT.replace(head_dim=192, value_dim=128),
        PROMPT.replace(batch=1 << 12, kv_len=1 << 14),
        PROMPT.replace(dynamic=("kv_len",)),
        STEP,
    ]
    assert not any(plan_attention(spec, chip).direct for spec in others)
    assert not plan_attention(PROMPT, targets.get("gfx942")).direct


@pytest.mark.parametrize("head_dim", [64, 128])
def test_each_key_of_a_step_has_a_place_in_lds_that_lanes_read_it_from(head_dim):
    """Lane after lane of a wave writes 16 bytes; a lane reads those of its key and columns."""
    spec, chip = PROMPT.replace(head_dim=head_dim), targets.get("gfx950")
    plan, text = plan_attention(spec, chip), render(GraphRequest(spec, chip))
    lanes, direct = plan.lanes, plan.direct
    placed = {}
    for lane, (read, start) in product(range(lanes.count), enumerate(direct.block_starts)):
        at = {"lane": lane, "none": 0, "t_next": 0}
        block, place = lane // lanes.wave_size + start, lane % lanes.wave_size * lanes.access
        key = number_of(text, f"key_k{read}", **at)
        placed[block, place] = key, number_of(text, "copied_column", **at)
    assert len({*placed.values()}) == lanes.keys * head_dim // lanes.access
    for group, index in product(range(lanes.groups), range(lanes.side)):
        at = {"group": group, "index": index}
        at["index_here"] = number_of(text, "block_of_index", **at)
        for tile, (chunk, offset) in product(lanes.key_tiles, enumerate(lanes.head_chunks)):
            block = number_of(text, f"key_row{tile}_{chunk}", **at)
            place = number_of(text, f"key_column{chunk}", **at)
            key = lanes.key_group * (index // lanes.own) + lanes.own * tile + index % lanes.own
            assert placed[block, place] == (key, offset + group * lanes.access)


@pytest.mark.parametrize(
    ("target", "changed"),
    [
        ("gfx950", {}),
        ("gfx942", {}),
        ("gfx942", {"head_dim": 64}),
        # Waves have one tile of queries, and nothing but sums beside the last products.
        ("gfx942", {"q_len": 3, "num_kv_heads": 4}),
    ],
    ids=["cdna4", "cdna3", "cdna3-64", "cdna3-few"],
)
@pytest.mark.parametrize("rules", ["plain", "ruled"])
def test_a_step_takes_all_turns_in_an_order_in_which_each_has_what_it_needs(rules, target, changed):
    """What is weighed of a query comes after its scores, and before its values."""
    plan = plan_attention(PROMPT.replace(**changed), targets.get(target))
    order, queries = getattr(plan.turns, rules), plan.lanes.queries
    done: list[object] = []
    for query, turns in zip(queries, order.scores, strict=True):
        for turn in turns:
            done += [("scores", query), *turn.beside]
    done += order.between
    for query, turns in zip(queries, order.values, strict=True):
        for turn in turns:
            done += [("values", query, turn.depth), *turn.beside]
    chunks = len(plan.lanes.head_chunks) * plan.lanes.chunk_steps
    for query in queries:
        own = [n for n, one in enumerate(done) if getattr(one, "query", None) == query]
        steps = [done[n].step for n in own if done[n].step != "sum"]
        scores = [n for n, one in enumerate(done) if one == ("scores", query)]
        asks = ["question"] if target == "gfx942" else []
        weights = ["even", "odd"] if plan.turns.one_by_one else []
        pairs = ["logits", *weights, "pack"] * (plan.lanes.key_count // 2)
        assert steps == ["largest", *asks, "best", *asks, "best", "limit", *pairs]
        assert len(scores) == chunks * len(plan.lanes.key_tiles)
        assert scores[-1] < own[0]
        multiplied = []
        for depth, weights in enumerate(plan.turns.weights[query]):
            multiplied += weights
            first = done.index(("values", query, depth))
            made = [one.pair for one in done[:first] if getattr(one, "step", None) == "pack"]
            assert set(multiplied) <= set(made)
        sums = [done[n].pair for n in own if done[n].step == "sum"]
        assert sums == multiplied == [p for p in plan.lanes.pairs if p.query == query]


@pytest.mark.slow
def test_a_step_on_cdna_4_waits_for_no_load_after_its_barrier():
    """While it multiplies, the next step's keys and values come; no wave places any."""
    # Of so many rows that waves have two tiles of queries.
    (code,) = code_objects(build(GraphRequest(CASES[1].replace(batch=160), targets.get("gfx950"))))
    lines = [line for lines in disassemble_kernels(code).values() for line in lines]
    step = lines[next(n for n, line in enumerate(lines) if "s_barrier" in line) :]
    matrices = [n for n, line in enumerate(step) if "v_mfma" in line]
    step = step[: matrices[23]]
    assert sum(line.endswith(" lds") for line in step) == 4
    assert sum("ds_read_b64_tr_b16" in line for line in step) == 16
    assert not any("ds_write" in line or "vmcnt" in line for line in step)


@pytest.mark.parametrize("rules", ["plain", "ruled"])
@pytest.mark.parametrize("head_dim", [64, 128])
def test_lanes_bring_the_next_step_beside_the_scores_of_the_first_query(rules, head_dim):
    """One part beside a product, once all have read this step's, and only by way of registers."""
    spec = PROMPT.replace(head_dim=head_dim)
    plan = plan_attention(spec, targets.get("gfx942")).turns
    first, *others = getattr(plan, rules).scores
    assert [one for turn in first for one in turn.brings] == plan.brought
    assert max(len(turn.brings) for turn in first) == 1
    assert not any(turn.brings for turns in others for turn in turns)
    parts = ["waits", "keys", *["columns"] * 4, "values", "fetch"]
    assert [one.part for one in plan.brought] == parts
    # Lanes of CDNA 4 have more to do than its matrix units.
    for other in (spec, spec.replace(dynamic=("q_len", "kv_len"))):
        assert plan_attention(other, targets.get("gfx950")).turns.brought == []


@pytest.mark.slow
@pytest.mark.parametrize(("target", "most"), [("gfx950", 2), ("gfx942", 1)])
def test_lanes_make_weights_while_matrices_are_multiplied(target, most):
    """A pair of weights beside a product, or one where there are more products, not all of them
    after the scores.
    """
    # Of so many rows that waves have two tiles of queries.
    spec, chip = CASES[1].replace(batch=160), targets.get(target)
    (code,) = code_objects(build(GraphRequest(spec, chip)))
    text = "\n".join(line for lines in disassemble_kernels(code).values() for line in lines)
    at_once = [len(re.findall("v_exp_f32", part)) for part in text.split("v_mfma")]
    plan = plan_attention(spec, chip)
    assert plan.turns.one_by_one == (most == 1)
    assert at_once.count(most) >= len(plan.lanes.pairs) * 2 // most


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_means_in_bf16_are_rounded_to_the_nearest_and_tell_of_nan(target):
    """Where no instruction rounds, whether a lane has a NaN is asked about all of its numbers."""
    spec = SMALL.replace(io_dtype="bf16", q_len=40, kv_len=36, window=(1, None))
    spec = spec.replace(alignment="top_left")
    inputs = {t.name: np.zeros(t.shape, bfloat16) for t in spec.inputs}
    value = np.random.default_rng(3).uniform(1, 2, inputs["value"].shape).astype(bfloat16)
    value[0, 0, 5, 0] = np.nan
    inputs["value"] = value
    session = EmulatedSession(build(GraphRequest(spec, targets.get(target))), "emulator")
    (found,) = Kernel(session).outputs(**inputs)
    # A query sees its own key and the one before it alike; of the last ones the first sees one key.
    seen = np.pad(value.astype(np.float32), ((0, 0), (0, 0), (1, 4), (0, 0)))
    means = (seen[:, :, 1:] + seen[:, :, :-1]) / np.array([1, *[2] * 35, *[1] * 4])[:, None]
    expected = np.repeat(means.astype(np.float32).astype(bfloat16), 2, axis=1)
    assert np.isnan(found[:, :, 5:7, 0].astype(np.float32)).all()
    # It may spoil what other queries have of its column.
    expected[..., :37, 0] = np.where(np.isnan(found[..., :37, 0]), np.nan, expected[..., :37, 0])
    np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))
