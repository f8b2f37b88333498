"""Mamba 2's files: all layers are state-space steps, of which sizes, and what is refused."""

import math

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

# Codestral Mamba 7B.
CODESTRAL = {
    **{"model_type": "mamba2", "hidden_size": 4096, "num_hidden_layers": 64, "expand": 2},
    **{"num_heads": 128, "head_dim": 64, "n_groups": 8, "state_size": 128, "conv_kernel": 4},
    **{"chunk_size": 256, "hidden_act": "silu", "intermediate_size": 8192},
    **{"layer_norm_epsilon": 1e-5, "norm_before_gate": True, "rms_norm": True},
    **{"rescale_prenorm_residual": False, "residual_in_fp32": True},
    **{"time_step_floor": 1e-4, "time_step_init_scheme": "random", "time_step_rank": 256},
    **{"time_step_limit": [0.0, math.inf], "time_step_min": 0.001, "time_step_max": 0.1},
    **{"time_step_scale": 1.0, "torch_dtype": "bfloat16", "tie_word_embeddings": False},
    **{"use_bias": False, "use_conv_bias": True, "vocab_size": 32768},
}


def test_all_layers_are_steps_without_an_mlp():
    model = model_from_config(CODESTRAL)
    assert {part.phase for part in model.parts} == {"layer_prefill", "layer_decode"}
    assert model.notes == ()
    for part in model.parts:
        step = part.spec
        assert part.layers == tuple(range(64))
        assert (step.num_heads, step.num_groups) == (128, 8)
        assert (step.state_size, step.head_dim) == (128, 64)
        assert (step.hidden_size, step.kernel, step.has_conv_bias) == (4096, 4, True)
        assert (step.norm_eps, step.io_dtype, step.mlp) == (1e-5, "bf16", None)


def test_what_a_file_leaves_out_is_as_in_the_class():
    short = {key: CODESTRAL[key] for key in ("model_type", "num_hidden_layers", "torch_dtype")}
    assert model_from_config(short).specs == model_from_config(CODESTRAL).specs


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"use_bias": True}, "use_bias: expected False"),
        ({"rms_norm": False}, "rms_norm: expected True"),
        ({"hidden_act": "gelu"}, "hidden_act: expected 'silu' or 'swish'"),
        ({"time_step_limit": [0.001, 0.1]}, r"time_step_limit: expected \[0.0, Infinity\]"),
        ({"head_dim": 32}, "head_dim: expected num_heads = 128 heads with 8192 columns together"),
        ({"expand": 4}, "head_dim: expected num_heads = 128 heads with 16384 columns together"),
        ({"n_groups": 3}, "n_groups: expected a divisor of"),
        ({"n_groups": None}, "n_groups: missing"),
        ({"head_dim": None}, "head_dim: missing"),
        ({"state_size": "wide"}, "state_size: expected a whole number"),
        ({"num_hidden_layers": None}, "num_hidden_layers: missing"),
        ({"quantization_config": {"bits": 4}}, "quantization_config: expected null"),
        ({"mamba_ngroups": 2}, "mamba_ngroups"),
    ],
)
def test_what_mamba_2_is_refused_for(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**CODESTRAL, **changes})
