"""Kimi K2's files, which say what two classes fill in otherwise."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

SMALL = {
    **{"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2},
    **{"intermediate_size": 96, "max_position_embeddings": 128, "rms_norm_eps": 1e-6},
    **{"kv_lora_rank": 16, "q_lora_rank": 12, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4},
    **{"v_head_dim": 8, "n_routed_experts": 4, "num_experts_per_tok": 2},
    "moe_intermediate_size": 24,
}
SAID = {
    **{"first_k_dense_replace": 0, "n_group": 1, "n_shared_experts": 0, "norm_topk_prob": False},
    **{"routed_scaling_factor": 2.827, "topk_group": 1},
}
KIMI = {"model_type": "kimi_k2", **SMALL, **SAID}


@pytest.mark.parametrize("key", SAID)
def test_what_classes_fill_in_otherwise_is_asked_for(key):
    for config in ({**KIMI, key: None}, {k: value for k, value in KIMI.items() if k != key}):
        with pytest.raises(ConfigError, match=f"^{key}: missing"):
            model_from_config(config)


def test_zero_and_false_are_said():
    """The layers are DeepSeek 3's with the same keys."""
    parts = model_from_config(KIMI).parts
    deepseek = model_from_config({**KIMI, "model_type": "deepseek_v3"}).parts
    assert [one.spec for one in parts] == [one.spec for one in deepseek]
    (layer,) = (one.spec for one in parts if one.phase == "layer_decode")
    assert (layer.experts.is_normalized, layer.experts.shared_size) == (False, None)


def test_queries_have_a_latent_unless_it_is_null():
    without = {key: value for key, value in KIMI.items() if key != "q_lora_rank"}
    for config, rank in ((without, 1536), ({**KIMI, "q_lora_rank": None}, None)):
        layers = [one.spec for one in model_from_config(config).parts if "layer" in one.phase]
        assert {layer.latent.q_lora_rank for layer in layers} == {rank}
