"""MiniMax 1's files: its kinds of layers, and the factors of its residuals."""

import numpy as np
import pytest

from irattn.core.errors import ConfigError
from irattn.generation.lightning_parameters import log_kept
from irattn.models import model_from_config

# MiniMax-Text-01's, narrower.
FIELDS = {
    **{"model_type": "minimax", "hidden_size": 96, "intermediate_size": 48, "hidden_act": "silu"},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32, "num_hidden_layers": 4},
    **{"num_local_experts": 4, "num_experts_per_tok": 2, "max_position_embeddings": 256},
    **{"rms_norm_eps": 1e-5, "rope_theta": 1e7, "vocab_size": 99, "postnorm": True},
    "layer_types": [*["linear_attention"] * 3, "full_attention"],
    **{"shared_intermediate_size": 0, "sliding_window": None, "block_size": 256},
    **{
        f"{part}_{factor}_factor": number
        for part in ("full_attn", "linear_attn", "mlp")
        for factor, number in {"alpha": 4.0, "beta": 2.0}.items()
    },
}


def layers(config):
    """The layers of a step by the numbers of those that are so."""
    parts = model_from_config(config).parts
    return {part.layers: part.spec for part in parts if part.phase == "layer_decode"}


def test_layers_have_the_factors_of_residuals_in_scale_and_eps():
    found = layers(FIELDS)
    assert set(found) == {(3,), (0, 1, 2)}
    for layer in found.values():
        assert (layer.residual_scale, layer.norm_eps) == (0.5, 1e-5 / 16)
        assert (layer.experts.num_experts, layer.experts.intermediate_size) == (4, 48)
    full, lightning = found[3,], found[0, 1, 2]
    assert (full.norms_residual, full.pre_norm, full.theta) == (True, False, 1e7)
    assert (lightning.num_heads, lightning.head_dim) == (4, 32)
    assert (lightning.gated_norm_eps, lightning.op) == (1e-6, "lightning_layer")


def test_every_other_layer_is_lightning_where_none_are_listed():
    config = {key: one for key, one in FIELDS.items() if key not in ("layer_types", "head_dim")}
    found = layers({**config, "num_hidden_layers": 5})
    assert set(found) == {(0, 2, 4), (1, 3)}
    assert found[1, 3].head_dim == 24


def test_heads_keep_what_the_code_says():
    """`get_slope_rate` by hand: of 8 heads, in the first, in the middle and in the last layer."""
    slopes = 0.5 ** np.arange(1, 9)
    np.testing.assert_allclose(log_kept(8, 0, 5), -slopes * (1 + 1e-5), rtol=1e-12)
    np.testing.assert_allclose(log_kept(8, 2, 5), -slopes * 0.5, rtol=1e-4)
    np.testing.assert_allclose(log_kept(8, 4, 5), -slopes * (1 - 4 / 4.00001 + 1e-5), rtol=1e-9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mlp_alpha_factor": 1.0}, "mlp_alpha_factor: expected the full_attn_alpha_factor = 4.0"),
        ({"linear_attn_beta_factor": 1.0}, "linear_attn_beta_factor: expected the full_attn_beta"),
        ({"linear_attn_alpha_factor": 0}, "linear_attn_alpha_factor: expected a number above 0"),
        ({"full_attn_alpha_factor": 1e-200}, "full_attn_alpha_factor: expected a number from"),
        ({"full_attn_beta_factor": 1e9}, "full_attn_beta_factor: expected a number from"),
        ({"hidden_act": "gelu"}, "hidden_act: expected"),
        ({"sliding_window": 9}, "sliding_window: expected null"),
        ({"rotary_dim": 16}, "rotary_dim"),
        ({"postnorm": False}, "postnorm: expected True"),
        ({"layer_types": ["mamba"] * 4}, "layer_types: mamba is a kind of layer that"),
        ({"quantization_config": {"quant_method": "fp8"}}, "quantization_config: expected null"),
    ],
)
def test_what_the_code_of_minimax_has_otherwise_is_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**FIELDS, **changes})
