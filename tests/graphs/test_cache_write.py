"""Writing into a block cache: its meaning by hand, its code on the CPU, its arguments."""

import numpy as np
import pytest

import irattn
from irattn import CacheWriteSpec
from irattn.core.errors import ArgumentError, SpecError
from irattn.lab.inputs import CASES, random_tensors
from irattn.reference import reference
from irattn.runtime.arguments import check_arguments
from support.against_reference import assert_meets_reference
from support.joined import together

pytestmark = pytest.mark.slow

SPEC = CacheWriteSpec(
    num_tokens=10, num_kv_heads=3, head_dim=8, block_size=4, num_blocks=5, io_dtype="f32"
)


def test_three_tokens_by_hand():
    """Slot 3 is block 1, offset 1; slot 0 is block 0, offset 0; the token with -1 is skipped."""
    spec = CacheWriteSpec(num_tokens=3, num_kv_heads=1, head_dim=1, block_size=2, num_blocks=2)
    keys, values = reference(
        spec,
        {
            "key": np.array([5.0, 6.0, 7.0]).reshape(3, 1, 1),
            "value": np.array([50.0, 60.0, 70.0]).reshape(3, 1, 1),
            "key_cache": np.array([1.0, 2.0, 3.0, 4.0]).reshape(2, 1, 2, 1),
            "value_cache": np.zeros((2, 1, 2, 1)),
            "slot_mapping": np.array([3, -1, 0]),
        },
    )
    np.testing.assert_array_equal(keys.ravel(), [7, 2, 3, 5])
    np.testing.assert_array_equal(values.ravel(), [70, 0, 0, 50])


def test_heads_go_to_their_own_place_by_hand():
    spec = CacheWriteSpec(num_tokens=1, num_kv_heads=2, head_dim=1, block_size=2, num_blocks=1)
    tensors = {name: np.array([[[8.0], [9.0]]]) for name in ("key", "value")}
    caches = {f"{name}_cache": np.zeros((1, 2, 2, 1)) for name in ("key", "value")}
    keys, _ = reference(spec, {**tensors, **caches, "slot_mapping": np.array([1])})
    np.testing.assert_array_equal(keys[0, :, :, 0], [[0, 8], [0, 9]])


COMPILED = together(
    SPEC.replace(**changes)
    for changes in (
        {},
        {"io_dtype": "f16"},
        {"io_dtype": "bf16"},
        {"num_tokens": 1},
        {"num_tokens": 40},
        {"num_tokens": 40, "layout": "NHD", "value_dim": 12, "io_dtype": "bf16"},
        {"num_kv_heads": 1},
        {"head_dim": 1},
        {"head_dim": 80},
        {"head_dim": 256},
        {"block_size": 1},
        {"block_size": 7},
        {"num_blocks": 1},
        {"num_tokens": 1, "num_kv_heads": 1, "head_dim": 1, "block_size": 1, "num_blocks": 1},
    )
)


@pytest.mark.parametrize("one", COMPILED, ids=str)
def test_nothing_is_rounded(one):
    verdict = one.verdict()
    assert verdict.passed, verdict
    assert verdict.accuracy.max_abs == 0


def test_arguments_are_left_alone_and_later_calls_do_not_see_earlier_ones():
    kernel, tensors = irattn.load(SPEC), random_tensors(SPEC)
    before = {name: array.copy() for name, array in tensors.items()}
    first = kernel(**tensors)
    kept = [array.copy() for array in first]
    for name, array in tensors.items():
        np.testing.assert_array_equal(array, before[name])
    for token, slot in enumerate(tensors["slot_mapping"]):
        if slot >= 0:
            found = first[0][slot // 4, :, slot % 4]
            np.testing.assert_array_equal(found, tensors["key"][token])
    nowhere = kernel(**{**tensors, "slot_mapping": np.full(10, -1, np.int32)})
    np.testing.assert_array_equal(nowhere[0], tensors["key_cache"])
    np.testing.assert_array_equal(nowhere[1], tensors["value_cache"])
    np.testing.assert_array_equal(first, kept)


def test_workgroups_of_several_threads_write_tokens_of_their_own():
    (one,) = (one for one in COMPILED if one.graph.spec == SPEC.replace(num_tokens=40))
    spec, kernel = one.graph.spec, one.load("local-task")
    tensors = random_tensors(spec)
    skipped = {"slot_mapping": np.full(40, -1, np.int32)}
    for slots in ({}, skipped, {"slot_mapping": tensors["slot_mapping"][::-1].copy()}):
        assert_meets_reference(spec, kernel, tensors | slots, atol=0)


def test_the_order_of_tokens_does_not_matter():
    kernel, tensors = irattn.load(SPEC), random_tensors(SPEC)
    reversed_tokens = {name: tensors[name][::-1] for name in ("key", "value", "slot_mapping")}
    np.testing.assert_array_equal(kernel(**{**tensors, **reversed_tokens}), kernel(**tensors))


def test_samples_name_every_slot_once_and_skip_some():
    for tokens in (10, 40):
        slots = CASES["normal"].tensors(SPEC.replace(num_tokens=tokens))["slot_mapping"]
        written = slots[slots >= 0]
        assert 0 < written.size < tokens
        assert len(set(written.tolist())) == written.size
        assert 0 in written


def test_wrong_slots_are_refused():
    tensors = random_tensors(SPEC)

    def message(slots):
        with pytest.raises(ArgumentError) as caught:
            check_arguments(SPEC, {**tensors, "slot_mapping": np.array(slots)})
        return str(caught.value)

    assert message([0, 1, -1, -1, 19, 7, 8, 1, 9, -1]) == (
        "slot_mapping[7]: expected a slot of its own, got 1, which slot_mapping[1] names too; "
        "-1 skips a token"
    )
    assert message([0, 1, 20] + [-1] * 7) == "slot_mapping[2]: expected -1 to 19, got 20"
    assert message([0, -2] + [-1] * 8) == "slot_mapping[1]: expected -1 to 19, got -2"
    checked = check_arguments(SPEC, {**tensors, "slot_mapping": np.full(10, -1)})
    assert checked[-1].dtype == np.int32


def test_caches_that_int32_cannot_count_are_refused():
    with pytest.raises(SpecError, match="block_size: expected at most 2147483647, got 3000000000"):
        SPEC.replace(num_blocks=250_000_000)
    with pytest.raises(SpecError, match="head_dim: expected at most 256"):
        SPEC.replace(head_dim=257)
