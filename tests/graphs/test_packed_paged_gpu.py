"""Packed queries over pages on GPUs: machine code executed, in mixes of prompts and decodes."""

import numpy as np
import pytest

from irattn import PackedPagedAttentionSpec, PackedPagedUpdateAttentionSpec
from irattn.lab.certificates.hidden import alone, hidden_places, places_of, poisoned
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import measured, strain
from irattn.reference import reference
from irattn.runtime import Kernel, load_artifact
from support.joined import artifact_of
from support.mixes import with_lengths

pytestmark = pytest.mark.slow

SIZES = {"num_q_heads": 6, "num_kv_heads": 2, "batch": 4, "q_tokens": 40, "block_size": 4}
PAGES = {"num_blocks": 90, "max_blocks": 20}
OF_A_CALL = ("batch", "q_tokens", "num_blocks", "max_blocks")
LANES = PackedPagedAttentionSpec(
    **SIZES, **PAGES, head_dim=64, io_dtype="f16", dynamic=OF_A_CALL, return_lse=True
)
WINDOW = LANES.replace(window=(9, None), sinks=True, layout="NHD", io_dtype="bf16", dynamic=())
TILES = PackedPagedUpdateAttentionSpec(
    **SIZES, **PAGES, head_dim=24, io_dtype="f32", alibi=True, bias="hk", keep_mask="q"
)
JOINT = LANES.replace(joint_cache=True, dynamic=(), return_lse=False)
JOINT_UPDATE = PackedPagedUpdateAttentionSpec(
    **{name: getattr(JOINT, name) for name in (*SIZES, *PAGES, "head_dim", "io_dtype")},
    joint_cache=True,
)
# Of more than 32 parts, so that parts grow.
LONG = PackedPagedAttentionSpec(
    num_q_heads=2, num_kv_heads=1, head_dim=64, io_dtype="f16", batch=2, q_tokens=3,
    block_size=64, num_blocks=146, max_blocks=146,
)  # fmt: skip
# Tiles of rows that waves share keys for, in two parts.
DRAFTS = PackedPagedAttentionSpec(
    num_q_heads=2, num_kv_heads=1, head_dim=64, io_dtype="f16", batch=3, q_tokens=30, block_size=8,
    num_blocks=60, max_blocks=20, few_queries=16, dynamic=OF_A_CALL, return_lse=True,
)  # fmt: skip
SPECS = {
    "lanes": LANES,
    "window": WINDOW,
    "tiles": TILES,
    "joint": JOINT,
    "joint tiles": JOINT.replace(head_dim=24, layout="NHD"),
    "joint update": JOINT_UPDATE,
    "joint update NHD": JOINT_UPDATE.replace(layout="NHD", dynamic=OF_A_CALL),
}
# Lanes of each kind of chip; what stands in memory otherwise, on one of them.
ON_CHIPS = {
    "gfx1100": ("lanes", "window", "joint tiles", "joint update"),
    "gfx1201": ("lanes", "joint", "joint update NHD"),
    "gfx942": ("lanes", "tiles"),
}
RUNS = [(name, chip) for chip, names in ON_CHIPS.items() for name in names]

# Queries of each sequence: none, one, as many as count as few, one more, and a prompt of two tiles.
MIXES = ([1, 1, 1, 1], [0, 8, 9, 1], [33, 1, 0, 5], [1, 2, 37, 0])

each_target = pytest.mark.parametrize("target", ON_CHIPS)


def load(spec, target, *, alone=False):
    """A kernel, compiled with all others of its chip unless it is alone."""
    specs = (spec,) if alone else [SPECS[name] for name in ON_CHIPS[target]]
    return load_artifact(artifact_of(spec, specs, target), "emulator")


