"""Configurations as their makers publish them: what they say in words of their own, read right.

The keys that matter, of files on the Hugging Face Hub; sizes are the files' where they count.
"""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config


def decode_layers(config):
    """The layers of one token, by the label of their kind."""
    model = model_from_config(config, q_len=16, kv_len=512)
    return {part.kind: part for part in model.parts if part.phase == "layer_decode"}


def only_layer(config):
    (part,) = decode_layers(config).values()
    return part.spec


SIZES = {"hidden_size": 64, "num_hidden_layers": 2, "intermediate_size": 96}
HEADS = {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 128}
EXPERTS = {"num_local_experts": 8, "num_experts_per_tok": 2}


def test_minimax_m2_counts_the_columns_that_are_rotated():
    m2 = {**SIZES, **HEADS, **EXPERTS, "model_type": "minimax_m2"}
    assert only_layer({**m2, "rotary_dim": 64}).rotary_dim == 64
    # The newer way to say it comes first.
    share = {"rope_parameters": {"rope_theta": 5e6, "partial_rotary_factor": 0.25}}
    assert only_layer({**m2, "rotary_dim": 64, **share}).rotary_dim == 32


def test_minimax_m2_calls_its_weights_as_pytorch_does():
    said = {"quant_method": "fp8", "fmt": "float8_e4m3fn", "activation_scheme": "dynamic"}
    said |= {"weight_block_size": [128, 128], "modules_to_not_convert": ["gate", "lm_head"]}
    m2 = {**SIZES, **HEADS, **EXPERTS, "model_type": "minimax_m2", "hidden_size": 128}
    layer = only_layer({**m2, "intermediate_size": 128, "quantization_config": said})
    assert dict(layer.weight_format)["qkv"] == "fp8_block"


STARCODER_2 = {"model_type": "starcoder2", "mlp_type": "default", "scale_attn_weights": True}
STABLELM = {"model_type": "stablelm", "rotary_scaling_factor": 1.0, "qk_layernorm": False}
PYTHIA = {"model_type": "gpt_neox", "rotary_pct": 0.5, "rotary_emb_base": 40000}
IQUEST = {"model_type": "iquestcoder", "use_sliding_window": False, "max_window_layers": 40}
EXAONE = {
    **{"model_type": "exaone4", "sliding_window": 4096, "sliding_window_pattern": "LLLG"},
    "layer_types": ["full_attention"] * 2,
}


@pytest.mark.parametrize("said", [STARCODER_2, STABLELM, PYTHIA, IQUEST, EXAONE])
def test_words_of_dense_models(said):
    """What their code takes for granted, and what has no effect."""
    heads = {key: 4 for key in ("num_attention_heads", "num_key_value_heads")}
    if said is PYTHIA:
        del heads["num_key_value_heads"]
    layer = only_layer({**SIZES, **heads, **said})
    if said is PYTHIA:
        assert (layer.theta, layer.rotary_dim) == (40000, 8)
    if said is EXAONE:
        assert not layer.use_rope


def test_hunyuan_3_has_an_mlp_in_its_first_layer():
    said = {"enable_attention_fp32_softmax": False, "first_k_dense_replace": 1}
    hy = {**SIZES, **HEADS, "model_type": "hy_v3", "router_scaling_factor": 2.826, **said}
    layers = decode_layers(hy)
    assert layers["full_dense"].layers == (0,)
    assert layers["full"].spec.experts.routed_scale == 2.826
    with pytest.raises(ConfigError, match="first_k_dense_replace"):
        model_from_config({**hy, "first_k_dense_replace": 2})


GLM_4_7_FLASH = {
    **{"model_type": "glm4_moe_lite", "hidden_size": 64, "num_hidden_layers": 4},
    **{"n_group": 1, "topk_group": 1, "scoring_func": "sigmoid", "first_k_dense_replace": 1},
}


def test_glm_4_7_flash_has_an_mlp_in_its_first_layer():
    """Whose file says so by a key that its code does not read."""
    layers = decode_layers(GLM_4_7_FLASH)
    assert {kind: part.layers for kind, part in layers.items()} == {
        "full": (1, 2, 3), "full_dense": (0,)
    }  # fmt: skip
    listed = {"mlp_layer_types": ["dense", "dense", "sparse", "sparse"]}
    assert decode_layers({**GLM_4_7_FLASH, **listed})["full_dense"].layers == (0, 1)
    with pytest.raises(ConfigError, match="first_k_dense_replace"):
        model_from_config({**GLM_4_7_FLASH, "first_k_dense_replace": 2})


