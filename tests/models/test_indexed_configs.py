"""DeepSeek 3.2 and GLM 5: DeepSeek 3's layers as long as queries see all keys."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

SMALL = {
    **{"num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4, "kv_lora_rank": 16},
    **{"q_lora_rank": 12, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8},
    **{"n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1},
    **{"first_k_dense_replace": 3, "rope_theta": 1e4, "rms_norm_eps": 1e-6},
    **{"intermediate_size": 96, "moe_intermediate_size": 48, "max_position_embeddings": 8192},
    "routed_scaling_factor": 2.5,
}
INDEXED = {
    **{**SMALL, "index_topk": 256, "index_head_dim": 128, "index_n_heads": 64},
    **{"layer_types": ["indexed_attention"] * 4, "indexer_types": ["full", "shared"] * 2},
}


@pytest.mark.parametrize("model_type", ["deepseek_v32", "glm_moe_dsa"])
def test_layers_are_deepseeks_where_all_keys_are_seen(model_type):
    lengths = {"q_len": 32, "kv_len": 256}
    dense = model_from_config({**SMALL, "model_type": "deepseek_v3"}, **lengths)
    model = model_from_config({**INDEXED, "model_type": model_type}, **lengths)
    assert [part.spec for part in model.parts] == [part.spec for part in dense.parts]
    assert [part.layers for part in model.parts] == [part.layers for part in dense.parts]


@pytest.mark.parametrize(("q_len", "kv_len"), [(32, 257), (512, None), (None, None)])
def test_contexts_of_chosen_keys_are_refused(q_len, kv_len):
    with pytest.raises(ConfigError, match="index_topk: in contexts of more than 256 tokens"):
        model_from_config({**INDEXED, "model_type": "deepseek_v32"}, q_len=q_len, kv_len=kv_len)
