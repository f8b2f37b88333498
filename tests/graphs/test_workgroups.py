"""What the GPU graphs promise of every call: hidden is hidden, seen is seen, and what no query sees
is no work. Shown in AMD machine code.
"""

from itertools import starmap

import numpy as np
import pytest

import irattn
from irattn import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.lab.profiling import execute
from irattn.lab.verification import known_cases
from irattn.reference import reference
from irattn.runtime import load_artifact
from irattn.runtime.kernel import Kernel
from support.joined import artifact_of

pytestmark = pytest.mark.slow

RAGGED = AttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=33, kv_len=77, head_dim=32, causal=True,
    ragged=True, return_lse=True, io_dtype="f32",
)  # fmt: skip
CAUSAL = AttentionSpec(
    num_q_heads=2, num_kv_heads=1, q_len=40, kv_len=40, head_dim=32, causal=True, io_dtype="f32"
)
PAGED = PagedAttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=1, head_dim=32, num_blocks=70, max_blocks=33,
    io_dtype="f32",
)  # fmt: skip
PACKED = PackedAttentionSpec(
    batch=3, num_q_heads=4, num_kv_heads=2, q_tokens=50, kv_tokens=60, head_dim=32, io_dtype="f32"
)

BIASED = [
    CAUSAL.replace(causal=False, bias="qk", io_dtype=io_dtype) for io_dtype in ("f32", "bf16")
]
ONE_QUERY = AttentionSpec(
    num_q_heads=1, num_kv_heads=1, q_len=1, kv_len=512, head_dim=48, io_dtype="f32"
)
IN_PARTS = [ONE_QUERY.replace(head_dim=head_dim) for head_dim in (48, 80, 256)]
# More parts than a lane reads at once, and some left over.
MANY_PARTS = [
    ONE_QUERY.replace(kv_len=17 * 256 + 5, head_dim=16, return_lse=True, sinks=sinks)
    for sinks in (False, True)
]
LONGER = PAGED.replace(max_blocks=40)
SCALED = AttentionSpec(num_q_heads=2, num_kv_heads=2, q_len=128, kv_len=256, head_dim=64)
# The lse that a workgroup stores is one number.
ONE_NUMBER = [
    ONE_QUERY.replace(batch=3, kv_len=33, head_dim=64, return_lse=True, dynamic=("batch",)),
    PAGED.replace(num_q_heads=2, max_blocks=4, return_lse=True, dynamic=("batch", "max_blocks")),
    PACKED.replace(batch=1, num_q_heads=2, q_tokens=1, return_lse=True),
]
TILES = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=300, kv_len=310, head_dim=64, causal=True
)
PACKED_TILES = PackedAttentionSpec(
    batch=1, num_q_heads=4, num_kv_heads=2, q_tokens=300, kv_tokens=310, head_dim=64, causal=True
)
SPECS = (
    *(RAGGED, CAUSAL, PAGED, PACKED, LONGER, SCALED, TILES, PACKED_TILES),
    *(*BIASED, *IN_PARTS, *MANY_PARTS, *ONE_NUMBER),
)


def kernel(spec):
    return load_artifact(artifact_of(spec, SPECS, "gfx1100"), "emulator")


def outputs(found):
    return found if isinstance(found, tuple) else (found,)


def assert_same_bits(run, tensors, poisoned):
    for found, expected in zip(outputs(run(**poisoned)), outputs(run(**tensors)), strict=True):
        np.testing.assert_array_equal(found, expected)
        assert not np.isnan(expected).any()


@pytest.mark.parametrize("poison", [np.nan, np.inf])
def test_what_lies_beyond_a_length_never_reaches_a_result(poison):
    tensors = random_tensors(RAGGED)
    tensors["q_lens"], tensors["context_lens"] = np.array([[20, 33], [41, 33]], np.int32)
    poisoned = {name: array.copy() for name, array in tensors.items()}
    for b, (q_len, context) in enumerate(zip([20, 33], [41, 33], strict=True)):
        poisoned["query"][b, :, q_len:] = poison
        poisoned["key"][b, :, context:] = poisoned["value"][b, :, context:] = poison
    assert_same_bits(kernel(RAGGED), tensors, poisoned)


