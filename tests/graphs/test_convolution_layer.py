"""A layer with a short convolution: its reference, its states, and sequences without tokens."""

import numpy as np
import pytest

import irattn
from irattn import ConvolutionLayerSpec
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import spec_from_dict
from support.emulated import failed_cases
from support.joined import Graph, joined_graphs

pytestmark = pytest.mark.slow

LAYER = ConvolutionLayerSpec(
    batch=3, q_tokens=14, hidden_size=40, intermediate_size=56, dynamic=("q_tokens",),
    io_dtype="f32",
)  # fmt: skip
EXPERTS = {
    **{"num_experts": 5, "experts_per_token": 2, "intermediate_size": 24, "scores": "sigmoid"},
    **{"has_choice_bias": True, "sum_eps": 1e-2},
}
# Blocks of each kind, each weight apart, and scales apart; activations that are rounded, too.
BLOCKS = {"in": "q4_k", "out": "q8_0", "gate": "q5_k", "up": "q6_k", "down": "q4_0"}
WIDE = LAYER.replace(hidden_size=256, intermediate_size=96, weight_format=BLOCKS)
QUANTISED = [
    WIDE,
    WIDE.replace(activation_format="int8", kernel=4),
    LAYER.replace(hidden_size=64, intermediate_size=32, io_dtype="bf16", weight_format="fp8_block"),
    LAYER.replace(
        hidden_size=64,
        intermediate_size=None,
        weight_format={"out": "int8_channel"},
        experts={**EXPERTS, "intermediate_size": 32, "weight_format": "int8_channel"},
        io_dtype="f16",
        dynamic=(),
    ),
]
LAYERS = joined_graphs(
    [
        Graph(LAYER),
        Graph(LAYER.replace(batch=1, q_tokens=9, kernel=2, intermediate_size=None, dynamic=())),
        Graph(LAYER.replace(batch=2, kernel=4, intermediate_size=None, experts=EXPERTS)),
        Graph(LAYER.replace(io_dtype="bf16", hidden_size=33)),
        Graph(LAYER.replace(kernel=7, post_norm=True, residual_scale=0.5, norm_offset=1.0)),
        Graph(LAYER.replace(kernel=8, post_norm=True, intermediate_size=None, io_dtype="f16")),
        *map(Graph, QUANTISED),
    ]
)


@pytest.mark.parametrize("one", LAYERS, ids=str)
def test_convolution_layers_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize("formats", ["q8_0", {"in": "fp8_block", "out": "int8_channel"}], ids=str)
def test_quantised_weights_meet_the_reference_on_gpus(formats):
    sizes = {"hidden_size": 64, "intermediate_size": 32, "io_dtype": "f16", "dynamic": ()}
    spec = LAYER.replace(weight_format=formats, **sizes)
    assert failed_cases(irattn.compile(spec, target="gfx1100")) == []


def in_steps(tensors, steps):
    """The outputs of each sequence, whose tokens come in steps of some, and the last state."""
    begins = tensors["cu_seqlens_q"][:-1].copy()
    state, outputs = tensors["conv_state"], [[] for _ in begins]
    for counts in steps:
        places = [
            np.arange(first, first + count) for first, count in zip(begins, counts, strict=True)
        ]
        given = {
            **tensors,
            "hidden": tensors["hidden"][np.concatenate(places)],
            "cu_seqlens_q": np.cumsum([0, *counts], dtype=np.int32),
            "conv_state": state,
        }
        output, state = LAYERS[0].load()(**given)
        for own, part in zip(outputs, np.split(output, np.cumsum(counts)[:-1]), strict=True):
            own.append(part)
        begins += counts
    return np.concatenate([np.concatenate(own) for own in outputs]), state


@pytest.mark.parametrize(
    "steps",
    [
        # Fewer tokens than the state has, none at all, and the rest.
        [(1, 0, 1), (1, 2, 0), (4, 1, 4)],
        [(2, 3, 5), (4, 0, 0)],
    ],
)
def test_steps_give_the_bits_of_one_call(steps):
    bounds = np.array([0, 6, 9, 14], np.int32)
    tensors = random_tensors(LAYER) | {"cu_seqlens_q": bounds}
    expected, expected_state = LAYERS[0].load()(**tensors)
    output, state = in_steps(tensors, steps)
    np.testing.assert_array_equal(output, expected)
    np.testing.assert_array_equal(state, expected_state)


def test_padding_reaches_no_convolution():
    tensors = random_tensors(LAYER) | {"cu_seqlens_q": np.array([0, 5, 5, 9], np.int32)}
    expected = LAYERS[0].load()(**tensors)
    tensors["hidden"][9:] = np.nan
    output, state = LAYERS[0].load()(**tensors)
    np.testing.assert_array_equal(output[:9], expected[0][:9])
    np.testing.assert_array_equal(state, expected[1])


def test_the_layer_is_what_the_formula_says():
    """Of one token of one sequence, by hand."""
    spec = LAYER.replace(batch=1, q_tokens=1, intermediate_size=None, dynamic=())
    tensors = random_tensors(spec) | {"cu_seqlens_q": np.array([0, 1], np.int32)}
    x = tensors["hidden"].astype(np.float64)[0]
    normed = x / np.sqrt(np.mean(x * x) + spec.norm_eps) * tensors["norm_weight"]
    b, c, z = (tensors["in_weight"].astype(np.float64) @ normed).reshape(3, -1)
    tokens = np.concatenate([tensors["conv_state"][0], (b * z)[None]])
    mixed = np.sum(tokens * tensors["conv_weight"].T, axis=0)
    output, state = reference(spec, tensors)
    np.testing.assert_allclose(output[0], x + tensors["out_weight"] @ (c * mixed), rtol=1e-12)
    np.testing.assert_allclose(state[0], tokens[1:], rtol=1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weight_format": {"qkv": "q8_0"}}, "weight_format: expected a format, or those of some"),
        ({"weight_format": "q8_0"}, "hidden_size: q8_0 has blocks of 32 elements"),
        ({"activation_format": "int8"}, "activation_format: int8 is for weights in blocks"),
        (
            {"intermediate_size": None, "weight_format": {"down": "int8_channel"}},
            "weight_format: down is of an MLP, which this layer has not",
        ),
        (
            {"intermediate_size": None, "experts": EXPERTS, "weight_format": "int8_channel"},
            "weight_format: experts have their own .*; name in and out",
        ),
        ({"kernel": 9}, "kernel: expected at most 8, got 9"),
        ({"intermediate_size": None, "activation": "gelu"}, "activation: has no effect without"),
        ({"experts": EXPERTS}, "intermediate_size: experts have their own; leave it out"),
        ({"dynamic": ("batch",)}, "dynamic: convolution_layer takes q_tokens, got 'batch'"),
        (
            {"intermediate_size": None, "experts": {**EXPERTS, "is_normalized": False}},
            "sum_eps: only normalized scores of sigmoid have it; leave it out",
        ),
    ],
)
def test_impossible_convolution_layers_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(**changes)


def test_a_convolution_layer_is_what_its_json_says():
    with_experts = LAYER.replace(intermediate_size=None, experts=EXPERTS)
    for layer in (LAYER, with_experts, *QUANTISED):
        assert spec_from_dict(layer.to_dict()) == layer
