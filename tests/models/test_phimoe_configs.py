"""Phi-3.5-MoE: its experts, and the factor of its cosines."""

import json

import pytest

from irattn.core.errors import ConfigError
from irattn.generation.folder import ModelFolder
from irattn.models import model_from_config

ROPE = {
    **{"type": "longrope", "short_mscale": 1.25, "long_mscale": 1.5, "short_factor": [1.0] * 8},
    **{"long_factor": [2.0] * 8, "original_max_position_embeddings": 64},
}
PHI_MOE = {
    **{"model_type": "phimoe", "num_hidden_layers": 2, "hidden_size": 64, "vocab_size": 99},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 96},
    **{"router_jitter_noise": 0.01, "max_position_embeddings": 128, "rope_scaling": ROPE},
}


def decode(kv_len=64, **changes):
    model = model_from_config({**PHI_MOE, **changes}, q_len=8, kv_len=kv_len)
    (layer,) = [part.spec for part in model.parts if part.phase == "layer_decode"]
    return layer


def test_the_experts_of_phi():
    layer = decode()
    experts = layer.experts
    assert (experts.scores, experts.jitter, experts.num_experts) == ("sparse_mixer", 0.01, 16)
    assert (experts.experts_per_token, experts.intermediate_size) == (2, 96)
    assert (layer.norm_kind, layer.norm_bias, layer.qkv_bias) == ("layer", True, False)


@pytest.mark.parametrize(("kv_len", "factor"), [(64, 1.25), (128, 1.5)])
def test_cosines_have_the_factor_of_the_file(kv_len, factor):
    assert decode(kv_len).scaling.attention_factor == factor


@pytest.mark.parametrize("name", ["rope_parameters", "rope_scaling"])
def test_phi_with_another_scaling_is_refused(name):
    other = {"rope_scaling": None, name: {"rope_type": "linear", "factor": 2.0}}
    with pytest.raises(ConfigError, match=f"{name}: expected a type of default or longrope, got"):
        decode(**other)


def test_phi_with_more_experts_for_a_token_is_refused():
    with pytest.raises(ConfigError, match="num_experts_per_tok: expected 2, all that irattn has"):
        decode(num_experts_per_tok=4)


def test_a_jitter_below_zero_is_refused():
    with pytest.raises(ConfigError, match="router_jitter_noise: expected"):
        decode(router_jitter_noise=-0.1)


@pytest.mark.parametrize("has_bias", [True, False])
def test_the_head_of_phi_may_have_a_bias(has_bias, tmp_path):
    config = {**PHI_MOE, "lm_head_bias": has_bias}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert ModelFolder(tmp_path).tensors.has_head_bias == has_bias
