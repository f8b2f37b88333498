"""MiMo V2 Flash and the Japanese GPT-NeoX: what their files say of layers."""

import numpy as np
import pytest

from irattn.core.errors import ConfigError
from irattn.generation.part_pieces import output_bias_pieces
from irattn.generation.value_parameters import narrow_value_pieces
from irattn.models import model_from_config
from irattn.models.families import FAMILIES, TensorNames

MIMO = {
    **{"model_type": "mimo_v2_flash", "num_hidden_layers": 7, "hidden_size": 64, "head_dim": 24},
    **{"v_head_dim": 16, "num_attention_heads": 8, "num_key_value_heads": 2},
    **{"intermediate_size": 96, "n_routed_experts": 4, "num_experts_per_tok": 2},
    **{"moe_intermediate_size": 32, "max_position_embeddings": 512},
}
# The keys of its first code, as published.
FIRST_CODE = {
    "hybrid_layer_pattern": [0, 1, 1, 1, 1, 0, 1],
    "moe_layer_freq": [0, 1, 1, 1, 1, 1, 1],
    **{"add_full_attention_sink_bias": False, "add_swa_attention_sink_bias": True},
    **{"rope_theta": 5000000, "swa_rope_theta": 10000, "partial_rotary_factor": 0.334},
    **{"swa_num_key_value_heads": 4, "swa_num_attention_heads": 8, "swa_head_dim": 24},
    **{"swa_v_head_dim": 16, "layernorm_epsilon": 1e-5, "sliding_window": 128},
    **{"sliding_window_size": 128, "attention_chunk_size": 128, "routed_scaling_factor": None},
    **{"n_shared_experts": None, "scoring_func": "sigmoid", "topk_method": "noaux_tc"},
}


def parts(config, phase="layer_decode"):
    """The specs of the kinds of layers of one phase, by the numbers of layers."""
    model = model_from_config(config, q_len=8, kv_len=512)
    return {part.layers: part.spec for part in model.parts if part.phase == phase}


@pytest.mark.parametrize("config", [MIMO, {**MIMO, **FIRST_CODE}])
def test_layers_with_windows_have_sinks_and_twice_the_kv_heads(config):
    found = {
        numbers: (
            *(one.attention.num_kv_heads, one.attention.sinks, one.attention.window),
            *(one.theta, one.rotary_dim, bool(one.experts)),
        )
        for numbers, one in parts(config).items()
    }
    assert found == {
        (0,): (2, False, None, 5e6, 8, False),
        (5,): (2, False, None, 5e6, 8, True),
        (1, 2, 3, 4, 6): (4, True, (128, None), 1e4, 8, True),
    }


def test_attention_alone_has_narrow_values():
    """In layers, values are as wide as keys."""
    assert {one.v_dim for one in parts(MIMO, "paged_decode").values()} == {16}
    assert {one.attention.v_dim for one in parts(MIMO).values()} == {24}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"swa_head_dim": 16}, "swa_head_dim: expected 24, which transformers' class makes of"),
        ({"hybrid_layer_pattern": [0] * 7}, r"hybrid_layer_pattern: expected \[0, 1, 1"),
        ({"add_full_attention_sink_bias": True}, "add_full_attention_sink_bias: expected False"),
        ({"rope_theta": 1e4}, "rope_theta: expected 5000000.0"),
        ({"v_head_dim": 32}, "v_head_dim: expected at most head_dim, 24, got 32"),
        ({"num_key_value_heads": 8}, "num_key_value_heads: expected half a divisor of the 8"),
    ],
)
def test_what_transformers_class_makes_otherwise_is_refused(change, message):
    with pytest.raises(ConfigError, match=message):
        parts({**MIMO, **FIRST_CODE, **change})


def test_values_get_zeros_and_their_factor():
    """What heads attend to has zeros behind it, which the output projection does not read."""
    spec = parts(MIMO)[(0,)]
    made = narrow_value_pieces("", spec, TensorNames(value_columns=16, value_scale=0.5))
    query, key, value = (np.ones((rows, 64), np.float32) for rows in (192, 48, 32))
    rows = made["qkv_weight"].made(query, key, value)[240:].reshape(2, 24, 64)
    assert rows[:, :16].all()
    assert not rows[:, 16:].any()
    columns = made["output_weight"].made(np.ones((64, 128), np.float32)).reshape(64, 8, 24)
    assert (columns[..., :16] == 0.5).all()
    assert not columns[..., 16:].any()


def test_the_last_layer_alone_has_a_bias_of_attention():
    config = {
        **{"model_type": "gpt_neox_japanese", "num_hidden_layers": 3, "hidden_size": 64},
        **{"num_attention_heads": 4, "intermediate_multiple_size": 3},
    }
    ((numbers, spec),) = parts(config).items()
    assert (numbers, spec.intermediate_size, spec.output_bias) == ((0, 1, 2), 192, True)
    names = FAMILIES["gpt_neox_japanese"].tensors_of(config)
    first, last = (
        output_bias_pieces("layers.0.", spec, names, is_last)["output_bias"]
        for is_last in (False, True)
    )
    assert (first.shapes, first.shape, first.fill) == ({}, (64,), 0.0)
    assert last.shapes == {"layers.0.attention.dense_bias": (64,)}
