"""The activation that is learned, Apertus's xIELU: by hand, compiled, and in a layer."""

import numpy as np
import pytest

from irattn import DecoderLayerSpec, MixtureOfExpertsSpec, MlpSpec
from irattn.core.errors import SpecError
from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import load_artifact
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from support.joined import artifacts_of, together

pytestmark = pytest.mark.slow

MLP = MlpSpec(
    batch=2, q_len=5, hidden_size=24, intermediate_size=40, activation="xielu", io_dtype="f32"
)
ONE = MLP.replace(batch=1, q_len=6, hidden_size=1, intermediate_size=1, gated=False)
LAYER = DecoderLayerSpec(
    attention=PackedPagedAttentionSpec(
        **{"batch": 2, "q_tokens": 5, "num_q_heads": 2, "num_kv_heads": 1, "head_dim": 8},
        **{"block_size": 4, "num_blocks": 4, "max_blocks": 2, "io_dtype": "f32"},
    ),
    **{"hidden_size": 24, "max_positions": 8, "intermediate_size": 40},
    **{"activation": "xielu", "gated": False},
)
MADE = [
    *(MLP.replace(gated=gated, io_dtype=dtype) for gated, dtype in ((False, "f32"), (True, "f16"))),
    MLP.replace(io_dtype="bf16", gated=False, has_bias=True),
    MLP.replace(q_len=1, batch=1, gated=False),
    LAYER,
]
COMPILED = {one.graph.spec: one for one in together([*MADE, ONE])}


@pytest.mark.parametrize("spec", MADE, ids=str)
def test_compiled_xielu(spec):
    verdict = COMPILED[spec].verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_xielu_on_a_gpu(target):
    for spec, artifact in artifacts_of(MADE[:2], target).items():
        tensors = random_tensors(spec)
        found = load_artifact(artifact, "emulator")(**tensors)
        tolerance = 1e-5 if spec.io_dtype == "f32" else 2e-2
        np.testing.assert_allclose(found, reference(spec, tensors)[0], atol=tolerance)


def test_xielu_by_hand():
    """Above 0 a parabola, below it an exponential, which the edge cuts; a straight line in both."""
    above, below, slope, edge = 0.8, 0.6, 0.5, -0.25
    hidden = np.array([-3e38, -2, -0.125, 0, 1, 3], np.float32)
    expected = [
        # As much as numbers of f32 can tell.
        *(3e38 * below - 3e38 * slope, below * (np.exp(-2) + 1) - 2 * slope),
        below * (np.exp(edge) - 1 + 0.125) - 0.125 * slope,
        *(below * (np.exp(edge) - 1), above + slope, 9 * above + 3 * slope),
    ]
    unit = np.ones((1, 1), np.float32)
    tensors = {
        **{"hidden": hidden.reshape(1, 6, 1), "up_weight": unit, "down_weight": unit},
        "activation_weight": np.array([above, below, slope, edge], np.float32),
    }
    for found in (reference(ONE, tensors)[0], COMPILED[ONE].load()(**tensors)):
        np.testing.assert_allclose(found.ravel(), expected, rtol=1e-5)


@pytest.mark.parametrize("scale", [1, 1e3])
def test_errors_of_xielu_are_within_their_bounds(scale):
    spec = MADE[0]
    tensors = random_tensors(spec)
    tensors["hidden"] *= scale
    expected = reference(spec, tensors)
    found = COMPILED[spec].load()(**tensors)
    (bound,) = error_bounds(spec, tensors, expected, [np.ones(expected[0].shape, bool)])
    off = np.abs(found - expected[0])
    assert (off <= bound).all()
    # No bound that anything keeps to.
    assert bound.max() < 1e-3 * np.abs(expected[0]).max()


def test_experts_have_no_learned_activation():
    with pytest.raises(SpecError, match=r"activation: expected one of silu, .*got 'xielu'"):
        MixtureOfExpertsSpec(
            **{"q_len": 1, "hidden_size": 8, "intermediate_size": 8, "num_experts": 2},
            **{"experts_per_token": 1, "activation": "xielu"},
        )
