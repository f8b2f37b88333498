"""LFM2's files: which layers are convolutions, how wide MLPs are, and what is refused."""

from dataclasses import replace

import pytest

from irattn import ConvolutionLayerSpec
from irattn.core.errors import ConfigError
from irattn.models import model_from_config

# As its first files say it, with keys that no code reads any more.
LFM_2_1_2B = {
    **{"model_type": "lfm2", "block_auto_adjust_ff_dim": True, "block_dim": 2048},
    **{"block_ff_dim": 12288, "block_ffn_dim_multiplier": 1.0, "block_mlp_init_scale": 1.0},
    **{"block_multiple_of": 256, "block_norm_eps": 1e-05, "block_out_dim": 2048},
    **{"block_use_swiglu": True, "block_use_xavier_init": True, "conv_L_cache": 3},
    **{"conv_bias": False, "conv_dim": 2048, "conv_dim_out": 2048, "conv_use_xavier_init": True},
    **{"full_attn_idxs": [2, 5, 8, 10, 12, 14], "hidden_size": 2048, "num_heads": 32},
    **{"max_position_embeddings": 128000, "norm_eps": 1e-05, "num_attention_heads": 32},
    **{"num_hidden_layers": 16, "num_key_value_heads": 8, "rope_theta": 1000000.0},
    **{"torch_dtype": "bfloat16", "use_pos_enc": True, "vocab_size": 65536},
}
LFM_2_8B = {
    **{"model_type": "lfm2_moe", "conv_L_cache": 3, "conv_bias": False, "hidden_size": 2048},
    **{"intermediate_size": 7168, "moe_intermediate_size": 1792, "num_dense_layers": 2},
    **{"num_experts": 32, "num_experts_per_tok": 4, "norm_topk_prob": True, "norm_eps": 1e-05},
    **{"use_expert_bias": True, "routed_scaling_factor": 1.0, "num_attention_heads": 32},
    **{"num_hidden_layers": 4, "layer_types": ["conv", "conv", "full_attention", "conv"]},
    **{"num_key_value_heads": 8, "rope_theta": 1000000.0, "dtype": "bfloat16"},
}


def parts_of(config):
    model = model_from_config(config, batch=2, q_len=8, kv_len=64)
    return {(part.phase, part.kind): part for part in model.parts}


def test_lfm2_gets_layers_of_both_kinds():
    parts = parts_of(LFM_2_1_2B)
    for phase, tokens in (("layer_prefill", 16), ("layer_decode", 2)):
        convolution = parts[phase, "conv"]
        assert convolution.spec == ConvolutionLayerSpec(
            **{"batch": 2, "q_tokens": tokens, "hidden_size": 2048, "norm_eps": 1e-5},
            **{"intermediate_size": 8192, "io_dtype": "bf16"},
        )
        assert convolution.layers == (0, 1, 3, 4, 6, 7, 9, 11, 13, 15)
        attention = parts[phase, "full"].spec
        assert parts[phase, "full"].layers == (2, 5, 8, 10, 12, 14)
        assert (attention.intermediate_size, attention.theta, attention.qk_norm) == (
            *(8192, 1e6),
            True,
        )
    # Both read the file: what is listed says the same.
    listed = ["full_attention" if n in (2, 5, 8, 10, 12, 14) else "conv" for n in range(16)]
    without = {key: value for key, value in LFM_2_1_2B.items() if key != "full_attn_idxs"}
    assert parts_of({**without, "layer_types": listed}) == parts


@pytest.mark.parametrize(
    ("changes", "size"),
    [
        # The file's own, where nothing is adjusted.
        ({"block_auto_adjust_ff_dim": False}, 12288),
        ({"block_ffn_dim_multiplier": None}, 8192),
        ({"block_ffn_dim_multiplier": 1.3}, 10752),
        ({"block_ff_dim": 10000, "block_multiple_of": 100}, 6700),
    ],
)
def test_how_wide_mlps_of_lfm2_are(changes, size):
    parts = parts_of({**LFM_2_1_2B, **changes})
    sizes = {part.spec.intermediate_size for key, part in parts.items() if "layer" in key[0]}
    assert sizes == {size}


def test_lfm2_with_experts_has_mlps_first():
    parts = parts_of(LFM_2_8B)
    layers = {key: part.layers for key, part in parts.items() if key[0] == "layer_decode"}
    assert layers == {
        ("layer_decode", "full"): (2,),
        ("layer_decode", "conv"): (3,),
        ("layer_decode", "conv_dense"): (0, 1),
    }
    experts = parts["layer_decode", "conv"].spec.experts
    assert (experts.scores, experts.has_choice_bias, experts.sum_eps) == ("sigmoid", True, 1e-6)
    as_they_are = parts_of({**LFM_2_8B, "norm_topk_prob": False})["layer_decode", "conv"].spec
    assert as_they_are.experts == replace(experts, is_normalized=False, sum_eps=None)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"conv_bias": True}, "conv_bias: expected False, all that irattn has of its .*, got True"),
        ({"conv_L_cache": 9}, "conv_L_cache: expected at most 8, got 9"),
        ({"conv_L_cache": 1}, "conv_L_cache: expected a whole number of at least 2, got 1"),
        ({"full_attn_idxs": 3}, "full_attn_idxs: expected a list of layers by their numbers"),
        ({"block_multiple_of": None}, "block_multiple_of: missing"),
    ],
)
def test_what_lfm2_is_refused_for(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**LFM_2_1_2B, **changes})
