"""A layer with lightning attention: its reference, its states, and sequences without tokens."""

import numpy as np
import pytest

from irattn import LightningLayerSpec
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import spec_from_dict
from support.joined import Graph, joined_graphs
from support.states_of_layers import parts

pytestmark = pytest.mark.slow

LAYER = LightningLayerSpec(
    batch=3, q_tokens=14, hidden_size=40, num_heads=3, head_dim=12, intermediate_size=56,
    dynamic=("q_tokens",), io_dtype="f32",
)  # fmt: skip
EXPERTS = {"num_experts": 5, "experts_per_token": 2, "intermediate_size": 24}
HALF = LAYER.replace(intermediate_size=None)
LAYERS = joined_graphs(
    [
        Graph(LAYER),
        Graph(HALF.replace(batch=1, q_tokens=9, gated_norm_eps=0.1, dynamic=())),
        Graph(HALF.replace(batch=2, experts=EXPERTS, residual_scale=0.22, norm_eps=0.1)),
        Graph(LAYER.replace(plain_mlp=True, activation="relu_squared", norm_offset=1.0)),
        Graph(HALF.replace(io_dtype="bf16", head_dim=16)),
        Graph(LAYER.replace(io_dtype="f16", num_heads=2, head_dim=20)),
    ]
)


@pytest.mark.parametrize("one", LAYERS, ids=str)
def test_lightning_layers_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_a_text_goes_on_where_its_state_is():
    """In two steps, in which another has no tokens once: what one step gives, by both."""
    tensors = random_tensors(LAYER)
    at_once = parts(tensors, [(0, 6), (6, 7), (7, 14)])
    first, second = ([(0, 4), (6, 6), (7, 9)], [(4, 6), (6, 7), (9, 14)])
    for run in (LAYERS[0].load(), lambda **given: reference(LAYER, given)):
        expected, at_the_end = run(**at_once)
        begun, state = run(**parts(tensors, first))
        np.testing.assert_array_equal(state[1], tensors["state"][1])
        done, end = run(**parts(tensors | {"state": np.float32(state)}, second))
        together = np.concatenate([begun[:4], done[:2], done[2:3], begun[4:], done[3:]])
        np.testing.assert_allclose(together, expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(end, at_the_end, rtol=1e-4, atol=1e-5)


def test_padding_reaches_no_lightning():
    tensors = random_tensors(LAYER) | {"cu_seqlens_q": np.array([0, 5, 5, 9], np.int32)}
    expected, expected_state = LAYERS[0].load()(**tensors)
    tensors["hidden"][9:] = np.nan
    output, state = LAYERS[0].load()(**tensors)
    np.testing.assert_array_equal(output[:9], expected[:9])
    np.testing.assert_array_equal(state, expected_state)


def test_a_token_is_what_the_formula_says():
    """Of one token of one sequence, by hand."""
    spec = HALF.replace(batch=1, q_tokens=1, residual_scale=0.5, dynamic=())
    tensors = random_tensors(spec) | {"cu_seqlens_q": np.array([0, 1], np.int32)}
    wide = {name: np.float64(array) for name, array in tensors.items()}
    x = wide["hidden"][0]
    made = wide["qkv_weight"] @ x
    query, key, value = (made / (1 + np.exp(-made))).reshape(3, 3, 12)
    kept = np.exp(wide["log_kept"])[:, None, None] * wide["state"][0]
    state = kept + key[:, :, None] * value[:, None]
    read = np.einsum("hk,hkv->hv", query, state).reshape(-1)
    normed = read / np.sqrt(np.mean(read * read) + 1e-6) * wide["gated_norm_weight"]
    change = wide["output_weight"] @ (normed / (1 + np.exp(-wide["gate_weight"] @ x)))
    total = x + 0.5 * change
    expected = total / np.sqrt(np.mean(total * total) + 1e-6) * wide["post_norm_weight"]
    output, found = reference(spec, tensors)
    np.testing.assert_allclose(output[0], expected, rtol=1e-12)
    np.testing.assert_allclose(found[0], state, rtol=1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_heads": 0}, "num_heads: expected"),
        ({"head_dim": 300}, "head_dim: expected at most 256, got 300"),
        ({"gated_norm_eps": -1.0}, "gated_norm_eps: expected"),
        ({"residual_scale": 0.0}, "residual_scale: expected a number from 1e-6 to 1e6, got 0.0"),
        ({"plain_mlp": True, "intermediate_size": None}, "plain_mlp: has no effect without"),
        ({"experts": EXPERTS}, "intermediate_size: experts have their own; leave it out"),
        ({"dynamic": ("batch",)}, "dynamic: lightning_layer takes q_tokens, got 'batch'"),
    ],
)
def test_impossible_lightning_layers_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(**changes)


def test_a_lightning_layer_is_what_its_json_says():
    for layer in (LAYER, HALF.replace(experts=EXPERTS)):
        assert spec_from_dict(layer.to_dict()) == layer
