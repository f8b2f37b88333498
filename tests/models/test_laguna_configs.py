"""Laguna: what its files say of layers."""

import numpy as np
import pytest

from irattn.core.errors import ConfigError
from irattn.generation.gate_parameters import gate_pieces
from irattn.models import model_from_config
from irattn.models.families import FAMILIES

LAGUNA = {
    **{"model_type": "laguna", "num_hidden_layers": 3, "hidden_size": 64, "head_dim": 16},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 96},
    **{"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32},
    **{"shared_expert_intermediate_size": 32, "sliding_window": 16},
    "layer_types": ["full_attention", "sliding_attention", "sliding_attention"],
    "num_attention_heads_per_layer": [4, 8, 8],
}


def decodes(config):
    """For each kind of layers their numbers and spec."""
    model = model_from_config(config, q_len=8, kv_len=512)
    return {part.layers: part.spec for part in model.parts if part.phase == "layer_decode"}


def test_query_heads_and_rotation_differ_by_kind():
    found = {
        numbers: (one.attention.num_q_heads, one.softplus_gate, one.theta, one.rotary_dim)
        for numbers, one in decodes(LAGUNA).items()
    }
    assert found == {(0,): (4, True, 5e5, 8), (1, 2): (8, True, 1e4, None)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gating": "always"}, "gating: expected true, false, per-head or per-element"),
        ({"num_attention_heads_per_layer": [4, 8, 4]}, "per_layer: expected one number for all"),
        ({"num_attention_heads_per_layer": [4]}, "expected a number for each of the 3 layers"),
        ({"moe_router_logit_softcapping": 2.0}, "moe_router_logit_softcapping: expected 0"),
    ],
)
def test_other_layers_are_refused(change, message):
    with pytest.raises(ConfigError, match=message):
        decodes({**LAGUNA, **change})


@pytest.mark.parametrize(("gating", "rows"), [(True, 4), ("per-element", 64), (False, 64)])
def test_gates_of_heads_are_those_of_their_columns(gating, rows):
    config = {**LAGUNA, "gating": gating}
    names = FAMILIES["laguna"].tensors_of(config)
    weight = gate_pieces("", decodes(config)[(0,)], names)["qkv_weight"]
    assert weight.shapes["self_attn.g_proj.weight"] == (rows, 64)
    gates = np.arange(rows * 64, dtype=np.float32).reshape(rows, 64)
    made = weight.made(*(np.zeros((count, 64), np.float32) for count in (64, 32, 32)), gates)
    assert np.array_equal(made[128:], gates.repeat(64 // rows, axis=0))
