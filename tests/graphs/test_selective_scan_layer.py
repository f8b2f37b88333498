"""A layer with a selective scan: its reference, its states, and sequences without tokens."""

import pytest

import irattn
from irattn import SelectiveScanLayerSpec
from irattn.core.errors import SpecError
from irattn.specs import spec_from_dict
from support.emulated import failed_cases
from support.joined import Graph, joined_graphs
from support.states_of_layers import (
    check_that_a_sequence_goes_on,
    check_that_padding_reaches_no_state,
)

pytestmark = pytest.mark.slow

LAYER = SelectiveScanLayerSpec(
    batch=3, q_tokens=14, hidden_size=40, channels=52, state_size=12, rank=6, step_norm_eps=1e-5,
    has_conv_bias=True, intermediate_size=56, dynamic=("q_tokens",), io_dtype="f32",
)  # fmt: skip
EXPERTS = {"num_experts": 5, "experts_per_token": 2, "intermediate_size": 24}
PLAIN = LAYER.replace(step_norm_eps=None, intermediate_size=None)
LAYERS = joined_graphs(
    [
        Graph(LAYER),
        Graph(PLAIN.replace(batch=1, q_tokens=9, kernel=2, has_conv_bias=False, dynamic=())),
        Graph(LAYER.replace(batch=2, intermediate_size=None, experts=EXPERTS, residual_scale=0.22)),
        Graph(LAYER.replace(plain_mlp=True, activation="relu_squared", norm_offset=1.0)),
        Graph(PLAIN.replace(io_dtype="bf16", channels=64, state_size=16)),
    ]
)


@pytest.mark.parametrize("one", LAYERS, ids=str)
def test_layers_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
def test_amd_code_is_right(target):
    layer = LAYER.replace(intermediate_size=None, io_dtype="f16")
    assert not failed_cases(irattn.compile(layer, target=target))


def test_a_sequence_goes_on_where_its_states_are():
    check_that_a_sequence_goes_on(LAYER, LAYERS[0].load())


def test_padding_reaches_no_state():
    check_that_padding_reaches_no_state(LAYER, LAYERS[0].load())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"channels": 0}, "channels: expected a whole number of at least 1, got 0"),
        ({"rank": 0}, "rank: expected a whole number of at least 1, got 0"),
        ({"has_conv_bias": 1}, "has_conv_bias: expected true or false, got 1"),
        ({"state_size": 33}, "state_size: expected at most 32, got 33"),
        ({"kernel": 9}, "kernel: expected at most 8, got 9"),
        ({"step_norm_eps": -1.0}, "step_norm_eps: expected"),
        ({"intermediate_size": None, "activation": "gelu"}, "activation: has no effect without"),
        ({"experts": EXPERTS}, "intermediate_size: experts have their own; leave it out"),
        ({"dynamic": ("batch",)}, "dynamic: selective_scan_layer takes q_tokens, got 'batch'"),
    ],
)
def test_impossible_layers_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(**changes)


def test_a_layer_is_what_its_json_says():
    with_experts = LAYER.replace(intermediate_size=None, experts=EXPERTS)
    for layer in (LAYER, with_experts):
        assert spec_from_dict(layer.to_dict()) == layer
