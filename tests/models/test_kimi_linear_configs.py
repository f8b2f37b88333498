"""Kimi Linear's files: the published one's words, and those of transformers' class."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

SIZES = {
    **{"model_type": "kimi_linear", "hidden_size": 64, "intermediate_size": 96},
    **{"num_attention_heads": 4, "num_key_value_heads": 4, "num_hidden_layers": 4},
    **{"kv_lora_rank": 16, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8},
    **{"moe_intermediate_size": 24, "num_experts": 4, "routed_scaling_factor": 2.5},
    **{"q_lora_rank": None, "rms_norm_eps": 1e-5, "topk_group": 1},
}
PUBLISHED = {
    **SIZES,
    "linear_attn_config": {
        **{"full_attn_layers": [3, 4], "kda_layers": [1, 2], "head_dim": 32, "num_heads": 2},
        "short_conv_kernel_size": 3,
    },
    **{"first_k_dense_replace": 1, "head_dim": 72, "mla_use_nope": True, "moe_layer_freq": 1},
    **{"model_max_length": 256, "moe_renormalize": True, "num_expert_group": 1},
    **{"moe_router_activation_func": "sigmoid", "num_experts_per_token": 2},
    **{"num_nextn_predict_layers": 0, "num_shared_experts": 1, "rope_scaling": None},
    **{"rope_theta": 10000.0, "use_grouped_topk": True},
}
FULL, LINEAR = "full_attention", "linear_attention"
SAVED = {
    **SIZES,
    **{"layer_types": [LINEAR, LINEAR, FULL, FULL], "linear_conv_kernel_dim": 3},
    **{"linear_head_dim": 32, "linear_num_heads": 2, "qk_head_dim": 12},
    **{"mlp_layer_types": ["dense", *["sparse"] * 3], "max_position_embeddings": 256},
    **{"n_group": 1, "n_shared_experts": 1, "norm_topk_prob": True, "num_experts_per_tok": 2},
}


def layers(config):
    """The layers of a step by the numbers of those that are so."""
    parts = model_from_config(config).parts
    return {part.layers: part.spec for part in parts if part.phase == "layer_decode"}


def test_both_kinds_of_words_say_the_same_layers():
    assert layers(PUBLISHED) == layers(SAVED)


def test_layers_are_those_of_the_published_file():
    found = layers(PUBLISHED)
    assert set(found) == {(0,), (1,), (2, 3)}
    dense, sparse, full = found[0,], found[1,], found[2, 3]
    assert (dense.intermediate_size, dense.experts) == (96, None)
    assert (sparse.gate_rank, sparse.kernel, sparse.num_k_heads, sparse.key_dim) == (32, 3, 2, 32)
    for layer in (sparse, full):
        assert (layer.experts.scores, layer.experts.shared_size) == ("sigmoid", 24)
        assert (layer.experts.routed_scale, layer.experts.is_normalized) == (2.5, True)
    assert (full.use_rope, full.attention.scale) == (False, 12**-0.5)
    assert "positions" not in {tensor.name for tensor in full.inputs}


def test_every_fourth_layer_but_the_first_sees_all_keys_where_none_are_listed():
    config = {key: one for key, one in SAVED.items() if key != "layer_types"}
    config |= {"num_hidden_layers": 9, "mlp_layer_types": None}
    assert set(layers(config)) == {(0,), (1, 2, 3, 5, 6, 7), (4, 8)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mla_use_nope": False}, "mla_use_nope: expected True"),
        ({"moe_router_activation_func": "softmax"}, "moe_router_activation_func: expected"),
        ({"hidden_act": "gelu"}, "hidden_act: expected"),
        ({"linear_attn_config": {"kda_layers": [1], "full_attn_layers": [3]}}, "each layer from 1"),
        ({"linear_attn_config": {"kda_layers": "all"}}, "kda_layers: expected a list"),
        ({"norm_topk_prob": False}, "moe_renormalize, norm_topk_prob: expected the same"),
    ],
)
def test_what_the_code_has_otherwise_is_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**PUBLISHED, **changes})
