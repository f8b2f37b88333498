"""Configs of models whose layers differ: chunks, experts, windows, inputs of their own, states."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config
from irattn.specs.layer_streams import HiddenStreams

# Maverick's sizes, without its experts.
LLAMA_4 = {
    **{"model_type": "llama4_text", "hidden_size": 5120, "intermediate_size_mlp": 16384},
    **{"num_attention_heads": 40, "num_key_value_heads": 8, "num_hidden_layers": 48},
    **{"moe_layers": [], "use_qk_norm": True, "no_rope_layers": [], "torch_dtype": "bfloat16"},
}


def test_layers_of_llama_4_see_their_chunk_or_do_not_rotate():
    model = model_from_config(LLAMA_4, kv_len=20000)
    assert list(model.notes) == [
        "attention_chunk_size: 8192: to attention each chunk is a sequence of its own"
    ]
    unrotated, chunked = (part for part in model.parts if part.phase == "layer_decode")
    assert (chunked.kind, unrotated.kind) == ("chunked", "full_nope")
    assert unrotated.layers == tuple(range(3, 48, 4))
    assert chunked.spec.attention.max_context == 8192
    assert chunked.spec.max_positions == unrotated.spec.attention.max_context == 20000
    assert (chunked.spec.qk_norm, chunked.spec.qk_norm_weights) == (True, False)
    assert (unrotated.spec.qk_norm, unrotated.spec.temperature) == (False, 0.1)
    assert chunked.spec.temperature is None
    assert chunked.spec.intermediate_size == 16384


def test_layers_of_llama_4_have_experts_where_the_file_says_so():
    for listed in (None, [*range(1, 48, 2)]):
        config = {**LLAMA_4, "moe_layers": listed, "interleave_moe_layer_step": 2}
        model = model_from_config({**config, "num_local_experts": 128})
        layers = {part.kind: part for part in model.parts if part.phase == "layer_decode"}
        assert {kind: len(part.layers) for kind, part in layers.items()} == {
            "full_nope": 12, "chunked": 12, "chunked_dense": 24
        }  # fmt: skip
        assert layers["chunked_dense"].spec.intermediate_size == 16384
        experts = layers["full_nope"].spec.experts
        assert (experts.num_experts, experts.experts_per_token) == (128, 1)
        assert (experts.intermediate_size, experts.shared_size) == (8192, 8192)
        assert (experts.scores, experts.is_normalized, experts.scales_input) == (
            "sigmoid", False, True
        )  # fmt: skip


def layers_of(config):
    return [part.spec for part in model_from_config(config).parts if "layer" in part.phase]


GEMMA_4 = {
    **{"model_type": "gemma4_text", "hidden_size": 5376, "intermediate_size": 21504},
    **{"num_attention_heads": 32, "num_key_value_heads": 16, "num_hidden_layers": 12},
    **{"head_dim": 256, "sliding_window": 1024, "hidden_size_per_layer_input": 0},
    **{"num_global_key_value_heads": 4, "attention_k_eq_v": True, "num_kv_shared_layers": 4},
    "rope_parameters": {
        "full_attention": {
            **{"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25}
        },
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    },
}


OWN_INPUTS = {"hidden_size_per_layer_input": 256, "vocab_size": 10}


def test_layers_of_gemma_4_have_inputs_of_their_own():
    assert {spec.layer_input for spec in layers_of(GEMMA_4)} == {None}
    (given,) = {spec.layer_input for spec in layers_of({**GEMMA_4, **OWN_INPUTS})}
    assert (given.width, given.vocab_size, given.activation) == (256, 262144, "gelu_tanh")


def test_layers_of_gemma_4_have_heads_of_their_own_or_share():
    model = model_from_config(GEMMA_4)
    layers = {part.kind: part for part in model.parts if part.phase == "layer_decode"}
    assert {kind: part.layers for kind, part in layers.items()} == {
        "full": (5,), "full_shared": (11,), "sliding": (0, 1, 2, 3, 4, 6, 7),
        "sliding_shared": (8, 9, 10),
    }  # fmt: skip
    heads = {
        kind: (part.spec.attention.num_kv_heads, part.spec.attention.head_dim)
        for kind, part in layers.items()
    }
    assert heads["full"] == heads["full_shared"] == (4, 512)
    assert heads["sliding"] == heads["sliding_shared"] == (16, 256)
    full, shared = layers["full"].spec, layers["full_shared"].spec
    assert (full.shares_kv, full.value_norm, full.scaling.rotated_pairs) == (False, True, 64)
    assert (shared.shares_kv, shared.value_norm, shared.attention.scale) == (True, False, 1.0)
    listed = {str(n): {"head_dim": 512, "num_key_value_heads": 4} for n in (5, 11)}
    same = model_from_config({**GEMMA_4, "per_layer_config": listed})
    assert same.specs == model.specs


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {**OWN_INPUTS, "vocab_size_per_layer_input": 9},
            "vocab_size_per_layer_input: expected at least the vocab_size = 10, got 9",
        ),
        ({"num_kv_shared_layers": 12}, "num_kv_shared_layers: expected less than 12 layers"),
        ({"num_kv_shared_layers": 7}, "num_kv_shared_layers: no layer before 5 is full_attention"),
        ({"per_layer_config": {"5": {"sinks": 1}}}, "per_layer_config: expected head_dim and num"),
    ],
)
def test_layers_of_gemma_4_that_cannot_be_are_refused(changes, message):
    with pytest.raises(ConfigError, match=f"^{message}"):
        model_from_config({**GEMMA_4, **changes})


# Gemma 3n E2B, as its file says it.
GEMMA_3N = {
    **{"model_type": "gemma3n_text", "hidden_size": 2048, "intermediate_size": [8192] * 30},
    **{"num_attention_heads": 8, "num_key_value_heads": 2, "num_hidden_layers": 30},
    **{"head_dim": 256, "sliding_window": 512, "hidden_size_per_layer_input": 256},
    **{"vocab_size": 262400, "vocab_size_per_layer_input": 262144, "num_kv_shared_layers": 10},
    **{"activation_sparsity_pattern": [0.95] * 10 + [0.0] * 20, "laurel_rank": 64},
    **{"altup_num_inputs": 4, "altup_active_idx": 0, "altup_correct_scale": True},
    **{"altup_coef_clip": 120.0, "altup_lr_multiplier": 1.0, "query_pre_attn_scalar": 256},
    **{"layer_types": (["sliding_attention"] * 4 + ["full_attention"]) * 6},
    **{"rope_theta": 1e6, "rope_local_base_freq": 1e4, "final_logit_softcapping": 30.0},
}


def test_layers_of_gemma_3n_are_sparse_at_first_and_share_at_last():
    parts = [one for one in model_from_config(GEMMA_3N).parts if one.phase == "layer_decode"]
    kinds = {part.layers[0]: (part.spec.sparsity, part.spec.shares_kv) for part in parts}
    # Layers that see all keys within the context, and those that do not.
    assert kinds == {
        **{4: (0.95, False), 14: (None, False), 24: (None, True)},
        **{0: (0.95, False), 10: (None, False), 20: (None, True)},
    }
    assert sorted(number for part in parts for number in part.layers) == list(range(30))
    layer = parts[0].spec
    assert (layer.streams, layer.laurel_rank) == (HiddenStreams(num_streams=4), 64)
    assert (layer.layer_input.vocab_size, layer.layer_input.known_tokens) == (262144, 262400)
    assert (layer.intermediate_size, layer.attention.scale) == (8192, 1.0)
    assert layer.inputs[0].shape[-2:] == (4, 2048)
    # What its code fills in.
    plain = {k: v for k, v in GEMMA_3N.items() if k not in ("activation_sparsity_pattern",)}
    assert model_from_config(plain).specs == model_from_config(GEMMA_3N).specs


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"altup_num_inputs": 1}, "altup_num_inputs: expected a whole number of at least 2, got 1"),
        ({"altup_active_idx": 4}, "altup_active_idx: expected less than num_streams = 4, got 4"),
        ({"intermediate_size": [64]}, "intermediate_size: expected a number for each of the 30 la"),
        ({"activation_sparsity_pattern": 1}, "activation_sparsity_pattern: expected shares from 0"),
    ],
)
def test_layers_of_gemma_3n_that_cannot_be_are_refused(changes, message):
    with pytest.raises(ConfigError, match=f"^{message}"):
        model_from_config({**GEMMA_3N, **changes})


QWEN_3_5_9B = {
    **{"model_type": "qwen3_5_text", "hidden_size": 4096, "intermediate_size": 12288},
    **{"num_attention_heads": 16, "num_key_value_heads": 4, "num_hidden_layers": 32},
    **{"head_dim": 256, "linear_num_key_heads": 16, "linear_num_value_heads": 32},
    **{"attn_output_gate": True, "torch_dtype": "bfloat16", "full_attention_interval": 4},
    "rope_parameters": {
        **{"rope_type": "default", "rope_theta": 1e7, "partial_rotary_factor": 0.25},
        **{"mrope_section": [11, 11, 10], "mrope_interleaved": True},
    },
}


def test_layers_of_hybrid_models_attend_or_keep_states():
    model = model_from_config(QWEN_3_5_9B, batch=2)
    parts = {(part.phase, part.kind): part for part in model.parts}
    assert [phase for phase, kind in parts] == [
        "prefill", "paged_decode", "layer_prefill", "layer_prefill", "layer_decode", "layer_decode"
    ]  # fmt: skip
    full, linear = parts["layer_decode", "full"], parts["layer_decode", "linear"]
    assert full.layers == tuple(range(3, 32, 4))
    assert len(linear.layers) == 24
    assert (full.spec.output_gate, full.spec.rotary_dim, full.spec.norm_offset) == (True, 64, 1.0)
    assert (linear.spec.channels, linear.spec.key_dim, linear.spec.kernel) == (8192, 128, 4)
    assert (linear.spec.batch, linear.spec.q_tokens) == (2, 2)
    assert parts["layer_prefill", "linear"].spec.q_tokens == 2 * 512
    assert linear.name.startswith("qwen3-5-text_linear_layer_decode_b2_h32x16_d128_q2_bf16-")
    assert not model.notes


def test_layers_of_hybrid_models_have_experts():
    """As Qwen3-Next 80B, but for layers that have an MLP: those listed, and every other one."""
    config = {
        **{"model_type": "qwen3_next", "num_hidden_layers": 8, "max_position_embeddings": 4096},
        **{"mlp_only_layers": [7], "decoder_sparse_step": 2},
    }
    model = model_from_config(config)
    layers = {part.kind: part for part in model.parts if part.phase == "layer_decode"}
    assert {kind: part.layers for kind, part in layers.items()} == {
        "full": (3,), "full_dense": (7,), "linear": (1, 5), "linear_dense": (0, 2, 4, 6),
    }  # fmt: skip
    assert not model.notes
    for kind in ("full", "linear"):
        experts = layers[kind].spec.experts
        assert (experts.num_experts, experts.experts_per_token) == (512, 10)
        assert (experts.shared_size, experts.has_shared_gate) == (512, True)
        assert experts.is_normalized
        dense = layers[f"{kind}_dense"].spec
        assert (dense.intermediate_size, dense.experts) == (5632, None)
