"""A layer with a state-space step: its reference, its states, and sequences without tokens."""

import pytest

from irattn import StateSpaceLayerSpec
from irattn.core.errors import SpecError
from irattn.specs import spec_from_dict
from support.joined import Graph, joined_graphs
from support.states_of_layers import (
    check_that_a_sequence_goes_on,
    check_that_padding_reaches_no_state,
)

pytestmark = pytest.mark.slow

LAYER = StateSpaceLayerSpec(
    batch=3, q_tokens=14, hidden_size=40, num_groups=2, num_heads=4, state_size=20, head_dim=12,
    has_conv_bias=True, intermediate_size=56, dynamic=("q_tokens",), io_dtype="f32",
)  # fmt: skip
EXPERTS = {
    **{"num_experts": 5, "experts_per_token": 2, "intermediate_size": 24, "shared_size": 20},
    "has_shared_gate": True,
}
PACKED = LAYER.replace(
    **{"hidden_size": 64, "state_size": 16, "head_dim": 16, "intermediate_size": 64},
    weight_format={
        **dict.fromkeys(("gate", "channels", "steps"), "q4_0"),
        **{"output": "q8_0", "gate_up": "q4_0", "down": "q8_0"},
    },
)
LAYERS = joined_graphs(
    [
        Graph(LAYER),
        Graph(LAYER.replace(batch=1, q_tokens=9, kernel=2, intermediate_size=None, dynamic=())),
        Graph(LAYER.replace(batch=2, intermediate_size=None, experts=EXPERTS, residual_scale=0.22)),
        Graph(LAYER.replace(num_groups=1, num_heads=3, has_conv_bias=False, norm_offset=1.0)),
        Graph(LAYER.replace(plain_mlp=True, activation="relu_squared")),
        Graph(LAYER.replace(has_residual_input=True, skips_group_norm=True)),
        Graph(PACKED),
        Graph(LAYER.replace(io_dtype="bf16", head_dim=16, intermediate_size=None)),
    ]
)


@pytest.mark.parametrize("one", LAYERS, ids=str)
def test_layers_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_a_sequence_goes_on_where_its_states_are():
    check_that_a_sequence_goes_on(LAYER, LAYERS[0].load())


def test_padding_reaches_no_state():
    check_that_padding_reaches_no_state(LAYER, LAYERS[0].load())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_groups": 3}, "num_groups: expected a divisor of num_heads = 4, got 3"),
        ({"plain_mlp": True, "intermediate_size": None}, "plain_mlp: has no effect without"),
        ({"skips_group_norm": 1}, "skips_group_norm: expected true or false, got 1"),
        ({"residual_scale": 0.0}, "residual_scale: expected a number from 1e-6 to 1e6, got 0.0"),
        ({"has_conv_bias": 1}, "has_conv_bias: expected true or false, got 1"),
        ({"state_size": 300}, "state_size: expected at most 256, got 300"),
        ({"kernel": 9}, "kernel: expected at most 8, got 9"),
        ({"intermediate_size": None, "activation": "gelu"}, "activation: has no effect without"),
        ({"experts": EXPERTS}, "intermediate_size: experts have their own; leave it out"),
        ({"weight_format": {"into": "q8_0"}}, "weight_format: expected a format, or those of"),
        ({"weight_format": {"output": "q4_k"}}, "256"),
        (
            {"weight_format": {"down": "q8_0"}, "intermediate_size": None},
            "weight_format: down is of an MLP, which this layer has not",
        ),
        (
            {"weight_format": "q8_0", "intermediate_size": None, "experts": EXPERTS},
            "weight_format: experts have their own .*; name gate, channels, steps and output",
        ),
        ({"dynamic": ("batch",)}, "dynamic: state_space_layer takes q_tokens, got 'batch'"),
    ],
)
def test_impossible_layers_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(**changes)


def test_a_layer_is_what_its_json_says():
    with_experts = LAYER.replace(intermediate_size=None, experts=EXPERTS)
    for layer in (LAYER, with_experts, PACKED, LAYER.replace(residual_scale=0.5)):
        assert spec_from_dict(layer.to_dict()) == layer
    # Layers without a factor have the JSON that they had before there was one.
    for layer in (LAYER, LAYER.replace(residual_scale=1)):
        late = {"residual_scale", "plain_mlp", "has_residual_input", "skips_group_norm"}
        late |= {"weight_format"}
        assert not late & layer.to_dict().keys()
