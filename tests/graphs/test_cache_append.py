"""Writing into a contiguous cache: its meaning by hand, its code on the CPU, its arguments."""

import numpy as np
import pytest

import irattn
from irattn import CacheAppendSpec
from irattn.core.errors import ArgumentError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime.arguments import check_arguments
from support.joined import together

pytestmark = pytest.mark.slow

SPEC = CacheAppendSpec(batch=3, num_kv_heads=2, head_dim=8, q_len=4, kv_len=11, io_dtype="f32")


def test_two_sequences_by_hand():
    spec = CacheAppendSpec(batch=2, num_kv_heads=1, head_dim=1, q_len=2, kv_len=4)
    new = np.array([[5.0, 6.0], [7.0, 8.0]]).reshape(2, 1, 2, 1)
    old = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]).reshape(2, 1, 4, 1)
    keys, values = reference(
        spec,
        {
            "key": new,
            "value": 10 * new,
            "key_cache": old,
            "value_cache": 10 * old,
            "offsets": np.array([2, 0]),
        },
    )
    np.testing.assert_array_equal(keys[:, 0, :, 0], [[1, 2, 5, 6], [7, 8, 3, 4]])
    np.testing.assert_array_equal(values, 10 * keys)


COMPILED = together(
    SPEC.replace(**changes)
    for changes in (
        {},
        {"io_dtype": "f16"},
        {"io_dtype": "bf16"},
        {"batch": 1},
        {"q_len": 1},
        {"q_len": 11},
        # More than a workgroup has.
        {"q_len": 130, "kv_len": 140},
        {"num_kv_heads": 1},
        {"head_dim": 1},
        {"head_dim": 80},
        {"head_dim": 576},
        {"batch": 1, "num_kv_heads": 1, "head_dim": 1, "q_len": 1, "kv_len": 1},
    )
)


@pytest.mark.parametrize("one", COMPILED, ids=str)
def test_nothing_is_rounded(one):
    verdict = one.verdict()
    assert verdict.passed, verdict
    assert verdict.accuracy.max_abs == 0


def test_appending_in_parts_equals_appending_at_once():
    """Arguments are left alone, so that the results have to be passed on."""
    tensors = random_tensors(SPEC)
    at_once = irattn.load(SPEC)(**tensors)
    kernel = irattn.load(SPEC.replace(q_len=2))
    caches = {name: tensors[name] for name in ("key_cache", "value_cache")}
    before = {name: array.copy() for name, array in caches.items()}
    for start in (0, 2):
        part = {name: tensors[name][:, :, start : start + 2] for name in ("key", "value")}
        found = kernel(**part, **caches, offsets=tensors["offsets"] + np.int32(start))
        for name, array in before.items():
            np.testing.assert_array_equal(tensors[name], array)
        caches = dict(zip(caches, found, strict=True))
    np.testing.assert_array_equal(list(caches.values()), at_once)


def test_wrong_offsets_are_refused():
    tensors = random_tensors(SPEC)
    for wrong in (8, -1):
        offsets = np.array([0, 7, wrong])
        with pytest.raises(ArgumentError, match=rf"offsets\[2\]: expected 0 to 7, got {wrong}"):
            check_arguments(SPEC, {**tensors, "offsets": offsets})
    with pytest.raises(SpecError, match="q_len: expected at most kv_len = 11, got 12"):
        SPEC.replace(q_len=12)
    with pytest.raises(SpecError, match="kv_len: expected at most 2147483647, got"):
        SPEC.replace(kv_len=2**30)
