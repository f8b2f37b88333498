"""A layer with a gated delta net: its reference, its states, and sequences that have no tokens."""

import numpy as np
import pytest

from irattn import DeltaLayerSpec
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import spec_from_dict
from support.joined import Graph, joined_graphs

pytestmark = pytest.mark.slow

LAYER = DeltaLayerSpec(
    batch=3, q_tokens=14, hidden_size=40, num_k_heads=1, num_v_heads=2, key_dim=16, value_dim=24,
    intermediate_size=56, norm_offset=1.0, dynamic=("q_tokens",), io_dtype="f32",
)  # fmt: skip
EXPERTS = {
    **{"num_experts": 5, "experts_per_token": 2, "intermediate_size": 24, "shared_size": 20},
    "has_shared_gate": True,
}
LAYERS = joined_graphs(
    [
        Graph(LAYER),
        Graph(LAYER.replace(batch=1, q_tokens=9, kernel=2, intermediate_size=None, dynamic=())),
        Graph(LAYER.replace(batch=2, intermediate_size=None, experts=EXPERTS)),
        Graph(LAYER.replace(intermediate_size=None, doubles_shares=True, gated_norm_eps=0.1)),
    ]
)


@pytest.mark.parametrize("one", LAYERS, ids=str)
def test_layers_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def parts(tensors, bounds):
    """A call with the tokens of some bounds, which are those of all sequences one by one."""
    rows = np.concatenate([np.arange(*ends) for ends in bounds])
    counts = [end - start for start, end in bounds]
    return {
        **tensors,
        "hidden": tensors["hidden"][rows],
        "cu_seqlens_q": np.cumsum([0, *counts], dtype=np.int32),
    }


def test_a_sequence_goes_on_where_its_states_are():
    """In two steps, in which another has no tokens once: what one step gives, by both."""
    tensors = random_tensors(LAYER)
    at_once = parts(tensors, [(0, 6), (6, 7), (7, 14)])
    first, second = ([(0, 4), (6, 6), (7, 9)], [(4, 6), (6, 7), (9, 14)])
    for run in (LAYERS[0].load(), lambda **given: reference(LAYER, given)):
        expected, *states = run(**at_once)
        begun, conv_state, state = run(**parts(tensors, first))
        np.testing.assert_array_equal(state[1], tensors["state"][1])
        np.testing.assert_array_equal(conv_state[1], tensors["conv_state"][1])
        kept = {"conv_state": np.float32(conv_state), "state": np.float32(state)}
        done, *ends = run(**parts(tensors | kept, second))
        together = np.concatenate([begun[:4], done[:2], done[2:3], begun[4:], done[3:]])
        np.testing.assert_allclose(together, expected, rtol=1e-4, atol=1e-5)
        for end, at_the_end in zip(ends, states, strict=True):
            np.testing.assert_allclose(end, at_the_end, rtol=1e-4, atol=1e-5)


def test_padding_reaches_no_state():
    tensors = random_tensors(LAYER) | {"cu_seqlens_q": np.array([0, 5, 5, 9], np.int32)}
    expected = LAYERS[0].load()(**tensors)
    tensors["hidden"][9:] = np.nan
    output, *states = LAYERS[0].load()(**tensors)
    np.testing.assert_array_equal(output[:9], expected[0][:9])
    for state, other in zip(states, expected[1:], strict=True):
        np.testing.assert_array_equal(state, other)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_k_heads": 3}, "num_k_heads: expected a divisor of num_v_heads = 2, got 3"),
        ({"kernel": 5}, "kernel: expected at most 4, got 5"),
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
    for layer in (LAYER, with_experts, packed):
        assert spec_from_dict(layer.to_dict()) == layer
