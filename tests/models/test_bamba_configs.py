"""Bamba's files: which layers have state-space steps, their sizes, and what is refused."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

# Bamba 9B.
BAMBA = {
    **{"model_type": "bamba", "hidden_size": 4096, "intermediate_size": 14336},
    **{"num_attention_heads": 32, "num_key_value_heads": 8, "num_hidden_layers": 32},
    **{"attn_layer_indices": [9, 18, 27], "rms_norm_eps": 1e-5, "mamba_chunk_size": 256},
    **{"mamba_n_heads": 128, "mamba_d_head": "auto", "mamba_n_groups": 1, "mamba_d_state": 128},
    **{"mamba_d_conv": 4, "mamba_expand": 2, "mamba_conv_bias": True, "mamba_proj_bias": False},
    **{"mlp_bias": False, "attention_bias": False, "rope_theta": 1e4},
}


def decodes_of(**changes):
    model = model_from_config({**BAMBA, **changes})
    return {part.kind: part for part in model.parts if part.phase == "layer_decode"}


def test_bamba_gets_layers_of_both_kinds():
    layers = decodes_of()
    assert layers.keys() == {"full", "state_space"}
    assert layers["full"].layers == (9, 18, 27)
    # Half of each head of 128 is rotated, whatever the file says.
    for said in ({}, {"partial_rotary_factor": 1.0}):
        assert decodes_of(**said)["full"].spec.rotary_dim == 64
    step = layers["state_space"].spec
    assert (step.num_heads, step.num_groups, step.state_size, step.head_dim) == (128, 1, 128, 64)
    assert (step.kernel, step.has_conv_bias, step.norm_eps) == (4, True, 1e-5)
    assert step.intermediate_size == 14336
    assert decodes_of(mamba_d_head=64)["state_space"].spec == step


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mlp_bias": True}, "mlp_bias"),
        ({"mamba_proj_bias": True}, "mamba_proj_bias"),
        ({"time_step_limit": [0.001, 0.1]}, "time_step_limit"),
        ({"hidden_act": "gelu"}, "hidden_act: expected silu"),
        ({"mamba_d_head": 32}, "mamba_d_head: expected mamba_n_heads = 128 heads with"),
        ({"mamba_n_groups": 3}, "mamba_n_groups: expected a divisor of"),
        ({"attn_layer_indices": []}, "attn_layer_indices: missing"),
        ({"attn_layer_indices": [32]}, "attn_layer_indices: expected a layer with attention among"),
        ({"attn_layer_indices": 9}, "attn_layer_indices: expected a list of layers"),
    ],
)
def test_what_bamba_is_refused_for(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**BAMBA, **changes})
