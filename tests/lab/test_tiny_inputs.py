"""Outputs of hardware that takes the smallest inputs for zeros, and of one that does not."""

import numpy as np
import pytest

from irattn import CacheWriteSpec, RmsNormSpec
from irattn.lab.inputs import CASES
from irattn.lab.verification.accuracy import strain
from irattn.lab.verification.cases import known_case
from irattn.reference import reference

NORM = RmsNormSpec(rows=64, columns=2, io_dtype="f32")
WRITE = CacheWriteSpec(
    num_tokens=33, num_kv_heads=4, head_dim=2, block_size=16, num_blocks=3, io_dtype="f32",
    cache_dtype="fp8_e5m2", cache_scale="token",
)  # fmt: skip
SPECS = {"a norm": NORM, "a quantised cache": WRITE}


def of_flushed(spec, tensors):
    """The outputs where subnormal numbers are zeros, and the inputs of these."""
    flushed = {
        name: np.where(np.abs(one) < 2.0**-126, np.float32(0), one)
        if one.dtype.kind == "f"
        else one
        for name, one in tensors.items()
    }
    return reference(spec, flushed)


@pytest.mark.parametrize("name", SPECS)
def test_zeros_are_right_where_an_input_is_subnormal(name):
    spec = SPECS[name]
    tensors = CASES["subnormals"].tensors(spec)
    known = known_case("subnormals", spec, tensors)
    flushed = of_flushed(spec, tensors)
    assert any((np.abs(a - b) > 0).any() for a, b in zip(flushed, known.expected, strict=True))
    assert strain(known.worst(flushed)) <= 1
    assert strain(known.worst(known.expected)) == 0


@pytest.mark.parametrize("name", SPECS)
def test_rows_of_larger_numbers_are_held_to_the_tolerance(name):
    spec = SPECS[name]
    tensors = CASES["subnormals"].tensors(spec)
    known = known_case("subnormals", spec, tensors)
    wrong, *others = of_flushed(spec, tensors)
    wrong[wrong == known.expected[0]] *= 1.5
    assert strain(known.worst([wrong, *others])) > 1


def test_numbers_beyond_zero_are_wrong():
    """All that may be of such a row lies between what it is and 0."""
    tensors = {"x": np.full((1, 2), 2.0**-122, np.float32), "weight": np.ones(2, np.float32)}
    known = known_case("tiny", NORM.replace(rows=1), tensors)
    assert strain(known.worst([known.expected[0] * 0.5])) == 0
    assert strain(known.worst([known.expected[0] * 1.5])) > 1
    assert strain(known.worst([known.expected[0] * -0.5])) > 1