def test_slots_past_a_context_and_unused_blocks_never_reach_a_result():
    tensors = random_tensors(PAGED)
    table = np.full((2, 33), -1)
    table[0, :32], table[1, :2] = np.arange(3, 35), [50, 1]
    tensors |= {"block_table": table, "context_lens": np.array([500, 17])}
    used = np.zeros((70, 16), bool)
    used[3:34], used[34, :4], used[50], used[1, :1] = True, True, True, True
    poisoned = dict(tensors)
    for name in ("key_cache", "value_cache"):
        poisoned[name] = np.where(used[:, None, :, None], tensors[name], np.float32(np.nan))
    assert_same_bits(kernel(PAGED), tensors, poisoned)


def test_other_sequences_never_reach_a_result():
    tensors = random_tensors(PACKED)
    tensors["cu_seqlens_q"] = np.array([0, 20, 20, 41])
    tensors["cu_seqlens_k"] = np.array([0, 30, 37, 55])
    poisoned = {name: array.copy() for name, array in tensors.items()}
    for name, start in (("query", 41), ("key", 30), ("value", 30)):
        poisoned[name][start : 37 if name != "query" else None] = np.nan
        poisoned[name][55:] = np.nan
    assert_same_bits(kernel(PACKED), tensors, poisoned)


def test_a_key_that_causal_hides_is_hidden_and_one_that_is_seen_is_seen():
    tensors = random_tensors(CAUSAL)
    run = kernel(CAUSAL)
    clean = run(**tensors)
    tensors["key"][:, :, 25] = np.nan
    found = run(**tensors)
    np.testing.assert_array_equal(found[:, :, :25], clean[:, :, :25])
    assert np.isnan(found[:, :, 25:]).all()


def test_a_nan_in_a_query_makes_its_row_nan():
    tensors = random_tensors(CAUSAL)
    tensors["query"][0, 1, 7, 3] = np.nan
    found = kernel(CAUSAL)(**tensors)
    assert np.isnan(found[0, 1, 7]).all()
    assert np.isnan(found).sum() == 32


