"""Flint, Lara 4 Mini, HyperCLOVA X and Compass: what their layers are where files leave it open."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config
from irattn.models.config import read

SMALL = {
    **{"num_hidden_layers": 6, "hidden_size": 64, "head_dim": 16, "num_attention_heads": 4},
    **{"num_key_value_heads": 2, "intermediate_size": 96, "sliding_window": 16},
    **{"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 24},
    "shared_expert_intermediate_size": 40,
}
FLINT = {"model_type": "flint", **SMALL}
LARA = {"model_type": "lara_mini", **SMALL}
HYPERCLOVA = {
    **{"model_type": "hyperclovax", "num_hidden_layers": 2, "hidden_size": 64},
    **{"num_attention_heads": 4, "intermediate_size": 96},
}
THETA = {"rope_type": "default", "rope_theta": 5e5}
COMPASS = {
    **{"model_type": "cohere_compass_text", "num_hidden_layers": 2, "hidden_size": 64},
    **{"num_attention_heads": 4, "intermediate_size": 96, "sliding_window": 16},
    "layer_types": ["sliding_attention", "full_attention"],
    "rope_parameters": {"sliding_attention": THETA, "full_attention": None},
}


def decodes(config):
    """For each kind of layers their numbers and spec."""
    model = model_from_config(config, q_len=8, kv_len=512)
    return {part.layers: part.spec for part in model.parts if part.phase == "layer_decode"}


@pytest.mark.parametrize("given", [{}, {"mlp_only_layers": None, "layer_types": None}])
def test_flints_first_layers_are_dense_and_see_all_keys(given):
    found = {
        numbers: (bool(one.attention.window), one.use_rope, one.experts is None)
        for numbers, one in decodes({**FLINT, **given}).items()
    }
    assert found == {
        (0, 1): (False, False, True),
        (2, 3, 4): (True, True, False),
        (5,): (False, False, False),
    }
    assert all(one.attention.sinks for one in decodes(FLINT).values())


def test_laras_kinds_repeat_after_five_layers():
    found = {numbers: one.op for numbers, one in decodes(LARA).items()}
    assert found == {(0, 2, 5): "delta_layer", (1, 4): "decoder_layer", (3,): "decoder_layer"}
    windows = decodes(LARA)[1, 4]
    assert windows.attention.window
    assert windows.use_rope
    assert not decodes(LARA)[(3,)].use_rope
    assert windows.experts.shared_size == 40
    assert not windows.experts.has_shared_gate


@pytest.mark.parametrize("config", [FLINT, LARA])
def test_kinds_need_a_number_of_layers(config):
    fields = {key: value for key, value in config.items() if key != "num_hidden_layers"}
    with pytest.raises(ConfigError, match="layer_types or num_hidden_layers"):
        decodes(fields)


@pytest.mark.parametrize("has_norms", [True, False])
def test_hyperclovas_norms_behind_attention_are_a_key(has_norms):
    (layer,) = decodes({**HYPERCLOVA, "use_post_norm": has_norms}).values()
    assert layer.post_norm == has_norms


def test_hyperclovas_logits_are_multiplied():
    (stack,) = read({**HYPERCLOVA, "logits_scaling": 0.25})
    assert stack.fields["logit_scale"] == 0.25
    assert "logits_scaling" not in stack.fields


def test_kinds_of_compass_rotate_by_their_settings():
    found = decodes(COMPASS)
    assert {numbers: one.use_rope and one.theta for numbers, one in found.items()} == {
        (0,): 5e5,
        (1,): False,
    }
    assert all(one.rope_style == "rotate_half" for one in found.values())


def test_compass_without_kinds_sees_all_keys():
    fields = {key: value for key, value in COMPASS.items() if key != "layer_types"}
    (layer,) = decodes({**fields, "rope_parameters": {"full_attention": THETA}}).values()
    assert layer.attention.window is None
    assert layer.theta == 5e5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (THETA, "rope_parameters: expected a part for each kind of layers"),
        ({"sliding_attention": THETA}, "rope_parameters: full_attention is missing"),
        (None, "rope_parameters: missing"),
    ],
)
def test_compass_needs_settings_of_each_kind(settings, message):
    with pytest.raises(ConfigError, match=message):
        decodes({**COMPASS, "rope_parameters": settings})


@pytest.mark.parametrize("name", ["aya_vision", "cohere2_vision"])
def test_logits_of_command_a_that_sees_images_are_not_scaled(name):
    part = {**SMALL, "model_type": "cohere2", "logit_scale": 0.25}
    kept = {key: value for key, value in part.items() if "expert" not in key and "moe" not in key}
    (stack,) = read({"model_type": name, "text_config": kept})
    assert stack.fields["logit_scale"] == 1.0
