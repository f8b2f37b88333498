"""The reference of linear attention against transformers' own; needs the extra `transformers`."""

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")

import torch
from transformers.models.qwen3_next import modeling_qwen3_next as theirs

from irattn import GatedDeltaRuleSpec, GatedRmsNormSpec, L2NormSpec, ShortConvolutionSpec
from irattn.lab.inputs import random_tensors
from irattn.reference import reference

DELTA_RULE = GatedDeltaRuleSpec(
    batch=2, num_v_heads=4, q_len=70, key_dim=16, value_dim=24, layout="NHD", io_dtype="f32"
)


def given(spec):
    """Inputs as arrays, and as tensors in the same memory."""
    tensors = random_tensors(spec)
    return tensors, {name: torch.from_numpy(tensor) for name, tensor in tensors.items()}


def assert_near(found, expected):
    np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize(
    "way", ["torch_chunk_gated_delta_rule", "torch_recurrent_gated_delta_rule"]
)
@pytest.mark.parametrize(
    "changes", [{}, {"num_k_heads": 2}, {"qk_l2_norm": True}, {"q_len": 1}], ids=str
)
def test_the_gated_delta_rule(way, changes):
    spec = DELTA_RULE.replace(**changes)
    tensors, as_torch = given(spec)
    # Chunks of transformers' make NaN of a state that nothing is kept of.
    as_torch["g"].clamp_(min=-30)
    found = getattr(theirs, way)(
        **as_torch, output_final_state=True, use_qk_l2norm_in_kernel=spec.qk_l2_norm
    )
    for one, expected in zip(found, reference(spec, tensors), strict=True):
        assert_near(one, expected)


def test_norms():
    sizes = {"rows": 5, "columns": 24, "io_dtype": "f32"}
    gated, unit = GatedRmsNormSpec(**sizes), L2NormSpec(**sizes)
    tensors, as_torch = given(gated)
    norm = theirs.Qwen3NextRMSNormGated(24, gated.eps)
    norm.weight.data = as_torch["weight"]
    assert_near(norm(as_torch["x"], as_torch["gate"]), reference(gated, tensors)[0])
    tensors, as_torch = given(unit)
    assert_near(theirs.l2norm(as_torch["x"]), reference(unit, tensors)[0])


@pytest.mark.parametrize("silu", [False, True])
def test_the_short_convolution(silu):
    """transformers pads with zeros where there is no state; its states have channels first."""
    spec = ShortConvolutionSpec(
        batch=2, q_len=9, channels=6, kernel=4, use_bias=True, silu=silu, io_dtype="f32"
    )
    tensors, as_torch = given(spec)
    tokens = torch.cat([as_torch["initial_state"], as_torch["x"]], dim=1).transpose(1, 2)
    weight = as_torch["weight"][:, None]
    found = torch.nn.functional.conv1d(tokens, weight, as_torch["bias"], groups=spec.channels)
    output, state = reference(spec, tensors)
    assert_near((torch.nn.functional.silu(found) if silu else found).transpose(1, 2), output)
    np.testing.assert_array_equal(tokens[..., -3:].transpose(1, 2).numpy(), state)
