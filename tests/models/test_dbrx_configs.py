"""DBRX's files, whose settings are in two parts: layers with experts, and refusals."""

import numpy as np
import pytest

from irattn.core.errors import ConfigError
from irattn.generation.expert_parameters import expert_pieces
from irattn.models import model_from_config
from irattn.models.families import FAMILIES

ATTENTION = {"clip_qkv": 8, "kv_n_heads": 8, "rope_theta": 500000, "model_type": ""}
MLP = {
    **{"ffn_act_fn": {"name": "silu"}, "ffn_hidden_size": 10752, "moe_num_experts": 16},
    **{"moe_top_k": 4, "moe_normalize_expert_weights": 1, "moe_jitter_eps": 0.01},
    **{"moe_loss_weight": 0.05, "hidden_size": 6144},
}
# Of the published files.
WHOLE = {
    **{"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "n_layers": 40, "max_seq_len": 32768},
    **{"attn_config": ATTENTION, "ffn_config": MLP, "vocab_size": 100352},
    **{"tie_word_embeddings": False, "torch_dtype": "bfloat16"},
}


def layer_of(config, phase="layer_decode"):
    (layer,) = (one.spec for one in model_from_config(config).parts if one.phase == phase)
    return layer


@pytest.mark.parametrize("phase", ["layer_prefill", "layer_decode"])
def test_the_published_file(phase):
    layer = layer_of(WHOLE, phase)
    attention, experts = layer.attention, layer.experts
    assert (attention.num_q_heads, attention.num_kv_heads, attention.head_dim) == (48, 8, 128)
    assert (layer.qkv_clip, layer.theta, layer.hidden_size) == (8, 500000, 6144)
    assert (layer.norm_kind, layer.norm_bias, layer.norm_eps) == ("layer", False, 1e-5)
    assert (experts.num_experts, experts.experts_per_token) == (16, 4)
    assert (experts.intermediate_size, experts.is_normalized) == (10752, True)


def test_what_parts_leave_out_and_null():
    plain = layer_of({**WHOLE, "attn_config": {"rope_theta": 1e4}, "ffn_config": None})
    assert (plain.attention.num_kv_heads, plain.qkv_clip, plain.theta) == (1, None, 1e4)
    experts = plain.experts
    assert (experts.num_experts, experts.experts_per_token) == (4, 1)
    assert (experts.intermediate_size, experts.is_normalized) == (3584, True)
    unscaled = {**WHOLE, "ffn_config": {**MLP, "moe_normalize_expert_weights": None}}
    assert not layer_of(unscaled).experts.is_normalized


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"attn_config": {"kv_n_heads": 8}}, "rope_theta or rope_parameters: missing"),
        ({"rope_parameters": {"rope_theta": 1e4}}, "rope_theta: expected that of rope_parameters"),
        ({"rope_theta": 1e4}, "rope_theta: expected that of attn_config, 500000, or none"),
        ({"attn_config": {**ATTENTION, "clip_qkv": 0}}, "clip_qkv: expected a number above 0"),
        ({"attn_config": {**ATTENTION, "softmax_scale": 0.5}}, "softmax_scale: irattn does not"),
        ({"attn_config": 3}, "attn_config: expected an object"),
        (
            {"ffn_config": {**MLP, "moe_normalize_expert_weights": 2.0}},
            "moe_normalize_expert_weights: expected 1 or null, got 2.0",
        ),
        ({"num_key_value_heads": 4}, "kv_n_heads: expected the same"),
        ({"tie_word_embeddings": True}, "tie_word_embeddings: expected False"),
        ({"head_dim": 64}, "head_dim: expected null"),
        ({"quantization_config": {"quant_method": "fp8"}}, "quantization_config: expected null"),
    ],
)
def test_what_dbrx_is_refused_for(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**WHOLE, **changes})


class Files:
    """Tensors whose rows say the tensor, the expert and the row."""

    def read_into(self, rows, name):
        first = 100 * "wvd".index({"w1": "w", "v1": "v", "w2": "d"}[name.rpartition(".")[2]])
        rows[...] = (first + np.arange(len(rows)))[:, None]


def test_flat_experts_are_taken_apart():
    """Of each its gate above its up, and its down the other way round."""
    small = {"ffn_hidden_size": 3, "moe_num_experts": 2, "moe_top_k": 1}
    config = {**WHOLE, "d_model": 96, "ffn_config": small}
    names = FAMILIES["dbrx"].tensors_of(config)
    pieces = expert_pieces("", layer_of(config).mlp, names)
    gate_up, down = (pieces[f"{one}_weight"].read(Files(), "f32") for one in ("gate_up", "down"))
    assert gate_up.shape == (2, 6, 96)
    assert gate_up[..., 5].tolist() == [[0, 1, 2, 100, 101, 102], [3, 4, 5, 103, 104, 105]]
    assert down.shape == (2, 96, 3)
    assert down[:, 5].tolist() == [[200, 201, 202], [203, 204, 205]]
