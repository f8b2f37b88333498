"""Granite 4 files with Mamba 2: layers of both kinds, dense and with experts, and refusals."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

# Granite 4.0 H Tiny.
TINY = {
    **{"model_type": "granitemoehybrid", "hidden_size": 1536, "intermediate_size": 512},
    **{"num_attention_heads": 12, "num_key_value_heads": 4, "num_hidden_layers": 40},
    **{"num_local_experts": 64, "num_experts_per_tok": 6, "shared_intermediate_size": 1024},
    **{"layer_types": [*["mamba"] * 5, "attention", *["mamba"] * 4] * 4, "rms_norm_eps": 1e-5},
    **{"mamba_n_heads": 48, "mamba_d_head": 64, "mamba_n_groups": 1, "mamba_d_state": 128},
    **{"mamba_d_conv": 4, "mamba_expand": 2, "mamba_conv_bias": True, "mamba_proj_bias": False},
    **{"attention_multiplier": 0.0078125, "embedding_multiplier": 12, "logits_scaling": 6},
    **{"residual_multiplier": 0.22, "position_embedding_type": "nope", "rope_theta": 10000},
    **{"mamba_chunk_size": 256, "max_position_embeddings": 131072, "attention_bias": False},
    **{"hidden_act": "silu", "normalization_function": "rmsnorm", "init_method": "mup"},
    **{"tie_word_embeddings": True, "vocab_size": 100352, "torch_dtype": "bfloat16"},
}
# Granite 4.0 H Small, and H Micro, which has no experts.
SMALL = {
    **{**TINY, "hidden_size": 4096, "intermediate_size": 768, "num_attention_heads": 32},
    **{"num_key_value_heads": 8, "num_local_experts": 72, "num_experts_per_tok": 10},
    **{"shared_intermediate_size": 1536, "mamba_n_heads": 128, "logits_scaling": 16},
}
MICRO = {
    **{**TINY, "hidden_size": 2048, "num_attention_heads": 32, "num_key_value_heads": 8},
    **{"num_local_experts": 0, "num_experts_per_tok": 0, "shared_intermediate_size": 8192},
    **{"mamba_n_heads": 64, "attention_multiplier": 0.015625, "logits_scaling": 8},
}


def layers_of(fields, phase="layer_decode"):
    model = model_from_config(fields)
    return {part.kind: part for part in model.parts if part.phase == phase}


@pytest.mark.parametrize(("fields", "heads"), [(TINY, 48), (SMALL, 128), (MICRO, 64)])
@pytest.mark.parametrize("phase", ["layer_prefill", "layer_decode"])
def test_published_files_have_layers_of_both_kinds(fields, heads, phase):
    layers = layers_of(fields, phase)
    assert layers.keys() == {"full", "state_space"}
    assert layers["full"].layers == (5, 15, 25, 35)
    full, step = layers["full"].spec, layers["state_space"].spec
    assert (step.num_heads, step.head_dim, step.state_size, step.num_groups) == (heads, 64, 128, 1)
    assert (step.kernel, step.has_conv_bias, step.norm_eps) == (4, True, 1e-5)
    # 1 has no name in layers with states.
    assert full.residual_scale == step.residual_scale == 0.22
    assert layers_of({**fields, "residual_multiplier": 1.0})["state_space"].spec == (
        layers_of(fields)["state_space"].spec.replace(residual_scale=None)
    )
    assert (full.use_rope, full.attention.scale) == (False, fields["attention_multiplier"])
    assert full.experts == step.experts
    assert full.intermediate_size == step.intermediate_size


def test_the_mlp_is_shared_beside_experts_or_alone():
    for fields in (TINY, SMALL):
        experts = layers_of(fields)["state_space"].spec.experts
        assert experts.num_experts == fields["num_local_experts"]
        assert experts.experts_per_token == fields["num_experts_per_tok"]
        assert experts.intermediate_size == fields["intermediate_size"]
        assert experts.shared_size == fields["shared_intermediate_size"]
    dense = layers_of(MICRO)["state_space"].spec
    assert (dense.experts, dense.intermediate_size) == (None, 8192)


def test_a_file_that_does_not_count_experts_has_as_many_as_the_class_says():
    uncounted = {key: value for key, value in TINY.items() if key != "num_local_experts"}
    counted = {**TINY, "num_local_experts": 8}
    assert model_from_config(uncounted).specs == model_from_config(counted).specs


def test_transformers_5_calls_its_layers_otherwise():
    """Files that it writes say `linear_attention`, and the columns of a head may be `auto`."""
    names = {"mamba": "linear_attention", "attention": "full_attention"}
    renamed = {**TINY, "layer_types": [names[one] for one in TINY["layer_types"]]}
    for fields in (renamed, {**TINY, "mamba_d_head": "auto"}):
        assert model_from_config(fields).specs == model_from_config(TINY).specs


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_local_experts": None}, "num_local_experts: expected a number, 0 where all"),
        ({"mamba_proj_bias": True}, "mamba_proj_bias: expected false"),
        ({"time_step_limit": [0.001, 0.1]}, "time_step_limit: expected"),
        ({"hidden_act": "gelu"}, "hidden_act: expected silu"),
        ({"mamba_n_groups": 5}, "mamba_n_groups: expected a divisor of"),
        ({"mamba_d_head": 32}, "mamba_d_head: expected mamba_n_heads = 48 heads with 3072 columns"),
        ({"residual_multiplier": 0}, "residual_multiplier: expected a number above 0"),
        ({"layer_types": ["mamba"] * 3}, "layer_types: expected a kind for each of the 40 layers"),
        ({"layer_types": ["moe"] * 40}, "layer_types: moe is a kind of layer that irattn does not"),
    ],
)
def test_what_granite_4_is_refused_for(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**TINY, **changes})


def test_without_mamba_its_keys_say_nothing():
    attending = {**TINY, "layer_types": ["attention"] * 40}
    changed = {**attending, "mamba_proj_bias": True, "mamba_d_head": 32}
    assert model_from_config(changed).specs == model_from_config(attending).specs