def assert_right(kernel, spec, tensors):
    """Right, with NaN in all that no query may see."""
    expected = reference(spec, tensors)
    outputs = kernel.outputs(**poisoned(tensors, hidden_places(spec, tensors), np.nan))
    for found, exact, tensor in zip(outputs, expected, spec.outputs, strict=True):
        if tensor.name not in spec.updates:
            assert strain(measured(found, exact, tensor)) <= 1
    if spec.updates:
        # Where nothing is hidden, caches are as they were but for what is written.
        for found, exact in zip(kernel.outputs(**tensors)[-2:], expected[-2:], strict=True):
            np.testing.assert_array_equal(found.astype(np.float64), exact)


@pytest.mark.parametrize(("name", "target"), RUNS)
def test_mixes_meet_the_reference(name, target):
    """A spec sees each mix, on its one chip or by turns on several."""
    spec, chips = SPECS[name], [chip for one, chip in RUNS if one == name]
    kernel, call = load(spec, target), spec.replace(dynamic=())
    turns = min(2, len(chips))
    for seed in range(chips.index(target) % turns, len(MIXES), turns):
        assert_right(kernel, call, with_lengths(call, random_tensors(call, seed), MIXES[seed]))


@each_target
def test_bits_of_a_sequence_do_not_depend_on_others(target):
    """Alone, in another place, and with a shorter table: the same bits."""
    kernel, call = load(LANES, target), LANES.replace(dynamic=())
    tensors = with_lengths(call, random_tensors(call), [1, 20, 8, 3])
    together = kernel.outputs(**tensors)
    pages = -(-tensors["context_lens"].max() // call.block_size)
    shorter = kernel.outputs(**{**tensors, "block_table": tensors["block_table"][:, :pages].copy()})
    for output, same in zip(together, shorter, strict=True):
        np.testing.assert_array_equal(output, same)
    for kept in range(call.batch):
        one = alone(call, tensors, kept)
        apart = kernel.outputs(**one)
        here, there = places_of(call, tensors, kept), places_of(call, one, 0)
        for i, output in enumerate(together):
            np.testing.assert_array_equal(output[here[i]], apart[i][there[i]])


@each_target
def test_parts_of_long_contexts_grow(target):
    kernel = load(LONG, target, alone=True)
    tensors = with_lengths(LONG, random_tensors(LONG), [1, 2])
    tensors["context_lens"][...] = [9000, 8193]
    tensors["block_table"][...] = np.arange(146)
    assert_right(kernel, LONG, tensors)


def test_parts_of_a_window_do_not_grow():
    spec = LONG.replace(window=(180, None), return_lse=True)
    session = EmulatedSession(artifact_of(spec, (spec,), "gfx1100"), "emulator")
    tensors = with_lengths(spec, random_tensors(spec), [1, 2])
    tensors["block_table"][...] = np.arange(146)
    for contexts in ([9000, 8193], [1, 300]):
        tensors["context_lens"][...] = contexts
        assert_right(Kernel(session), spec, tensors)
    assert session.counts[1].workgroups == 2 * 2


def test_drafts_have_tiles_of_rows_in_parts():
    kernel, call = load(DRAFTS, "gfx942", alone=True), DRAFTS.replace(dynamic=())
    tensors = with_lengths(call, random_tensors(call), [16, 9, 1])
    tensors["context_lens"][...] = [160, 40, 129]
    tensors["block_table"][...] = np.arange(60).reshape(3, 20)
    assert_right(kernel, call, tensors)


@each_target
def test_workgroups_without_rows_end_at_once(target):
    """Of 32 parts two sequences of a few keys have one each, and none has many queries."""
    session = EmulatedSession(artifact_of(LONG, (LONG,), target), "emulator", measure=True)
    tensors = with_lengths(LONG, random_tensors(LONG), [1, 2])
    tensors["context_lens"][...] = 20
    Kernel(session).outputs(**tensors)
    many, few, _ = session.counts
    assert many.instructions["vector"] < 5 * many.waves
    assert few.instructions["vector"] < 20 * few.waves