def test_llama_4_scout_tells_wavelengths_apart_at_one_length():
    scaling = {
        **{"rope_type": "llama3", "factor": 16.0, "original_max_position_embeddings": 8192},
        **{"low_freq_factor": 1.0, "high_freq_factor": 1.0},
    }
    scout = {**SIZES, **HEADS, **EXPERTS, "model_type": "llama4_text", "rope_scaling": scaling}
    layer = only_layer({**scout, "_attn_implementation_autoset": True})
    assert layer.scaling.high_freq_factor == 1.0


def test_gemma_says_gelu_and_means_the_tanh():
    gemma = {**SIZES, **HEADS, "model_type": "gemma", "hidden_act": "gelu"}
    assert only_layer({**gemma, "hidden_activation": None}).activation == "gelu_tanh"
    llama = {**SIZES, **HEADS, "model_type": "llama", "hidden_act": "gelu"}
    assert only_layer(llama).activation == "gelu"


@pytest.mark.parametrize(
    ("model_type", "key", "value"),
    [("gemma2", "sliding_window_size", 4096), ("cohere2", "rotary_pct", 1.0)],
)
def test_keys_that_are_said_again(model_type, key, value):
    config = {**SIZES, **HEADS, "model_type": model_type}
    assert model_from_config({**config, key: value}).specs == model_from_config(config).specs


GEMMA_4_MOE = {
    **{"model_type": "gemma4_text", "hidden_size": 2816, "intermediate_size": 2112},
    **{"num_attention_heads": 16, "num_key_value_heads": 8, "num_hidden_layers": 30},
    **{"num_global_key_value_heads": 2, "attention_k_eq_v": True, "sliding_window": 1024},
    **{"hidden_size_per_layer_input": 0, "enable_moe_block": True, "num_experts": 128},
    **{"top_k_experts": 8, "moe_intermediate_size": 704},
    "rope_parameters": {
        "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25},
        "sliding_attention": {"rope_type": "default"},
    },
}


def test_gemma_4_has_experts_beside_its_mlps():
    layer = decode_layers(GEMMA_4_MOE)["full"].spec
    assert layer.intermediate_size == 2112
    experts = layer.experts_beside
    assert (experts.num_experts, experts.experts_per_token) == (128, 8)
    assert (experts.intermediate_size, experts.activation) == (704, "gelu_tanh")
    assert (experts.has_router_input, experts.has_expert_scales) == (True, True)


def test_gemma_4_numbers_its_layers_in_as_many_digits():
    """As transformers writes files of ten layers and more."""
    own = {"head_dim": 512, "num_key_value_heads": 2}
    listed = {f"{number:02}": own for number in range(5, 30, 6)}
    same = model_from_config({**GEMMA_4_MOE, "per_layer_config": listed})
    assert same.specs == model_from_config(GEMMA_4_MOE).specs


GRANITE_4 = {
    **{"model_type": "granitemoehybrid", "hidden_size": 2560, "num_hidden_layers": 4},
    **{"num_attention_heads": 40, "num_key_value_heads": 8, "residual_multiplier": 0.22},
    **{"shared_intermediate_size": 8192, "intermediate_size": 512, "num_local_experts": 0},
    **{"attention_multiplier": 0.015625, "mamba_d_state": 256, "mamba_n_heads": 128},
    **{"layer_types": ["attention"] * 4, "position_embedding_type": "rope"},
}


def test_granite_4_without_mamba():
    layer = only_layer(GRANITE_4)
    assert (layer.intermediate_size, layer.residual_scale) == (8192, 0.22)
    assert (layer.attention.scale, layer.use_rope) == (0.015625, True)
    assert not only_layer({**GRANITE_4, "position_embedding_type": "nope"}).use_rope


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {**SIZES, **HEADS, "model_type": "cohere", "use_qk_norm": True},
            "use_qk_norm: expected False, .*, got True. To go on as if the file did not have it:",
        ),
        (
            {**SIZES, **HEADS, **EXPERTS, "model_type": "minimax_m2", "use_qk_norm": False},
            "use_qk_norm: expected True, .*, got False",
        ),
        (
            {**SIZES, **HEADS, "model_type": "iquestcoder", "clip_qkv": 8.0},
            "clip_qkv: expected null, .*, got 8.0",
        ),
    ],
)
def test_what_a_family_has_not_is_refused_by_key(config, message):
    """Also where the key is harmless in files of most models."""
    with pytest.raises(ConfigError, match=f"^{message}"):
        model_from_config(config)
