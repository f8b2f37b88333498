"""Granite with windows and sinks, and Command A with experts: what their layers are."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

GRANITE = {
    **{"model_type": "granite_swa", "num_hidden_layers": 4, "hidden_size": 64},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 96},
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e4},
}
COHERE = {
    **{"model_type": "cohere2_moe", "num_hidden_layers": 5, "hidden_size": 64, "head_dim": 16},
    **{"num_attention_heads": 4, "intermediate_size": 48, "num_experts": 4},
    **{"first_k_dense_replace": 1, "prefix_dense_intermediate_size": 96, "sliding_window": 16},
}


def decodes(config):
    """For each kind of layers their numbers and spec."""
    model = model_from_config(config, q_len=8, kv_len=512)
    return {part.layers: part.spec for part in model.parts if part.phase == "layer_decode"}


def test_granites_first_layer_of_four_sees_all_keys():
    assert {numbers: bool(one.attention.window) for numbers, one in decodes(GRANITE).items()} == {
        (0,): False,
        (1, 2, 3): True,
    }


@pytest.mark.parametrize("name", ["rope_parameters", "rope_scaling"])
def test_thetas_of_layers_are_the_models(name):
    config = {key: value for key, value in GRANITE.items() if key != "rope_parameters"}
    config |= {name: GRANITE["rope_parameters"], "layer_rope_theta": [0, 5e5, 5e5, 0]}
    rotated = {numbers: one.use_rope and one.theta for numbers, one in decodes(config).items()}
    assert rotated == {(0,): False, (1, 2): 5e5, (3,): False}


@pytest.mark.parametrize(
    ("thetas", "message"),
    [
        ([1e4, 5e5, 1e4, 0], r"layer_rope_theta: expected one theta, or 0, for all layers, got"),
        (1e4, "layer_rope_theta: expected a theta for each layer, got 10000"),
        ([1e4], "no_rope_layers: expected 0 or 1 for each of the 4 layers"),
    ],
)
def test_other_thetas_are_refused(thetas, message):
    with pytest.raises(ConfigError, match=message):
        decodes({**GRANITE, "layer_rope_theta": thetas})


def test_the_first_layers_of_command_a_with_experts():
    """The first layers of Command A have an MLP of their own size, and rotate without a window."""
    found = {
        numbers: (one.use_rope, bool(one.attention.window), one.intermediate_size, one.norm_kind)
        for numbers, one in decodes(COHERE).items()
    }
    assert found == {
        (0,): (True, False, 96, "layer"),
        (1, 2, 3): (True, True, None, "layer"),
        (4,): (False, False, None, "layer"),
    }


def test_first_layers_with_windows_leave_others_unrotated():
    found = decodes(
        {**COHERE, "first_k_dense_replace": 2, "prefix_dense_sliding_window_pattern": 2}
    )
    rotated = {numbers: one.use_rope for numbers, one in found.items()}
    assert rotated == {(0,): True, (1,): False, (2, 3, 4): True}


def test_means_of_shared_experts_leave_attention():
    model = model_from_config({**COHERE, "num_shared_experts": 1}, q_len=8)
    assert not decodes({**COHERE, "num_shared_experts": 1})
    assert "shared_expert_combination_strategy: average: a mean of" in "; ".join(model.notes)


def test_an_unknown_choice_of_experts_is_refused():
    with pytest.raises(ConfigError, match="expert_selection_fn: expected softmax or sigmoid"):
        decodes({**COHERE, "expert_selection_fn": "relu"})
