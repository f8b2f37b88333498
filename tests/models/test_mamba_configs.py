"""Files of Mamba, Falcon Mamba and Jamba: which layers, of which sizes, and what is refused."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

# Mamba 2.8B and Falcon Mamba 7B.
MAMBA = {
    **{"model_type": "mamba", "hidden_size": 2560, "d_model": 2560, "num_hidden_layers": 64},
    **{"n_layer": 64, "expand": 2, "intermediate_size": 5120, "d_inner": 5120, "state_size": 16},
    **{"conv_kernel": 4, "time_step_rank": 160, "use_bias": False, "use_conv_bias": True},
    **{"hidden_act": "silu", "layer_norm_epsilon": 1e-5, "rms_norm": True, "ssm_cfg": {}},
    **{"fused_add_norm": True, "residual_in_fp32": True, "pad_vocab_size_multiple": 8},
    **{"rescale_prenorm_residual": False, "time_step_floor": 1e-4, "time_step_max": 0.1},
    **{"time_step_init_scheme": "random", "time_step_min": 0.001, "time_step_scale": 1.0},
    **{"torch_dtype": "float32", "use_cache": True, "vocab_size": 50280},
}
FALCON_MAMBA = {
    **{"model_type": "falcon_mamba", "hidden_size": 4096, "num_hidden_layers": 64, "expand": 16},
    **{"intermediate_size": 8192, "state_size": 16, "conv_kernel": 4, "time_step_rank": 256},
    **{"use_bias": False, "use_conv_bias": True, "hidden_act": "silu", "mixer_rms_eps": 1e-6},
    **{"layer_norm_epsilon": 1e-5, "residual_in_fp32": True, "use_mambapy": False},
    **{"tie_word_embeddings": False, "torch_dtype": "bfloat16", "vocab_size": 65024},
}
# Jamba 1.5 Mini.
JAMBA = {
    **{"model_type": "jamba", "hidden_size": 4096, "intermediate_size": 14336},
    **{"num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8},
    **{"attn_layer_period": 8, "attn_layer_offset": 4, "expert_layer_period": 2},
    **{"expert_layer_offset": 1, "num_experts": 16, "num_experts_per_tok": 2},
    **{"mamba_d_state": 16, "mamba_d_conv": 4, "mamba_expand": 2, "mamba_dt_rank": 256},
    **{"mamba_conv_bias": True, "mamba_proj_bias": False, "use_mamba_kernels": True},
    **{"hidden_act": "silu", "rms_norm_eps": 1e-6, "max_position_embeddings": 262144},
    **{"num_logits_to_keep": 1, "output_router_logits": False, "router_aux_loss_coef": 0.001},
    **{"tie_word_embeddings": False, "torch_dtype": "bfloat16", "vocab_size": 65536},
}


def decodes_of(fields):
    model = model_from_config(fields)
    assert model.notes == ()
    return {part.kind: part for part in model.parts if part.phase == "layer_decode"}


@pytest.mark.parametrize(("fields", "channels"), [(MAMBA, 5120), (FALCON_MAMBA, 8192)])
def test_all_layers_are_scans_without_an_mlp(fields, channels):
    model = model_from_config(fields)
    assert {part.phase for part in model.parts} == {"layer_prefill", "layer_decode"}
    for part in model.parts:
        layer = part.spec
        assert part.layers == tuple(range(64))
        assert (layer.channels, layer.state_size, layer.kernel) == (channels, 16, 4)
        assert (layer.hidden_size, layer.rank) == (fields["hidden_size"], fields["time_step_rank"])
        assert (layer.norm_eps, layer.has_conv_bias, layer.mlp) == (1e-5, True, None)
        assert layer.step_norm_eps == fields.get("mixer_rms_eps")


def test_jamba_s_layers_are_scans_and_attention_with_an_mlp_or_experts():
    layers = decodes_of(JAMBA)
    numbers = {kind: part.layers for kind, part in layers.items()}
    scans = [number for number in range(32) if number % 8 != 4]
    assert numbers == {
        "full_dense": (4, 12, 20, 28),
        "selective_scan": tuple(number for number in scans if number % 2),
        "selective_scan_dense": tuple(number for number in scans if number % 2 == 0),
    }
    scan, attending = layers["selective_scan"].spec, layers["full_dense"].spec
    assert (scan.channels, scan.rank, scan.step_norm_eps) == (8192, 256, 1e-6)
    assert (scan.experts.num_experts, scan.experts.experts_per_token) == (16, 2)
    assert not scan.experts.is_normalized
    assert layers["selective_scan_dense"].spec.intermediate_size == 14336
    assert (attending.use_rope, attending.attention.num_kv_heads) == (False, 8)
    one = decodes_of({**JAMBA, "num_experts": 1})
    assert one.keys() == {"full", "selective_scan"}
    assert one["selective_scan"].spec.intermediate_size == 14336


@pytest.mark.parametrize("fields", [MAMBA, JAMBA])
def test_what_a_file_leaves_out_is_as_in_the_class(fields):
    key = "mamba_dt_rank" if fields is JAMBA else "time_step_rank"
    automatic = model_from_config({**fields, key: "auto"})
    assert automatic.specs == model_from_config(fields).specs


def test_the_size_in_the_file_is_meant():
    """As transformers has it: `expand` counts where there is none."""
    without = {key: value for key, value in FALCON_MAMBA.items() if key != "intermediate_size"}
    (layer,) = {part.spec.channels for part in model_from_config({**without, "expand": 3}).parts}
    assert layer == 3 * 4096


@pytest.mark.parametrize(
    ("fields", "changes", "message"),
    [
        (MAMBA, {"use_bias": True}, "use_bias: expected False"),
        (MAMBA, {"hidden_act": "gelu"}, "hidden_act: expected 'silu' or 'swish'"),
        (MAMBA, {"rms_norm": False}, "rms_norm: expected True"),
        (MAMBA, {"conv_kernel": 9}, "conv_kernel: expected at most 8, got 9"),
        (MAMBA, {"state_size": 64}, "state_size: expected at most 32, got 64"),
        (MAMBA, {"time_step_rank": "wide"}, "time_step_rank: expected a whole number"),
        (MAMBA, {"num_hidden_layers": None}, "num_hidden_layers: missing"),
        (MAMBA, {"quantization_config": {"bits": 4}}, "quantization_config: expected null"),
        (FALCON_MAMBA, {"mixer_rms_eps": -1}, "mixer_rms_eps: expected"),
        (MAMBA, {"expand": None, "intermediate_size": None}, "expand: missing"),
        (JAMBA, {"mamba_expand": None}, "mamba_expand: missing"),
        (JAMBA, {"mamba_proj_bias": True}, "mamba_proj_bias: expected False"),
        (JAMBA, {"hidden_act": "gelu"}, "hidden_act: expected 'silu' or 'swish'"),
        (JAMBA, {"mamba_d_conv": 9}, "mamba_d_conv: expected at most 8, got 9"),
        (JAMBA, {"mamba_d_state": 64}, "mamba_d_state: expected at most 32, got 64"),
        (JAMBA, {"attn_layer_offset": 8}, "attn_layer_offset: expected less than attn_layer_peri"),
        (JAMBA, {"expert_layer_offset": 2}, "expert_layer_offset: expected less than expert_lay"),
        (JAMBA, {"mamba_dt_rank": 0}, "mamba_dt_rank: expected a whole number of at least 1"),
        (JAMBA, {"quantization_config": {"quant_method": "fp8"}}, "quantization_config: expected"),
        (JAMBA, {"sliding_window": 64}, "sliding_window: expected null"),
    ],
)
def test_what_is_refused(fields, changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**fields, **changes})
