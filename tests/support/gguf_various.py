"""GGUF files of small models of various kinds, with a chat template."""

import numpy as np

from support.gguf_files import metadata_of, tensors_of_gguf, write_gguf
from support.model_folder import SIZES
from support.model_parts import write_folder

EXPERTS = {"num_experts_per_tok": 2, "moe_intermediate_size": 20}
DELTA = {
    **{"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8},
    **{"linear_value_head_dim": 12, "linear_conv_kernel_dim": 4, "full_attention_interval": 2},
    "partial_rotary_factor": 0.5,
}
CONFIGS = {
    "deepseek2": {
        **{"model_type": "deepseek_v2", **EXPERTS, "n_routed_experts": 4, "n_shared_experts": 1},
        **{"kv_lora_rank": 16, "q_lora_rank": 12, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4},
        **{"v_head_dim": 6, "num_key_value_heads": 4, "first_k_dense_replace": 1},
    },
    "gemma4": {
        **{"model_type": "gemma4_text", "tie_word_embeddings": True, "sliding_window": 9},
        **{"layer_types": ["sliding_attention", "full_attention"], "global_head_dim": 16},
        **{"num_kv_shared_layers": 0, "hidden_size_per_layer_input": 12},
        **{"vocab_size_per_layer_input": 300, "use_double_wide_mlp": True},
        "rope_parameters": {
            "full_attention": {
                **{"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6},
            },
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        },
    },
    "granitehybrid": {
        **{"model_type": "granitemoehybrid", "layer_types": ["mamba", "attention"]},
        **{"mamba_n_heads": 8, "mamba_d_head": 8, "mamba_d_state": 16, "mamba_n_groups": 2},
        **{"mamba_d_conv": 4, "tie_word_embeddings": True, "attention_multiplier": 0.3},
        **{"embedding_multiplier": 12.0, "residual_multiplier": 0.22, "logits_scaling": 8.0},
        **{"position_embedding_type": "nope", "num_local_experts": 4, "num_experts_per_tok": 2},
        "shared_intermediate_size": 24,
    },
    "llama": {"model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 2},
    "qwen35moe": {
        **{"model_type": "qwen3_5_moe_text", **DELTA, **EXPERTS, "num_experts": 4},
        "shared_expert_intermediate_size": 24,
    },
    "qwen3": {"model_type": "qwen3", "tie_word_embeddings": True},
}
CONFIGS["gemma4 experts"] = {
    **{**CONFIGS["gemma4"], "enable_moe_block": True, "num_experts": 4, "top_k_experts": 2},
    **{"moe_intermediate_size": 20},
}
CONFIGS["gemma3n"] = {
    **{"model_type": "gemma3n_text", "tie_word_embeddings": True, "sliding_window": 9},
    **{"layer_types": ["sliding_attention", "full_attention"], "num_kv_shared_layers": 0},
    **{"laurel_rank": 6, "activation_sparsity_pattern": [0.95, 0.0], "altup_num_inputs": 3},
    **{"altup_active_idx": 1, "hidden_size_per_layer_input": 12},
    **{"vocab_size_per_layer_input": 290, "rope_local_base_freq": 2e4},
}
CONFIGS["kimi-linear"] = {
    **{"model_type": "kimi_linear", "num_key_value_heads": 4, "kv_lora_rank": 16},
    **{"qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 6, "num_local_experts": 4},
    **{"num_experts_per_tok": 2, "moe_intermediate_size": 20, "n_shared_experts": 1},
    **{"first_k_dense_replace": 1, "layer_types": ["linear_attention", "full_attention"]},
    **{"linear_num_heads": 4, "linear_head_dim": 8, "norm_topk_prob": True, "n_group": 1},
    **{"topk_group": 1, "routed_scaling_factor": 1.5},
}
# A mixture of types as llama.cpp's Q4_K_M has it, in blocks of 256.
CONFIGS["k_quants"] = {
    **{"model_type": "llama", "hidden_size": 256, "intermediate_size": 256, "head_dim": 64},
    "num_hidden_layers": 1,
}
_SIX_BITS = ("attn_v", "ffn_down", "token_embd")


def parts_of_various(path, name, **changes):
    """The metadata and the arrays of a small model's file, with changes to its configuration."""
    sizes = {key: value for key, value in SIZES.items() if key != "hidden_act"}
    if name in ("deepseek2", "granitehybrid", "kimi-linear"):
        del sizes["head_dim"]
    config = {**sizes, **CONFIGS[name], **changes}
    tensors = tensors_of_gguf(config, write_folder(path / "model", config))
    said = metadata_of(config) | {"tokenizer.chat_template": "{{ messages[0].content }}"}
    return said, tensors


def write_various(path, name, **others):
    """The file of a small model, with the arrays that are given in place of its own."""
    said, tensors = parts_of_various(path, name)
    tensors, types = {**tensors, **others}, {}
    if name == "k_quants":
        matrices = [key for key, array in tensors.items() if array.ndim == 2]
        types = {
            key: "Q6_K" if any(one in key for one in _SIX_BITS) else "Q4_K" for key in matrices
        }
        tensors |= {key: _blocks(*tensors[key].shape, types[key]) for key in matrices}
    return write_gguf(path / "m.gguf", said, tensors, types)


def _blocks(rows, columns, kind):
    """Blocks of any numbers whose scales are small, which the package cannot quantise."""
    size, places = {"Q4_K": (144, (0, 2)), "Q6_K": (210, (208,))}[kind]
    blocks = np.random.default_rng(0).integers(0, 256, (rows, columns // 256, size), np.uint8)
    for at in places:
        blocks[..., at : at + 2] = np.array([1e-3], np.float16).view(np.uint8)
    return blocks.reshape(rows, -1)
