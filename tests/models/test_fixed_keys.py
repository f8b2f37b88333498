"""Keys that code reads in another way than their names say, or not at all."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

SIZES = {
    **{"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, "head_dim": 16},
    **{"num_key_value_heads": 2, "intermediate_size": 96, "max_position_embeddings": 128},
}
DELTA = {
    **{**SIZES, "layer_types": ["linear_attention", "full_attention"]},
    **{"linear_num_key_heads": 1, "linear_num_value_heads": 2},
    **{"linear_key_head_dim": 16, "linear_value_head_dim": 16},
}
BAMBA = {
    **{**SIZES, "mamba_n_heads": 4, "mamba_d_head": 32, "mamba_n_groups": 1, "mamba_d_state": 16},
    "attn_layer_indices": [1],
}
LATENT = {
    **{**SIZES, "head_dim": 8, "num_key_value_heads": 4, "kv_lora_rank": 16, "q_lora_rank": None},
    **{"qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 16},
}
EXPERTS = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
COMMAND = {
    **{**SIZES, **EXPERTS, "num_hidden_layers": 4, "sliding_window": 16},
    **{"sliding_window_pattern": 2, "prefix_dense_sliding_window_pattern": 1},
}


@pytest.mark.parametrize(
    ("model_type", "config"),
    [("qwen3_5_text", DELTA), ("qwen3_next", DELTA), ("olmo_hybrid", DELTA), ("bamba", BAMBA)],
)
def test_convolutions_have_the_activation_of_mlps(model_type, config):
    """Convolutions before states have silu, and the code takes `hidden_act` for them, too."""
    model_from_config({**config, "model_type": model_type, "hidden_act": "swish"})
    words = "'silu' or 'swish', all that irattn"
    if model_type == "bamba":
        words = "silu, which irattn's convolutions before Mamba 2's steps have, got 'gelu'"
    with pytest.raises(ConfigError, match=f"hidden_act: expected {words}"):
        model_from_config({**config, "model_type": model_type, "hidden_act": "gelu"})


@pytest.mark.parametrize(("told", "style"), [(True, "interleaved"), (None, "rotate_half")])
def test_null_is_no_interleaved_rotation(told, style):
    config = {**LATENT, "model_type": "youtu", "rope_interleave": told}
    layers = [one.spec for one in model_from_config(config).parts if "layer" in one.phase]
    assert {layer.rope_style for layer in layers} == {style}


def test_qwen_3_vl_always_norms_the_shares_of_experts():
    config = {**SIZES, **EXPERTS, "model_type": "qwen3_vl_moe_text"}
    model_from_config({**config, "norm_topk_prob": True})
    with pytest.raises(ConfigError, match="norm_topk_prob: expected True, all that irattn has"):
        model_from_config({**config, "norm_topk_prob": False})


def test_windows_of_command_a_are_counted_from_the_first_layers():
    """The first layers are those that `first_k_dense_replace` says, not those listed as dense."""
    listed = {"mlp_layer_types": ["dense", "dense", "sparse", "sparse"]}
    parts = model_from_config({**COMMAND, **listed, "model_type": "cohere2_moe"}).parts
    decodes = [one for one in parts if one.phase == "layer_decode"]
    windows = [one.layers for one in decodes if one.spec.attention.window]
    assert sorted(number for layers in windows for number in layers) == [0, 2]


def test_old_settings_of_command_a_with_experts_are_refused():
    config = {**COMMAND, "model_type": "cohere2_moe"}
    scaling = {"type": "linear", "factor": 2.0}
    model_from_config({**config, "rope_scaling": None})
    with pytest.raises(ConfigError, match="rope_scaling: expected null, all that irattn has of"):
        model_from_config({**config, "rope_scaling": scaling})


@pytest.mark.parametrize(
    ("model_type", "told", "message"),
    [
        ("exaone", {"num_layers": 3}, "num_hidden_layers, num_layers: expected the same, .* 2 and"),
        ("exaone", {"rms_norm_eps": 1e-5, "layer_norm_epsilon": 1e-6}, "layer_norm_epsilon, rms_n"),
        ("hunyuan_v1_moe", {"num_experts_per_tok": 1, "moe_topk": [2, 2]}, "_tok, moe_topk: expec"),
        ("ernie4_5_moe", {"moe_k": 2, "num_experts_per_tok": 3}, "num_experts_per_tok, moe_k: exp"),
        ("exaone_moe", {"n_shared_experts": 0, "num_shared_experts": 1}, "n_shared_experts, num_s"),
    ],
)
def test_two_words_for_one_must_agree(model_type, told, message):
    experts = {"num_experts": 4, "moe_num_experts": 4, "moe_intermediate_size": 32}
    with pytest.raises(ConfigError, match=message):
        model_from_config({**SIZES, **experts, **told, "model_type": model_type})


def test_two_words_that_agree_pass():
    config = {**SIZES, "model_type": "hunyuan_v1_moe", "num_experts": 4}
    both = {**config, "moe_topk": [2, 2], "num_experts_per_tok": 2}
    assert model_from_config(both) == model_from_config({**config, "moe_topk": 2})


def test_falcon_rotates_whole_heads():
    own = ("head_dim", "num_key_value_heads", "intermediate_size")
    config = {key: value for key, value in SIZES.items() if key not in own}
    rope = {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5}
    with pytest.raises(ConfigError, match="partial_rotary_factor: expected 1, all that irattn"):
        model_from_config({**config, "model_type": "falcon", "rope_parameters": rope})


@pytest.mark.parametrize(
    ("model_type", "read", "other"),
    [
        ("gemma", "hidden_act", "hidden_activation"),
        ("gemma2", "hidden_activation", "hidden_act"),
        ("gemma3_text", "hidden_activation", "hidden_act"),
    ],
)
def test_gemmas_activation_is_by_one_word(model_type, read, other):
    config = {**SIZES, "model_type": model_type, read: "relu", other: "silu"}
    layers = [one.spec for one in model_from_config(config).parts if "layer" in one.phase]
    assert {layer.activation for layer in layers} == {"relu"}


def test_hunyuan_3_shares_an_expert():
    config = {**SIZES, **EXPERTS, "model_type": "hy_v3", "num_shared_experts": 1}
    model_from_config(config)
    with pytest.raises(ConfigError, match="num_shared_experts: expected at least 1, got 0"):
        model_from_config({**config, "num_shared_experts": 0})


def test_old_settings_of_gemma_3n_are_refused():
    config = {"model_type": "gemma3n_text", "rope_scaling": {"type": "linear", "factor": 2.0}}
    with pytest.raises(ConfigError, match="rope_scaling: expected null, all that irattn has of"):
        model_from_config({**SIZES, **config})


def test_llama_4_norms_heads_that_yarn_makes_longer():
    experts = {"num_local_experts": 4, "num_experts_per_tok": 1}
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}
    config = {**SIZES, **experts, "model_type": "llama4_text", "rope_scaling": yarn}
    model_from_config({**config, "use_qk_norm": False})
    with pytest.raises(ConfigError, match="rope_scaling: expected none of yarn beside use_qk_norm"):
        model_from_config({**config, "use_qk_norm": True})
