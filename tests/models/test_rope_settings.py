"""Settings of the rotation that stand in several places of a file, and which of them count."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

SIZES = {
    **{"num_hidden_layers": 2, "hidden_size": 256, "num_attention_heads": 4},
    **{"num_key_value_heads": 2, "intermediate_size": 96, "max_position_embeddings": 8192},
}
LLAMA = {**SIZES, "model_type": "llama"}
YARN = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0}
TRAINED = {"original_max_position_embeddings": 1024}
OUTSIDE = {"original_max_position_embeddings": 2048}
LINEAR = {"rope_type": "linear", "factor": 2.0}
LISTS = {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32}
LLAMA_3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
PARTS = {
    "full_attention": {**LINEAR, "rope_theta": 1e4},
    "sliding_attention": {"rope_type": "default", "rope_theta": 100.0},
}


def layer_of(config):
    model = model_from_config(config, q_len=8, kv_len=64)
    return next(part.spec for part in model.parts if part.phase == "layer_decode")


@pytest.mark.parametrize("scaling", [YARN, {**LLAMA_3}, {"rope_type": "longrope", **LISTS}])
@pytest.mark.parametrize("name", ["rope_parameters", "rope_scaling"])
def test_the_trained_length_outside_of_settings_counts(name, scaling):
    config = {**LLAMA, name: {**scaling, **TRAINED}}
    assert layer_of(config).scaling.original_max_position == 1024
    assert layer_of({**config, **OUTSIDE}).scaling.original_max_position == 2048


def test_a_factor_of_longrope_counts_beside_both_lengths():
    settings = {"rope_type": "longrope", "factor": 16.0, **LISTS}
    config = {**LLAMA, "model_type": "phi3", "rope_parameters": settings, **TRAINED}
    assert layer_of(config).scaling.factor == 16.0


def test_null_truncates_no_bounds_of_yarn():
    for told, truncates in ({"truncate": None}, False), ({"truncate": False}, False), ({}, True):
        config = {**LLAMA, "rope_parameters": {**YARN, **TRAINED, **told}}
        assert layer_of(config).scaling.truncate is truncates


def test_two_settings_must_say_the_same():
    both = {**LLAMA, "rope_parameters": {**LINEAR, "rope_theta": 700.0}, "rope_scaling": LINEAR}
    assert layer_of({**both, "rope_theta": 700.0}).theta == 700.0
    with pytest.raises(ConfigError, match=r"the same, got others for rope_theta$"):
        model_from_config(both)


@pytest.mark.parametrize(
    ("model_type", "name"),
    [("llama", "rope_parameters"), ("exaone4", "rope_parameters"), ("gemma3_text", "rope_scaling")],
)
def test_parts_for_kinds_of_layers_are_for_code_that_reads_them(model_type, name):
    message = rf"{name}: expected settings for all layers, which alone .* got parts for full_att"
    with pytest.raises(ConfigError, match=message):
        model_from_config({**SIZES, "model_type": model_type, name: PARTS})


def test_the_bounds_of_yarn_in_a_part_are_whole():
    part = {**YARN, **TRAINED, "truncate": False}
    parts = {**PARTS, "full_attention": part}
    config = {**SIZES, "model_type": "gemma3_text", "layer_types": [*PARTS]}
    model_from_config({**config, "rope_parameters": PARTS})
    with pytest.raises(ConfigError, match="truncate: expected true in a part"):
        model_from_config({**config, "rope_parameters": parts})


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rope_theta", 500.0, r"rope_theta: expected rotary_emb_base = 10000.0, got 500"),
        ("partial_rotary_factor", 0.5, r"partial_rotary_factor: expected rotary_pct = 0.25, got 0"),
    ],
)
def test_gpt_neox_goes_by_words_of_its_own(key, value, message):
    """Files that transformers wrote say the same in others' words."""
    config = {key: value for key, value in SIZES.items() if key != "num_key_value_heads"}
    config["model_type"] = "gpt_neox"
    words = {"rotary_emb_base": 500.0, "rotary_pct": 0.5}
    same = layer_of({**config, **words, "rope_theta": 500.0, "partial_rotary_factor": 0.5})
    assert same == layer_of({**config, **words})
    with pytest.raises(ConfigError, match=message):
        model_from_config({**config, key: value})


@pytest.mark.parametrize(
    ("model_type", "theta"),
    [("cohere", 5e5), ("minimax_m2", 5e6), ("olmo3", 5e5), ("smollm3", 2e6), ("cohere2", 1e4)],
)
def test_thetas_that_files_leave_out_are_those_of_classes(model_type, theta):
    experts = {"num_local_experts": 4, "num_experts_per_tok": 2}
    own = experts if model_type == "minimax_m2" else {}
    assert layer_of({**SIZES, **own, "model_type": model_type}).theta == theta


def test_a_part_without_a_trained_length_has_the_models():
    parts = {**PARTS, "full_attention": YARN}
    config = {**SIZES, "model_type": "gemma3_text", "layer_types": ["full_attention"] * 2}
    assert (
        layer_of({**config, **OUTSIDE, "rope_parameters": parts}).scaling
        == layer_of({**config, "rope_parameters": parts}).scaling
    )


def test_thetas_of_olmo_3_stand_in_parts():
    """The code has the theta outside for layers without windows alone."""
    config = {**SIZES, "model_type": "olmo3", "layer_types": [*PARTS]}
    model_from_config({**config, "rope_theta": 500.0, "rope_parameters": PARTS})
    model_from_config({**config, "rope_theta": 5e5})
    with pytest.raises(ConfigError, match=r"rope_theta: expected 500000.0, which the code has for"):
        model_from_config({**config, "rope_theta": 500.0})
