"""A layer with a gated delta net: its reference, its states, and sequences that have no tokens."""

import numpy as np
import pytest

from irattn import DeltaLayerSpec
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import spec_from_dict
from support.joined import Graph, joined_graphs
from support.states_of_layers import (
    check_that_a_sequence_goes_on,
    check_that_padding_reaches_no_state,
)

pytestmark = pytest.mark.slow

LAYER = DeltaLayerSpec(
    batch=3, q_tokens=14, hidden_size=40, num_k_heads=1, num_v_heads=2, key_dim=16, value_dim=24,
    intermediate_size=56, norm_offset=1.0, dynamic=("q_tokens",), io_dtype="f32",
)  # fmt: skip
EXPERTS = {
    **{"num_experts": 5, "experts_per_token": 2, "intermediate_size": 24, "shared_size": 20},
    "has_shared_gate": True,
}
# Kimi Linear's gates.
CHANNELS = LAYER.replace(intermediate_size=None, norm_offset=0.0, gate_rank=16)
LAYERS = joined_graphs(
    [
        Graph(LAYER),
        Graph(LAYER.replace(batch=1, q_tokens=9, kernel=2, intermediate_size=None, dynamic=())),
        Graph(LAYER.replace(batch=2, intermediate_size=None, experts=EXPERTS)),
        Graph(LAYER.replace(intermediate_size=None, doubles_shares=True, gated_norm_eps=0.1)),
        Graph(CHANNELS),
        Graph(CHANNELS.replace(batch=2, q_tokens=5, io_dtype="f16", dynamic=(), gate_rank=7)),
    ]
)


@pytest.mark.parametrize("one", LAYERS, ids=str)
def test_layers_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def _by_token(tensors):
    """Of one sequence without a convolution's past, the sums that channels' gates come to."""
    x = {name: np.float64(one) for name, one in tensors.items()}
    heads, keys, values = 2, CHANNELS.key_dim, CHANNELS.value_dim
    state, outputs, past = x["state"][0].copy(), [], list(x["conv_state"][0])
    for hidden in x["hidden"]:
        normed = hidden / np.sqrt(np.mean(hidden**2) + CHANNELS.norm_eps) * x["norm_weight"]
        past.append(x["qkv_weight"] @ normed)
        mixed = sum(tap * row for tap, row in zip(x["conv_weight"].T, past[-4:], strict=True))
        mixed = mixed / (1 + np.exp(-mixed))
        query, key = (
            one / np.sqrt(one @ one + 1e-6) for one in (mixed[:keys], mixed[keys:][:keys])
        )
        value = mixed[2 * keys :].reshape(heads, values)
        of_decay, of_gate = np.split(x["gates_down_weight"] @ normed, 2)
        z = (x["decay_weight"] @ of_decay + x["time_bias"]).reshape(heads, keys)
        kept = (1 + np.exp(z)) ** -np.exp(x["decay_log"])[:, None]
        share = 1 / (1 + np.exp(-x["rates_weight"] @ normed))
        rows = []
        for h in range(heads):
            state[h] *= kept[h][:, None]
            state[h] += np.outer(key, share[h] * (value[h] - key @ state[h]))
            rows.append(query @ state[h] * keys**-0.5)
        made = np.stack(rows)
        made /= np.sqrt(np.mean(made**2, axis=1, keepdims=True) + CHANNELS.norm_eps)
        gate = 1 / (1 + np.exp(-x["gate_weight"] @ of_gate))
        gated = (made * x["gated_norm_weight"]).reshape(-1) * gate
        outputs.append(hidden + x["output_weight"] @ gated)
    return np.stack(outputs), np.stack(past[-3:])[None], state[None]


def test_gates_of_channels_token_by_token():
    spec = CHANNELS.replace(batch=1, q_tokens=9, dynamic=())
    tensors = random_tensors(spec) | {"cu_seqlens_q": np.array([0, 9], np.int32)}
    for found, wanted in zip(reference(spec, tensors), _by_token(tensors), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_a_sequence_goes_on_where_its_states_are():
    check_that_a_sequence_goes_on(LAYER, LAYERS[0].load())


def test_padding_reaches_no_state():
    check_that_padding_reaches_no_state(LAYER, LAYERS[0].load())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_k_heads": 3}, "num_k_heads: expected a divisor of num_v_heads = 2, got 3"),
        ({"gate_rank": 0}, "gate_rank: expected"),
        ({"kernel": 9}, "kernel: expected at most 8, got 9"),
        ({"intermediate_size": None, "activation": "gelu"}, "activation: has no effect without"),
        ({"experts": EXPERTS}, "intermediate_size: experts have their own; leave it out"),
        ({"dynamic": ("batch",)}, "dynamic: delta_layer takes q_tokens, got 'batch'"),
        ({"weight_format": {"up_gate": "q8_0"}}, "weight_format: expected a format, or those of"),
        ({"weight_format": "q4_k"}, "hidden_size: .* 256"),
        (
            {"weight_format": {"down": "q8_0"}, "intermediate_size": None},
            "weight_format: down is of an MLP, which this layer has not",
        ),
        (
            {"weight_format": "q8_0", "intermediate_size": None, "experts": EXPERTS},
            "weight_format: experts have their own .*; name qkv, gate, rates and output",
        ),
    ],
)
def test_impossible_layers_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(**changes)


def test_a_layer_is_what_its_json_says():
    with_experts = LAYER.replace(intermediate_size=None, experts=EXPERTS)
    packed = LAYER.replace(weight_format={"rates": "q8_0", "gate": "q4_0"})
    assert packed.weight_format == (("gate", "q4_0"), ("rates", "q8_0"))
    for layer in (LAYER, with_experts, packed, CHANNELS):
        assert spec_from_dict(layer.to_dict()) == layer
    assert "gate_rank" not in LAYER.to_dict()