@pytest.mark.parametrize("spec", ONE_NUMBER, ids=["contiguous", "paged", "packed"])
def test_one_number_of_a_workgroup_is_stored_by_who_has_it(spec):
    run = kernel(spec)
    for call in spec.calls if spec.op != "packed_attention" else (spec,):
        tensors = random_tensors(call)
        for found, expected in zip(outputs(run(**tensors)), reference(call, tensors), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("spec", BIASED, ids=["f32", "bf16"])
def test_a_row_of_the_lowest_biases_is_the_mean(spec):
    tensors = random_tensors(spec)
    lowest = {"f32": -np.finfo(np.float32).max, "bf16": -3.3895314e38}[spec.io_dtype]
    tensors["bias"][0, 0, 5] = lowest
    tensors["bias"][0, 0, 6] = -np.inf
    found = kernel(spec)(**tensors).astype(np.float32)
    mean = tensors["value"].astype(np.float32).mean(axis=2)[:, 0]
    np.testing.assert_allclose(found[:, 0, 5], mean, atol=0.02 if spec.io_dtype == "bf16" else 1e-5)
    assert (found[:, :, 6] == 0).all()


@pytest.mark.parametrize("spec", BIASED, ids=["f32", "bf16"])
def test_a_key_that_a_bias_hides_is_hidden(spec):
    tensors = random_tensors(spec)
    tensors["bias"][0, 0, :20, 25] = -np.inf
    clean = kernel(spec)(**tensors)
    tensors["key"][:, :, 25] = np.nan
    found = kernel(spec)(**tensors)
    np.testing.assert_array_equal(found[:, :, :20], clean[:, :, :20])
    assert np.isnan(found[:, :, 20:].astype(np.float32)).all()


@pytest.mark.parametrize("spec", IN_PARTS, ids=lambda spec: spec.head_dim)
def test_parts_of_the_keys_share_none(spec):
    tensors = random_tensors(spec)
    expected = reference(spec, tensors)[0]
    np.testing.assert_allclose(kernel(spec)(**tensors), expected, atol=1e-5)


@pytest.mark.parametrize(("target", "head_dim"), [("gfx1201", 40), ("gfx942", 80)])
def test_parts_are_merged_the_same_in_any_order_of_waves(target, head_dim):
    """Where the columns of a row fill no whole waves, too."""
    spec = AttentionSpec(num_q_heads=1, num_kv_heads=1, q_len=1, kv_len=300, head_dim=head_dim)
    tensors = random_tensors(spec)
    artifact = irattn.compile(spec, target=target)
    found = irattn.load(artifact, device="emulator-schedules")(**tensors)
    np.testing.assert_allclose(found, reference(spec, tensors)[0], atol=0.002)


@pytest.mark.parametrize("spec", MANY_PARTS, ids=["plain", "sinks"])
def test_many_parts_are_one_sum(spec):
    tensors = random_tensors(spec)
    for found, expected in zip(kernel(spec)(**tensors), reference(spec, tensors), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_parts_that_a_sequence_does_not_have_change_no_bit():
    tensors = random_tensors(PAGED)
    tensors["context_lens"] = np.array([500, 17])
    table = np.full((2, 40), -1, tensors["block_table"].dtype)
    table[:, :33] = tensors["block_table"]
    found = kernel(LONGER)(**{**tensors, "block_table": table})
    np.testing.assert_array_equal(found, kernel(PAGED)(**tensors))


def test_equal_keys_weigh_the_same_at_any_scale():
    (case,) = (case for case in known_cases(SCALED, 0) if case.name == "huge_scale")
    found = kernel(SCALED)(**case.tensors)
    np.testing.assert_allclose(found, case.expected[0], atol=0.002)


def test_bits_do_not_depend_on_company():
    tensors = random_tensors(PAGED)
    tensors["context_lens"] = np.array([500, 17])
    run = kernel(PAGED)
    both = run(**tensors)
    turned = dict(tensors)
    for name in ("query", "block_table", "context_lens"):
        turned[name] = tensors[name][::-1].copy()
    np.testing.assert_array_equal(run(**turned), both[::-1])


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_work_follows_what_is_seen(target):
    """Executed against needed: what the diagonal and the edges of tiles cost, and no more."""
    spec = AttentionSpec(
        num_q_heads=1, num_kv_heads=1, q_len=512, kv_len=512, head_dim=64, causal=True
    )
    for changes, most in (({}, 1.35), ({"window": (63, None)}, 4.0)):
        changed = spec.replace(**changes)
        call = execute(irattn.compile(changed, target=target))
        work = sum(dispatch.counts.matrix_flops for dispatch in call.dispatches)
        assert work <= most * changed.least_flops
        expected = reference(changed, random_tensors(changed))[0]
        np.testing.assert_allclose(call.outputs[0], expected, atol=0.02)


def test_a_decode_multiplies_the_steps_of_its_context_whatever_the_length_of_the_table():
    """16 rows of an instruction and whole steps of 16 keys: what the emulator's page says."""
    spec = PAGED.replace(
        batch=1, num_kv_heads=1, max_blocks=256, num_blocks=256, head_dim=64, io_dtype="f16"
    )
    artifact = irattn.compile(spec, target="gfx1100")
    session = EmulatedSession(artifact, "emulator", measure=True)
    Kernel(session).outputs(**{**random_tensors(spec), "context_lens": np.array([100], np.int32)})
    executed = sum(counts.matrix_flops for counts in session.counts)
    assert executed == 2 * 2 * 16 * 112 * spec.head_dim


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_parts_that_a_sequence_does_not_have_end_at_once(target):
    """Of 32 parts one has keys; the emulator refuses to read what none has written."""
    spec = PAGED.replace(
        num_kv_heads=1, max_blocks=256, num_blocks=256, head_dim=64, io_dtype="f16", return_lse=True
    )
    session = EmulatedSession(artifact_of(spec, (spec,), target), "emulator", measure=True)
    tensors = random_tensors(spec)
    tensors["block_table"][...] = np.arange(256)
    for contexts in ([4096, 0], [100, 0]):
        tensors["context_lens"] = np.array(contexts, np.int32)
        found, expected = Kernel(session).outputs(**tensors), reference(spec, tensors)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, atol=2e-3)
    parts, merge = session.counts
    assert parts.instructions["vector"] < 20 * parts.waves
    assert merge.instructions["vector"] < 60 * merge.waves


def test_parts_are_laid_over_a_window():
    """Parts have 128 keys, before a window there are none, and its own begin at the same keys."""
    spec = PAGED.replace(
        **{"num_kv_heads": 1, "q_len": 2, "max_blocks": 64, "num_blocks": 64, "head_dim": 64},
        **{"io_dtype": "f16", "causal": True, "window": (140, None)},
    )
    static = AttentionSpec(
        batch=1, num_q_heads=2, num_kv_heads=1, q_len=1, kv_len=700, head_dim=64, io_dtype="f16",
        window=(99, None),
    )  # fmt: skip
    session = EmulatedSession(artifact_of(spec, (spec, static), "gfx942"), "emulator")
    tensors = random_tensors(spec)
    tensors["block_table"][...] = np.arange(64)
    # The first window begins with the last key of a part, and so lies in three.
    for contexts in ([525, 1], [1024, 130]):
        tensors["context_lens"] = np.array(contexts, np.int32)
        found, expected = Kernel(session).outputs(**tensors), reference(spec, tensors)
        np.testing.assert_allclose(found[0], expected[0], atol=2e-3)
    assert session.counts[0].workgroups == 2 * 3
    session = EmulatedSession(artifact_of(static, (spec, static), "gfx942"), "emulator")
    tensors = random_tensors(static)
    found, expected = Kernel(session).outputs(**tensors), reference(static, tensors)
    np.testing.assert_allclose(found[0], expected[0], atol=2e-3)
    assert session.counts[0].workgroups == 2


ANY_SIZE = [
    ("gfx1201", "f16", 40, 64),
    ("gfx1100", "f16", 248, 1),
    ("gfx942", "f16", 136, 64),
    ("gfx942", "f32", 248, 64),
    ("gfx1100", "f32", 96, 1),
    ("gfx1100", "f32", 256, 1),
    ("gfx942", "f32", 192, 1),
    ("gfx90a", "f32", 160, 1),
    # What is written out for lanes in 16 bits is not in f32.
    ("gfx942", "f32", 64, 64),
    ("gfx950", "f32", 128, 64),
]


@pytest.mark.parametrize(("target", "io_dtype", "head_dim", "q_len"), ANY_SIZE)
def test_heads_of_any_size_fit_the_memory_of_a_workgroup(target, io_dtype, head_dim, q_len):
    among = starmap(of_size, (sizes for its, *sizes in ANY_SIZE if its == target))
    assert artifact_of(of_size(io_dtype, head_dim, q_len), among, target).vmfb


def of_size(io_dtype, head_dim, q_len):
    return AttentionSpec(
        num_q_heads=1, num_kv_heads=1, q_len=q_len, kv_len=64, head_dim=head_dim, io_dtype=io_dtype
    )


def test_a_sequence_without_keys_gives_zeros():
    tensors = random_tensors(RAGGED)
    tensors["q_lens"], tensors["context_lens"] = np.array([[20, 33], [0, 33]], np.int32)
    output, lse = kernel(RAGGED)(**tensors)
    assert (output[0] == 0).all()
    assert np.isneginf(lse[0]).all()


@pytest.mark.parametrize("spec", [TILES, PACKED_TILES])
def test_tiles_with_most_keys_begin_first_in_all_heads(spec):
    session = EmulatedSession(artifact_of(spec, SPECS, "gfx1100"), "emulator", measure=True)
    Kernel(session).outputs(**random_tensors(spec))
    (counts,) = session.counts
    work = counts.by_workgroup.matrix_cycles
    # A packed sequence may leave a tile without rows.
    by_tile = work[work > 0].reshape(-1, spec.num_q_heads)
    assert len(by_tile) > 1
    assert (by_tile == by_tile[:, :1]).all()
    assert (np.diff(by_tile[:, 0]) < 0).all()
