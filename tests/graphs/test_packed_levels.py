"""The order in which packed causal tiles begin on GPUs of several dies."""

import numpy as np
import pytest

from irattn import targets
from irattn.binary.launches import launch_plan_and_files
from irattn.core.dtypes import dtype
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.emulator import run_plan
from irattn.lab.emulator.machine.writers import Writers
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.rendering.attention import packed_levels
from irattn.rendering.attention.plan import plan_attention
from irattn.runtime.kernel import Kernel
from irattn.specs import PackedAttentionSpec
from support.joined import artifact_of

PROMPTS = PackedAttentionSpec(
    num_q_heads=2, num_kv_heads=1, head_dim=64, batch=3, q_tokens=900, kv_tokens=900, causal=True
)
CASES = {
    "static": PROMPTS.replace(return_lse=True),
    "tensors": PROMPTS.replace(io_dtype="f32"),
    "slopes": PROMPTS.replace(io_dtype="f32", alibi=True, keep_mask="k", sinks=True),
    "functions": PROMPTS.replace(alibi=True, bias="hqk", dropout_p=0.5),
    "dynamic": PROMPTS.replace(dynamic=("q_tokens", "kv_tokens")),
}
LENGTHS = {
    "even": [300, 300, 300],
    "padded": [128, 512, 256],
    "uneven": [130, 500, 200],
    "empty": [0, 700, 0],
    "last": [1, 2, 897],
    "none": [0, 0, 0],
}
# What graphs have besides changes nothing of where tiles begin: each has lengths whose tiles are
# sorted and others that end within one.
CALLS = [
    *(("static", lengths) for lengths in LENGTHS),
    *(("tensors", lengths) for lengths in ("uneven", "empty")),
    *(("slopes", lengths) for lengths in ("padded", "last")),
    *(("functions", lengths) for lengths in ("uneven", "none")),
    *(("dynamic", lengths) for lengths in ("even", "last", "empty")),
]
# Where a sequence ends within a tile, that one sees fewer keys than others of its level.
UNEVEN = ("uneven", "last")
# Too much to be compiled and executed here.
LARGE = PROMPTS.replace(num_q_heads=32, num_kv_heads=8, batch=4, q_tokens=4096, kv_tokens=4096)


@pytest.fixture
def few_workgroups(monkeypatch):
    """Tiles are sorted where they are few, too."""
    monkeypatch.setattr(packed_levels, "_LEAST_OF_UNIT", 0)
    monkeypatch.setattr(packed_levels, "_LEAST_TILES", 0)


@pytest.mark.parametrize(("case", "lengths"), CALLS)
def test_packed_tiles_of_most_keys_of_all_sequences_begin_first(case, lengths, few_workgroups):
    spec = CASES[case]
    artifact, inputs = artifact_of(spec, [*CASES.values()], "gfx942"), random_tensors(spec)
    bounds = np.cumsum([0, *LENGTHS[lengths]], dtype=np.int32)
    inputs["cu_seqlens_q"] = inputs["cu_seqlens_k"] = bounds
    session = EmulatedSession(artifact, "emulator", measure=True)
    found = Kernel(session).outputs(**inputs)
    (counts,) = session.counts
    work = counts.by_workgroup
    matrix = work.instructions["matrix"][np.argsort(work.numbers)]
    assert lengths in UNEVEN or matrix.tolist() == sorted(matrix, reverse=True)
    for values, exact in zip(found, reference(spec, inputs), strict=True):
        seen = np.isfinite(exact)
        assert np.array_equal(values[~seen].astype(np.float64), exact[~seen])
        error = np.linalg.norm(values[seen].astype(np.float64) - exact[seen])
        assert error <= dtype(spec.io_dtype).tolerance * np.linalg.norm(exact[seen])


@pytest.mark.parametrize(
    "bounds", [[-1, 2**31 - 1, -(2**31), 7], [0, 900, 450, 1], [901, 5, 5, 900], [900] * 4]
)
def test_bounds_that_are_junk_lead_nowhere(bounds, few_workgroups, monkeypatch):
    """The emulator stops at an access beyond any tensor."""
    monkeypatch.setattr(Writers, "note", lambda *given: None)
    artifact = artifact_of(PROMPTS, [PROMPTS], "gfx942")
    plan, files = launch_plan_and_files(artifact)
    junk = {f"cu_seqlens_{one}": np.array(bounds, np.int64).astype(np.int32) for one in "qk"}
    everything = dict.fromkeys(range(len(plan.steps)), np.arange)
    run_plan(plan, files, {**random_tensors(PROMPTS), **junk}, some=everything)


def test_bits_are_those_of_the_order_of_sequences(few_workgroups, monkeypatch):
    inputs = random_tensors(PROMPTS)
    sorted_tiles = artifact_of(PROMPTS, [PROMPTS], "gfx942")
    outputs = [Kernel(EmulatedSession(sorted_tiles, "emulator")).outputs(**inputs)]
    monkeypatch.setattr(packed_levels, "_MOST_SEQUENCES", 0)
    in_order = artifact_of(PROMPTS, [PROMPTS, PROMPTS.replace(batch=2)], "gfx942")
    outputs.append(Kernel(EmulatedSession(in_order, "emulator")).outputs(**inputs))
    assert sorted_tiles.mlir != in_order.mlir
    assert outputs[0][0].tobytes() == outputs[1][0].tobytes()


@pytest.mark.parametrize(
    ("spec", "target", "are_sorted"),
    [
        (LARGE, "gfx942", True),
        (LARGE, "gfx950", True),
        (LARGE.replace(dynamic=("q_tokens", "kv_tokens")), "gfx942", True),
        (LARGE.replace(dynamic=("batch",)), "gfx942", False),
        (LARGE.replace(batch=8), "gfx942", True),
        # Each workgroup would count too many, a sequence has few tiles, or there is only one.
        (LARGE.replace(batch=9), "gfx942", False),
        (LARGE.replace(q_tokens=1024), "gfx942", False),
        (LARGE.replace(batch=1), "gfx942", False),
        # Two workgroups of most keys would share a compute unit.
        (LARGE.replace(num_q_heads=8, num_kv_heads=2), "gfx942", False),
        (LARGE.replace(causal=False), "gfx942", False),
        (LARGE.replace(window=(256, 0)), "gfx942", False),
        (LARGE, "gfx90a", False),
        (LARGE, "gfx1100", False),
    ],
)
def test_packed_tiles_are_sorted_where_that_gains(spec, target, are_sorted):
    assert (plan_attention(spec, targets.get(target)).levels is not None) == are_sorted
