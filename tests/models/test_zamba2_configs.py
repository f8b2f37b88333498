"""Zamba 2's files: blocks of attention before some state-space steps, and what is refused."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config
from irattn.models.config import read

# Zamba 2 1.2B.
ZAMBA = {
    **{"model_type": "zamba2", "hidden_size": 2048, "intermediate_size": 8192},
    **{"num_hidden_layers": 38, "num_attention_heads": 32, "num_key_value_heads": 32},
    "layers_block_type": ["hybrid" if n % 6 == 5 else "mamba" for n in range(38)],
    **{"adapter_rank": 128, "add_bias_linear": False, "attention_head_dim": 128},
    **{"attention_hidden_size": 4096, "chunk_size": 256, "ffn_hidden_size": 8192},
    **{"hidden_act": "gelu", "hybrid_layer_ids": [5, 11, 17, 23, 29, 35], "kv_channels": 64},
    **{"mamba_d_conv": 4, "mamba_d_state": 64, "mamba_expand": 2, "mamba_headdim": 64},
    **{"mamba_ngroups": 1, "max_position_embeddings": 4096, "n_mamba_heads": 64},
    **{"num_logits_to_keep": 1, "num_mem_blocks": 1, "num_query_groups": 32},
    **{"rms_norm_eps": 1e-5, "rope_theta": 10000, "tie_word_embeddings": True},
    **{"time_step_floor": 1e-4, "time_step_limit": None, "time_step_max": 0.1},
    **{"time_step_min": 0.001, "torch_dtype": "bfloat16", "use_conv_bias": True},
    **{"use_long_context": False, "use_mamba_kernels": True, "use_mem_eff_path": False},
    **{"use_mem_rope": True, "use_shared_attention_adapter": True, "vocab_size": 32000},
}


def decodes_of(**changes):
    model = model_from_config({**ZAMBA, **changes})
    return {part.kind: part for part in model.parts if part.phase == "layer_decode"}


def names_of(**changes):
    (stack,) = read({**ZAMBA, **changes})
    return stack.family.tensors_of(stack.fields)


def test_a_block_of_both_is_attention_and_a_step():
    layers = decodes_of()
    assert layers["full"].layers == (5, 12, 19, 26, 33, 40)
    (step_kind,) = layers.keys() - {"full"}
    step, layer = layers[step_kind].spec, layers["full"].spec
    assert len(layers[step_kind].layers) == 38
    assert (step.num_heads, step.head_dim, step.state_size, step.num_groups) == (64, 64, 64, 1)
    assert (step.has_residual_input, step.has_conv_bias, step.mlp) == (True, True, None)
    assert (layer.reads_embedded, layer.use_rope, layer.activation) == (True, True, "gelu")
    assert (layer.attention.head_dim, layer.intermediate_size) == (128, 8192)
    assert layer.attention.scale == 64**-0.5
    assert not decodes_of(use_mem_rope=False)["full"].spec.use_rope


def test_blocks_are_shared_in_turn():
    names = names_of(num_mem_blocks=2)
    assert names.before(5) == "layers.5.shared_transformer."
    assert names.before(12) == "layers.11.shared_transformer."
    assert names.before(19) == "layers.5.shared_transformer."
    assert names.before(20) == "layers.17.mamba_decoder."
    assert (names.before(4), names.before(7)) == ("layers.4.", "layers.6.")
    own = names.shared[19]
    assert (own.output, own.use, own.rank, own.adapts_attention) == (
        *("layers.17.linear", 2, 128),
        True,
    )
    # The code shares nothing where the head has a weight of its own.
    assert names_of(tie_word_embeddings=False).before(19) == "layers.17.shared_transformer."


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"add_bias_linear": True}, "add_bias_linear: expected False"),
        ({"use_conv_bias": False}, "use_conv_bias: expected True"),
        ({"use_long_context": True}, "use_long_context: expected False"),
        ({"time_step_limit": [0.0, 0.1]}, "time_step_limit: expected null"),
        ({"time_step_min": 0.1}, "time_step_min: expected 0.0 or 0.001"),
        ({"rms_norm_eps": 1e-6}, "rms_norm_eps: expected 1e-05, as norms behind gates have"),
        ({"layers_block_type": ["mamba"] * 3}, "layers_block_type: expected a kind for each of"),
        ({"layers_block_type": ["attention"] * 38}, "layers_block_type: expected of mamba"),
        ({"layers_block_type": None}, "layers_block_type: missing"),
        ({"n_mamba_heads": 3, "mamba_ngroups": 2}, "n_mamba_heads"),
        ({"n_mamba_heads": 60}, "n_mamba_heads: expected a divisor of the 4096 columns"),
        ({"num_attention_heads": 24}, "num_attention_heads: expected a divisor of hidden_size"),
        ({"num_key_value_heads": 8}, "use_shared_attention_adapter: expected as many KV heads"),
        ({"quantization_config": {"bits": 4}}, "quantization_config: expected null"),
        ({"head_dim": 64}, "head_dim"),
    ],
)
def test_what_zamba_2_is_refused_for(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**ZAMBA, **changes})
