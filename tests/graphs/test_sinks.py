"""Sinks with odd lengths, and with rows from which a bias hides every key."""

import numpy as np
import pytest

import irattn
from irattn import AttentionSpec
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from support.joined import together

pytestmark = pytest.mark.slow

ODD = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=37, kv_len=53, head_dim=40, sinks=True, return_lse=True,
    io_dtype="f32",
)  # fmt: skip
SPECS = [
    ODD,
    ODD.replace(num_kv_heads=4, causal=True, bias="bhqk"),
    ODD.replace(bias="hqk", io_dtype="f16"),
    ODD.replace(q_len=1, bias="bhk"),
    # Few queries whose keys are cut into parts.
    ODD.replace(q_len=3, kv_len=1100, bias="qk"),
]


def hidden_rows(spec):
    """Inputs in which a row, or all rows, see no key."""
    tensors = random_tensors(spec)
    if spec.bias:
        tensors["bias"][:, :, 2 if "q" in spec.bias else 0] = -np.inf
    return tensors


def assert_meets_reference(spec, run):
    tensors = hidden_rows(spec)
    output, lse = run(**tensors)
    expected, expected_lse = reference(spec, tensors)
    atol = {"f32": 1e-5, "f16": 0.004}[spec.io_dtype]
    np.testing.assert_allclose(output.astype(np.float64), expected, atol=atol)
    np.testing.assert_allclose(lse, expected_lse, atol=atol)
    if spec.bias:
        row = 2 if "q" in spec.bias else 0
        np.testing.assert_array_equal(output[:, :, row], 0)
        sinks = np.broadcast_to(tensors["sinks"], lse[:, :, row].shape)
        np.testing.assert_allclose(lse[:, :, row], sinks, atol=1e-5)


@pytest.mark.parametrize("formulation", ["blocked", "fused"])
def test_sinks_with_odd_lengths_on_a_cpu(formulation):
    for one in together(SPECS, formulation):
        assert_meets_reference(one.graph.spec, one.load())


@pytest.mark.parametrize("spec", [SPECS[1], SPECS[2]], ids=["f32", "f16"])
def test_sinks_with_odd_lengths_on_a_gpu(spec):
    run = irattn.load(irattn.compile(spec, target="gfx1100"), device="emulator")
    assert_meets_reference(spec, run)
