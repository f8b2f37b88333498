"""Short causal convolution: by hand, token by token, and lengths that a call tells."""

import numpy as np
import pytest

import irattn
from irattn import ShortConvolutionSpec
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference

SPEC = ShortConvolutionSpec(
    batch=3, q_len=5, channels=33, use_bias=True, silu=True, ragged=True, io_dtype="f32"
)


def test_the_reference_by_hand():
    spec = ShortConvolutionSpec(q_len=3, channels=1, kernel=3, io_dtype="f32")
    tensors = {
        "x": np.array([[[1], [2], [3]]], np.float32),
        "weight": np.array([[100, 10, 1]], np.float32),
        "initial_state": np.array([[[5], [7]]], np.float32),
    }
    output, state = reference(spec, tensors)
    np.testing.assert_array_equal(output.ravel(), [571, 712, 123])
    np.testing.assert_array_equal(state.ravel(), [2, 3])


@pytest.fixture(scope="module")
def kernel():
    return irattn.load(irattn.compile(SPEC, target="cpu"))


def test_lengths_leave_the_rest_out(kernel):
    tensors = random_tensors(SPEC) | {"q_lens": np.array([5, 0, 2], np.int32)}
    expected = reference(SPEC, tensors)
    tensors["x"][1], tensors["x"][2, 2:] = np.nan, np.nan
    output, state = kernel(*(tensors[tensor.name] for tensor in SPEC.inputs))
    np.testing.assert_allclose(output, expected[0], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(state, expected[1].astype(np.float32))
    np.testing.assert_array_equal(state[1], tensors["initial_state"][1])


def test_tokens_one_by_one_are_tokens_together(kernel):
    tensors = random_tensors(SPEC) | {"q_lens": np.full(3, 5, np.int32)}
    together, final = kernel(*(tensors[tensor.name] for tensor in SPEC.inputs))
    for token in range(5):
        call = tensors | {"x": np.roll(tensors["x"], -token, 1), "q_lens": np.ones(3, np.int32)}
        output, state = kernel(*(call[tensor.name] for tensor in SPEC.inputs))
        tensors["initial_state"] = state
        np.testing.assert_array_equal(output[:, 0], together[:, token])
    np.testing.assert_array_equal(tensors["initial_state"], final)


PACKED = SPEC.replace(ragged=False, packed=True, q_len=11, batch=4, dynamic=("q_len",))


def test_packed_sequences_are_each_alone():
    """An empty one among them keeps its state, and padding gives zeros."""
    kernel = irattn.load(irattn.compile(PACKED, target="cpu"))
    tensors = random_tensors(PACKED) | {"cu_seqlens_q": np.array([0, 4, 4, 5, 9], np.int32)}
    tensors["x"][9:] = np.nan
    output, state = kernel(*(tensors[tensor.name] for tensor in PACKED.inputs))
    assert not output[9:].any()
    np.testing.assert_array_equal(state[1], tensors["initial_state"][1])
    for number, (start, end) in enumerate([(0, 4), (4, 4), (4, 5), (5, 9)]):
        if start == end:
            continue
        spec = SPEC.replace(batch=1, q_len=end - start, ragged=False)
        alone = {**tensors, "x": tensors["x"][None, start:end]}
        alone["initial_state"] = tensors["initial_state"][None, number]
        expected, final = reference(spec, alone)
        np.testing.assert_allclose(output[start:end], expected[0], rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(state[number], final[0].astype(np.float32))


def test_packed_sequences_meet_the_reference():
    assert irattn.verify(PACKED.replace(io_dtype="bf16"), target="cpu")[0].passed


@pytest.mark.parametrize("io_dtype", ["f16", "bf16"])
def test_any_sizes(io_dtype):
    spec = SPEC.replace(kernel=2, io_dtype=io_dtype, ragged=False, dynamic=("batch", "q_len"))
    assert irattn.verify(spec, target="cpu")[0].passed


def test_long_kernels_are_refused():
    with pytest.raises(SpecError, match=r"kernel: expected at most 8, got 9"):
        SPEC.replace(kernel=9)
