"""The norms around linear attention: worked by hand, in every element type and for any rows."""

import numpy as np
import pytest

import irattn
from irattn import GatedRmsNormSpec, L2NormSpec
from irattn.reference import reference

ROW = np.array([[3.0, 4.0]], np.float32)


def test_a_gated_norm_by_hand():
    spec = GatedRmsNormSpec(rows=1, columns=2, io_dtype="f32", eps=1e-12, offset=1.0)
    gate = np.array([[np.log(3), -np.log(3)]], np.float32)
    (output,) = reference(spec, {"x": ROW, "gate": gate, "weight": np.float32([0, 1])})
    # Of the gates three quarters and one quarter are open; the mean of 9 and 16 is 12.5.
    wanted = np.log(3) * np.array([[3 * 0.75, -8 * 0.25]]) / np.sqrt(12.5)
    np.testing.assert_allclose(output, wanted, rtol=1e-6)


def test_a_sigmoid_gate_by_hand():
    spec = GatedRmsNormSpec(rows=1, columns=2, io_dtype="f32", eps=1e-12, sigmoid_gate=True)
    gate = np.array([[np.log(3), -np.log(3)]], np.float32)
    (output,) = reference(spec, {"x": ROW, "gate": gate, "weight": np.float32([1, 2])})
    wanted = np.array([[3 * 0.75, 8 * 0.25]]) / np.sqrt(12.5)
    np.testing.assert_allclose(output, wanted, rtol=1e-6)


@pytest.mark.parametrize("io_dtype", ["f16", "f32"])
def test_compiled_sigmoid_gates(io_dtype):
    spec = GatedRmsNormSpec(rows=5, columns=40, io_dtype=io_dtype, sigmoid_gate=True)
    assert irattn.verify(spec, target="cpu")[0].passed


def test_what_was_made_without_sigmoid_gates_has_its_key():
    told = GatedRmsNormSpec(rows=1, columns=2).to_dict()
    assert "sigmoid_gate" not in told
    assert (
        told | {"sigmoid_gate": True}
        == GatedRmsNormSpec(rows=1, columns=2, sigmoid_gate=True).to_dict()
    )


def test_a_length_by_hand():
    (output,) = reference(L2NormSpec(rows=1, columns=2, io_dtype="f32", eps=1e-12), {"x": ROW})
    np.testing.assert_allclose(output, [[0.6, 0.8]], rtol=1e-9)


@pytest.mark.parametrize("kind", [GatedRmsNormSpec, L2NormSpec])
@pytest.mark.parametrize("io_dtype", ["f16", "bf16"])
def test_compiled_code(kind, io_dtype):
    spec = kind(rows=7, columns=33, io_dtype=io_dtype, dynamic=("rows",))
    assert irattn.verify(spec, target="cpu")[0].passed
