"""Merging partial attention: by hand, as a relation to attention, and compiled."""

import numpy as np
import pytest

from irattn import AttentionSpec, MergeStatesSpec, PagedAttentionSpec
from irattn.core.errors import ArgumentError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import load_artifact
from support.joined import artifact_of, together

pytestmark = pytest.mark.slow

ONE = MergeStatesSpec(num_q_heads=1, q_len=1, head_dim=2, io_dtype="f32")
SPEC = MergeStatesSpec(batch=2, num_q_heads=3, q_len=5, head_dim=24, io_dtype="f32")
INF = np.inf


ATTENTION = AttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=5, kv_len=12, head_dim=8, io_dtype="f32",
    return_lse=True, keep_mask="bqk",
)  # fmt: skip
PAGED = PagedAttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=5, head_dim=8, block_size=4, num_blocks=8,
    max_blocks=4, io_dtype="f32", return_lse=True, causal=False,
)  # fmt: skip
MERGE = MergeStatesSpec(batch=2, num_q_heads=4, q_len=5, head_dim=8, io_dtype="f32")
CALLED = (
    *(ONE, SPEC, MERGE, PAGED, PAGED.replace(max_blocks=2)),
    *(ATTENTION.replace(kv_len=keys) for keys in (1, 6, 11, 12)),
)


def compiled(spec, tensors):
    return load_artifact(artifact_of(spec, CALLED, "cpu"), "cpu")(**tensors)


def state(values, lse):
    return np.array([[[values]]], np.float32), np.array([[[lse]]], np.float32)


def merged(spec, a, b):
    tensors = {"out_a": a[0], "lse_a": a[1], "out_b": b[0], "lse_b": b[1]}
    return reference(spec, tensors), compiled(spec, tensors)


def test_by_hand():
    """Denominators 1 and 3 share the output as 1/4 and 3/4, and add up to 4."""
    for output, lse in merged(ONE, state([4, 0], 0), state([8, 4], np.log(3))):
        np.testing.assert_allclose(output, [[[[7, 3]]]], rtol=1e-6)
        np.testing.assert_allclose(lse, [[[np.log(4)]]], rtol=1e-6)


@pytest.mark.parametrize("garbage", [0.0, 5.0, INF, np.nan])
def test_a_state_that_saw_nothing_has_no_share(garbage):
    some, none = state([0.1, -7.3], 0.7), state([garbage, garbage], -INF)
    for a, b in ((some, none), (none, some)):
        for output, lse in merged(ONE, a, b):
            np.testing.assert_array_equal(output, some[0])
            np.testing.assert_array_equal(lse, some[1])
    for output, lse in merged(ONE, none, none):
        np.testing.assert_array_equal(output, [[[[0, 0]]]])
        np.testing.assert_array_equal(lse, [[[-INF]]])


def test_states_far_apart_do_not_overflow():
    for output, lse in merged(ONE, state([1, 2], 3e38), state([3, 4], -3e38)):
        np.testing.assert_array_equal(output, [[[[1, 2]]]])
        np.testing.assert_array_equal(lse, np.full((1, 1, 1), np.float32(3e38)))


ONE_NUMBER = {"batch": 1, "num_q_heads": 1, "q_len": 1, "head_dim": 1}
COMPILED = together(
    SPEC.replace(io_dtype=io_dtype, **changes)
    for io_dtype in ("f32", "f16", "bf16")
    for changes in ({}, {"head_dim": 80, "q_len": 33}, {"head_dim": 512}, ONE_NUMBER)
)


@pytest.mark.parametrize("one", COMPILED, ids=str)
def test_compiled(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_inputs_hold_every_kind_of_pair():
    tensors = random_tensors(SPEC)
    a, b = tensors["lse_a"] == -INF, tensors["lse_b"] == -INF
    assert all(kind.any() for kind in (a & b, a & ~b, ~a & b, ~a & ~b))


def evaluated(spec, tensors):
    return reference(spec, tensors)


def merge(attend, first, second):
    names = ("out_a", "lse_a", "out_b", "lse_b")
    return attend(MERGE, dict(zip(names, (*first, *second), strict=True)))


WAYS = pytest.mark.parametrize(
    ("attend", "atol"), [(evaluated, 1e-13), (compiled, 2e-6)], ids=["reference", "compiled"]
)


@WAYS
@pytest.mark.parametrize("cut", [1, 6, 11])
def test_two_parts_of_the_keys_merge_into_all(attend, atol, cut):
    """Masks and all: the keep mask hides every key of some queries, in a part or in both."""
    tensors = random_tensors(ATTENTION)
    tensors["keep_mask"][0, :, 1, :cut] = False
    tensors["keep_mask"][1, :, 2, cut:] = False
    parts = []
    for tokens in (slice(0, cut), slice(cut, 12)):
        part = {
            "query": tensors["query"],
            "key": tensors["key"][:, :, tokens],
            "value": tensors["value"][:, :, tokens],
            "keep_mask": tensors["keep_mask"][..., tokens],
        }
        part = {name: np.ascontiguousarray(array) for name, array in part.items()}
        parts.append(attend(ATTENTION.replace(kv_len=tokens.stop - tokens.start), part))
    for found, expected in zip(merge(attend, *parts), attend(ATTENTION, tensors), strict=True):
        np.testing.assert_allclose(found, expected, atol=atol)


@WAYS
def test_two_parts_of_the_pages_merge_into_all(attend, atol):
    """A context of 6 tokens has nothing in its second pair of blocks."""
    tensors = random_tensors(PAGED)
    tensors["block_table"] = np.arange(8, dtype=np.int32)[::-1].reshape(2, 4).copy()
    tensors["context_lens"] = np.array([15, 6], np.int32)
    parts = []
    for first in (0, 2):
        part = {
            **tensors,
            "block_table": np.ascontiguousarray(tensors["block_table"][:, first : first + 2]),
            "context_lens": np.clip(tensors["context_lens"] - 4 * first, 0, 8).astype(np.int32),
        }
        parts.append(attend(PAGED.replace(max_blocks=2), part))
    for found, expected in zip(merge(attend, *parts), attend(PAGED, tensors), strict=True):
        np.testing.assert_allclose(found, expected, atol=atol)


def test_what_is_wrong_is_refused():
    with pytest.raises(SpecError, match="head_dim: expected at most 256, or 512, got 576"):
        SPEC.replace(head_dim=576)
    with pytest.raises(SpecError, match="io_dtype: expected one of f32, f16, bf16, got 'f8'"):
        SPEC.replace(io_dtype="f8")
    with pytest.raises(SpecError, match="q_len: expected a whole number of at least 1, got 0"):
        SPEC.replace(q_len=0)
    tensors = random_tensors(SPEC) | {"lse_a": np.zeros((2, 3, 5), np.float64)}
    with pytest.raises(ArgumentError, match=r"lse_a: expected f32 \[2, 3, 5\], got float64"):
        compiled(SPEC, tensors)
