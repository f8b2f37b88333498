"""Falcon-H1's files: two layers for each, multipliers of weights and scales, and refusals."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config
from irattn.models.config import read

# As Falcon-H1 0.5B has it.
SMALL = {
    **{"model_type": "falcon_h1", "hidden_size": 1024, "intermediate_size": 2048},
    **{"num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 64},
    **{"num_hidden_layers": 36, "mamba_d_ssm": 1536, "mamba_n_heads": 24, "mamba_d_head": 64},
    **{"mamba_n_groups": 1, "mamba_d_state": 128, "mamba_d_conv": 4, "mamba_expand": 2},
    **{"mamba_conv_bias": True, "mamba_proj_bias": False, "mamba_chunk_size": 128},
    **{"mamba_rms_norm": False, "mamba_norm_before_gate": False, "mamba_use_mlp": True},
    **{"attention_in_multiplier": 1.0, "attention_out_multiplier": 0.9375},
    **{"key_multiplier": 0.390625, "ssm_in_multiplier": 1.25, "ssm_out_multiplier": 0.25},
    **{"ssm_multipliers": [0.3535, 0.25, 0.3535, 0.5, 0.3535], "mlp_multipliers": [0.88, 0.58]},
    **{"embedding_multiplier": 5.656854, "lm_head_multiplier": 0.0390625},
    **{"rope_theta": 1e11, "rms_norm_eps": 1e-5, "max_position_embeddings": 16384},
    **{"attention_bias": False, "mlp_bias": False, "projectors_bias": False},
    **{"hidden_act": "silu", "num_logits_to_keep": 1, "tie_word_embeddings": False},
}
# As Falcon-H1 34B has it.
LARGE = {
    **{**SMALL, "hidden_size": 5120, "intermediate_size": 21504, "num_attention_heads": 20},
    **{"num_key_value_heads": 4, "head_dim": 128, "num_hidden_layers": 72},
    **{"mamba_d_ssm": 4096, "mamba_n_heads": 32, "mamba_d_head": 128, "mamba_n_groups": 2},
    **{"mamba_d_state": 256, "mamba_rms_norm": True},
}


def layers_of(fields, phase="layer_decode"):
    model = model_from_config(fields)
    return {part.kind: part for part in model.parts if part.phase == phase}


@pytest.mark.parametrize("phase", ["layer_prefill", "layer_decode"])
@pytest.mark.parametrize("fields", [SMALL, LARGE])
def test_a_layer_is_attention_and_then_steps_with_an_mlp(fields, phase):
    layers = layers_of(fields, phase)
    assert layers.keys() == {"full_half", "state_space"}
    count = 2 * fields["num_hidden_layers"]
    assert layers["full_half"].layers == tuple(range(0, count, 2))
    assert layers["state_space"].layers == tuple(range(1, count, 2))
    full, step = layers["full_half"].spec, layers["state_space"].spec
    assert (full.mlp, full.theta) == (None, 1e11)
    assert full.attention.scale == pytest.approx(0.390625 * fields["head_dim"] ** -0.5)
    assert step.intermediate_size == fields["intermediate_size"]
    assert step.inner_size == fields["mamba_d_ssm"]
    assert step.has_residual_input
    assert step.skips_group_norm != fields["mamba_rms_norm"]


def test_what_goes_into_attention_is_scaled_for_queries_and_keys():
    full = layers_of({**SMALL, "attention_in_multiplier": 2.0})["full_half"].spec
    assert full.attention.scale == pytest.approx(4 * 0.390625 / 8)


def test_rows_of_weights_have_the_multipliers():
    (stack,) = read(SMALL)
    names = stack.family.tensors_of(stack.fields)
    assert [names.before(number) for number in (0, 1, 2)] == ["layers.0."] * 2 + ["layers.1."]
    factors = dict(names.row_factors)
    counts, of_steps = zip(*factors["mamba.in_proj"], strict=True)
    assert counts == (1536, 1536, 128, 128, 24)
    assert of_steps == tuple(1.25 * one for one in SMALL["ssm_multipliers"])
    assert factors["mamba.out_proj"] == ((1024, 0.25),)
    assert factors["self_attn.o_proj"] == ((1024, 0.9375),)
    assert factors["feed_forward.gate_proj"] == ((2048, 0.88),)
    assert factors["feed_forward.down_proj"] == ((1024, 0.58),)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mlp_bias": True}, "mlp_bias: expected False"),
        ({"attention_bias": True}, "attention_bias: expected False"),
        ({"projectors_bias": True}, "projectors_bias: expected False"),
        ({"mamba_proj_bias": True}, "mamba_proj_bias: expected false"),
        ({"hidden_act": "gelu"}, "hidden_act: expected silu"),
        ({"time_step_limit": [0.001, 0.1]}, "time_step_limit: expected"),
        ({"mamba_d_ssm": 1024}, "mamba_d_head: expected mamba_n_heads = 24 heads with 1024"),
        (
            {"mamba_rms_norm": True, "mamba_norm_before_gate": True},
            "mamba_norm_before_gate: expected false with mamba_rms_norm",
        ),
        ({"mlp_multipliers": [1.0]}, "mlp_multipliers: expected 2 numbers"),
        ({"ssm_multipliers": [1, 1, 1, 1, "1"]}, "ssm_multipliers: expected a number"),
        ({"key_multiplier": 0}, "key_multiplier: expected a number above 0"),
        ({"ssm_out_multiplier": -1.0}, "ssm_out_multiplier: expected a number above 0"),
        ({"quantization_config": {"quant_method": "fp8"}}, "quantization_config: expected null"),
        ({"num_hidden_layers": None}, "num_hidden_layers: missing"),
    ],
)
def test_what_falcon_h1_is_refused_for(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**SMALL, **changes})
