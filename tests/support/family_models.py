"""Small random models of transformers of every family, and how near irattn comes to them."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import (
    AutoModelForCausalLM,
    AutoModelForImageTextToText,
    Emu3ForCausalLM,
    Mistral4ForCausalLM,
)
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

import irattn
from irattn.generation import Sizes
from irattn.generation.folder import ModelFolder
from irattn.generation.graphs import LayerSpec
from irattn.generation.model_graphs import graphs_of
from support.model_folder import write_tokenizer

# The same sizes and, where the code has them, the same features: kernels are compiled once for all.
TOKENS = {"vocab_size": 300, "pad_token_id": 0, "bos_token_id": None, "eos_token_id": None}
SMALL = {
    **TOKENS,
    **{"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "head_dim": 8},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 128},
    "tie_word_embeddings": True,
}
TIED = {"tie_word_embeddings": True}
# Tied, some models of a layer or two say the last token again.
UNTIED = {"tie_word_embeddings": False}
RMS = {**SMALL, "rms_norm_eps": 1e-5}
BOTH = {"sliding_window": 9, "layer_types": ["sliding_attention", "full_attention"]}
GEMMA = {**RMS, **BOTH, "query_pre_attn_scalar": 8}
OLDER = {**TOKENS, "tie_word_embeddings": True, "layer_norm_epsilon": 1e-5}
OLDEST = {**OLDER, "n_embd": 32, "n_layer": 1, "n_head": 4, "n_positions": 128}
FALCON = {
    **OLDER,
    **{"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4},
    **{"max_position_embeddings": 128, "ffn_hidden_size": 48},
}
MULTIPLIERS = {
    **{"attention_multiplier": 0.3, "embedding_multiplier": 5.0, "logits_scaling": 3.0},
    "residual_multiplier": 0.6,
}
YARN = {
    **{"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0},
    **{"original_max_position_embeddings": 16, "mscale": 1.0, "mscale_all_dim": 1.0},
    **{"llama_4_scaling_beta": 0.5, "max_position_embeddings": 128},
}
LLAMA_4 = {
    **{"attention_chunk_size": 12, "no_rope_layers": [1, 0], "moe_layers": [1]},
    **{"intermediate_size_mlp": 40, "floor_scale": 8, "attn_scale": 0.5},
}
DELTA = {
    # One after the other, on a device where the first is still to come.
    **{"layer_types": [*["linear_attention"] * 2, "full_attention"], "num_hidden_layers": 3},
    "linear_num_key_heads": 1,
    **{"linear_num_value_heads": 2, "linear_key_head_dim": 8, "linear_value_head_dim": 12},
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5},
}
GEMMA_4 = {
    **{"sliding_window": 9, "num_hidden_layers": 5, "num_kv_shared_layers": 2},
    **{"layer_types": ["sliding_attention", "full_attention"] * 2 + ["full_attention"]},
    **{"global_head_dim": 16, "num_global_key_value_heads": 1, "attention_k_eq_v": True},
    **{"hidden_size_per_layer_input": 0, "use_double_wide_mlp": True},
    "final_logit_softcapping": 3.0,
}
GEMMA_4_UNIFIED = {
    key: value for key, value in GEMMA_4.items() if key != "hidden_size_per_layer_input"
}
GEMMA_3N = {
    **{"sliding_window": 9, "num_hidden_layers": 5, "num_kv_shared_layers": 2},
    **{"layer_types": ["sliding_attention", "full_attention"] * 2 + ["full_attention"]},
    **{"activation_sparsity_pattern": [0.8, 0.0, 0.0, 0.0, 0.8], "laurel_rank": 6},
    **{"hidden_size_per_layer_input": 12, "vocab_size_per_layer_input": 290},
    **{"altup_num_inputs": 3, "final_logit_softcapping": 3.0},
}
LATENT = {
    **{**RMS, "num_key_value_heads": 4, "kv_lora_rank": 16, "q_lora_rank": 12},
    **{"qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8},
}
# The code's own: that of the rotated part, or of both.
del LATENT["head_dim"]
LONG = {**YARN, "mscale": 0.7, "mscale_all_dim": 0.9}
del LONG["llama_4_scaling_beta"]
EXPERTS = {"num_local_experts": 4, "num_experts_per_tok": 2}
WIDE = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20}
HYBRID = ["linear_attention", "full_attention"]
SHARED = {**WIDE, "shared_expert_intermediate_size": 24}
OSS_YARN = {
    **{"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0},
    **{"original_max_position_embeddings": 32, "truncate": False},
}
ONE = {**RMS, "num_hidden_layers": 1}
GROUPS = {
    **{"n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20},
    **{"n_group": 2, "topk_group": 1, "n_shared_experts": 1},
}
SMALL_GROUP = {"n_group": 1, "topk_group": 1}
PLAIN_ROPE = {"rope_type": "default", "rope_theta": 1e4}
MIMO = {
    **{**RMS, **GROUPS, **BOTH, **UNTIED, "num_hidden_layers": 3, "v_head_dim": 4},
    "layer_types": ["full_attention", "sliding_attention", "sliding_attention"],
    "rope_parameters": {
        "full_attention": {"rope_type": "default", "rope_theta": 5e4},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    },
    **{"routed_scaling_factor": 1.5, "num_key_value_heads": 1},
}
del MIMO["n_shared_experts"]
LAGUNA = {
    **{**RMS, **SHARED, **UNTIED, "num_hidden_layers": 3, "sliding_window": 9},
    "layer_types": ["full_attention", "sliding_attention", "sliding_attention"],
    "rope_parameters": {
        "full_attention": {**PLAIN_ROPE, "partial_rotary_factor": 0.5},
        "sliding_attention": {"rope_type": "default", "rope_theta": 5e4},
    },
    "moe_routed_scaling_factor": 1.5,
}
MINIMAX = {
    **{**RMS, **EXPERTS, **UNTIED, "num_hidden_layers": 4, "rope_parameters": PLAIN_ROPE},
    "layer_types": [*["linear_attention"] * 2, "full_attention", "linear_attention"],
}
FACTORS = {
    f"{part}_{factor}_factor": number
    for part in ("full_attn", "linear_attn", "mlp")
    for factor, number in {"alpha": 3.5565588200778455, "beta": 0.8}.items()
}
# Of heads that the code counts the columns of.
PLAIN = {key: value for key, value in SMALL.items() if key != "head_dim"}
BIASED = {"attention_bias": True, "mlp_bias": True}
AXES = {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [2, 1, 1]}
HALF_AXES = {**AXES, "mrope_section": [1, 1, 0], "partial_rotary_factor": 0.5}
ROPE_OF_ONE = {"sliding_attention": AXES, "full_attention": None}
VISION = {
    **{"depth": 1, "hidden_size": 32, "num_heads": 2, "intermediate_size": 16, "embed_dim": 16},
    **{"out_hidden_size": 32, "deepstack_visual_indexes": [0]},
    "num_attention_heads": 2,
}
PHI_VISION = {
    **{"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2},
    **{"num_attention_heads": 2, "image_size": 28, "crop_size": 28},
}
PHI_AUDIO = {
    **{"hidden_size": 16, "intermediate_size": 16, "num_blocks": 1, "num_attention_heads": 2},
    **{"ext_pw_out_channel": 16, "depthwise_separable_out_channel": 16, "nemo_conv_channels": 4},
}
PHI_ROPE = {
    **{"rope_type": "longrope", "rope_theta": 1e4, "short_mscale": 1.3, "long_mscale": 1.5},
    **{"short_factor": [1.0, 1.1, 1.2, 1.3], "long_factor": [2.0] * 4, "factor": 2.0},
    "original_max_position_embeddings": 64,
}
NEOX = {key: value for key, value in PLAIN.items() if key != "num_key_value_heads"}
CONVOLUTIONS = {"layer_types": ["conv", "full_attention", "conv"], "num_hidden_layers": 3}
LFM_3 = {
    **{**SMALL, "num_hidden_layers": 3, "sliding_window": 9},
    "layer_types": ["conv", "full_attention", "sliding_attention"],
    "rope_parameters": {
        "full_attention": {
            **{"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.5},
        },
        "sliding_attention": PLAIN_ROPE,
    },
}
STEPS = {
    **{"mamba_n_heads": 4, "mamba_d_head": 16, "mamba_n_groups": 2, "mamba_d_state": 8},
    **{"mamba_chunk_size": 4, "attn_layer_indices": [1], "num_hidden_layers": 3},
}
NEMOTRON_H = {
    **{**SMALL, **UNTIED, "hybrid_override_pattern": "M-*M-", "mlp_hidden_act": "relu2"},
    **{"mamba_num_heads": 4, "mamba_head_dim": 16, "n_groups": 2, "ssm_state_size": 8},
    "chunk_size": 4,
}
del NEMOTRON_H["num_hidden_layers"]
MAMBA = {
    **{**TOKENS, **UNTIED, "hidden_size": 32, "num_hidden_layers": 2, "state_size": 8},
    "time_step_rank": 5,
}
FALCON_MAMBA = {**MAMBA, "mixer_rms_eps": 1e-4, "expand": 16, "intermediate_size": 48}
JAMBA = {
    **{**PLAIN, **UNTIED, "attn_layer_period": 2, "attn_layer_offset": 1, "num_experts": 1},
    **{"mamba_d_state": 8, "num_hidden_layers": 3},
}
MAMBA_2 = {
    **{**TOKENS, **UNTIED, "hidden_size": 32, "num_hidden_layers": 2, "num_heads": 4},
    **{"head_dim": 16, "n_groups": 2, "state_size": 8, "chunk_size": 4},
}
# Of more columns, attention is so sharp that transformers in f32 is as far from itself in f64 as
# tests allow.
ZAMBA_2 = {
    **{**PLAIN, "layers_block_type": ["hybrid", "mamba", "hybrid"], "num_hidden_layers": 3},
    **{"hidden_size": 16, "num_key_value_heads": 4, "mamba_d_state": 8, "n_mamba_heads": 4},
    **{"mamba_ngroups": 2, "chunk_size": 4, "adapter_rank": 6},
}
FALCON_H1 = {
    **{**RMS, **STEPS, **UNTIED, "mamba_d_ssm": 64, "num_hidden_layers": 2},
    **{"attention_in_multiplier": 1.25, "attention_out_multiplier": 0.75, "key_multiplier": 0.5},
    **{"ssm_in_multiplier": 1.5, "ssm_out_multiplier": 0.6, "lm_head_multiplier": 0.4},
    **{"ssm_multipliers": [0.8, 1.1, 0.7, 1.2, 0.9], "mlp_multipliers": [0.9, 0.4]},
    "embedding_multiplier": 3.0,
}
del FALCON_H1["attn_layer_indices"]
GRANITE_4 = {
    **{**PLAIN, **STEPS, **MULTIPLIERS, "shared_intermediate_size": 24},
    **{"layer_types": ["mamba", "attention", "mamba"]},
}
del GRANITE_4["attn_layer_indices"]
HYBRID_OLMO = {
    # As many columns of values as of keys: transformers cuts their convolution into equal parts.
    **{**PLAIN, **DELTA, "rms_norm_eps": 1e-2, "linear_value_head_dim": 4},
    "rope_parameters": {"rope_type": "default", "rope_theta": None},
}
KIMI_LINEAR = {
    **{**LATENT, **GROUPS, **UNTIED, "q_lora_rank": None, "num_hidden_layers": 3},
    **{"layer_types": [*["linear_attention"] * 2, "full_attention"], "num_local_experts": 4},
    **{"linear_head_dim": 8, "linear_num_heads": 2, "rms_norm_eps": 1e-3},
}
del KIMI_LINEAR["n_routed_experts"]
FAMILIES = {
    "deepseek_v2": (
        "deepseek_v2",
        {
            **{**LATENT, **GROUPS, "q_lora_rank": None, "num_hidden_layers": 1},
            **{"first_k_dense_replace": 0, "topk_method": "group_limited_greedy"},
        },
    ),
    "deepseek_v3": (
        "deepseek_v3",
        {**LATENT, **GROUPS, "rope_parameters": LONG, "first_k_dense_replace": 1},
    ),
    "deepseek_v32": (
        "deepseek_v32",
        {
            **{**LATENT, **GROUPS, "rope_parameters": LONG, "first_k_dense_replace": 1},
            **{"index_topk": 64, "index_head_dim": 8, "index_n_heads": 2},
        },
    ),
    "glm4_moe_lite": (
        "glm4_moe_lite",
        {
            **{**LATENT, **GROUPS, "mlp_layer_types": ["dense", "sparse"]},
            "rope_interleave": False,
        },
    ),
    "mistral4": (
        "mistral4",
        {**LATENT, **GROUPS, **SMALL_GROUP, "rope_parameters": YARN, "first_k_dense_replace": 1},
    ),
    "youtu": ("youtu", {**LATENT, "num_hidden_layers": 1}),
    "minicpm3": ("minicpm3", {**LATENT, "dim_model_base": 8, "scale_emb": 3}),
    "afmoe": (
        "afmoe",
        {
            **{**RMS, **BOTH, **WIDE, "num_shared_experts": 1, "num_dense_layers": 1},
            **{"mup_enabled": True, "route_scale": 1.7, "tie_word_embeddings": False},
        },
    ),
    "apertus": ("apertus", {**ONE, "rope_parameters": PLAIN_ROPE}),
    "apertus 1.5": (
        "apertus1p5_text",
        {**ONE, **UNTIED, "output_vocab_size": 280, "rope_parameters": PLAIN_ROPE},
    ),
    "arcee": ("arcee", {**ONE, **BIASED, "hidden_act": "relu2"}),
    "axk1": (
        "axk1",
        {**LATENT, **GROUPS, "rope_parameters": LONG, "mlp_layer_types": ["dense", "sparse"]},
    ),
    "cwm": ("cwm", {**RMS, **BOTH, "bos_token_id": 1}),
    "diffllama": ("diffllama", {**RMS, "attention_bias": True}),
    "dots1": (
        "dots1",
        {**RMS, **GROUPS, "first_k_dense_replace": 1, "sliding_window": 9, "max_window_layers": 1},
    ),
    "ernie4.5": ("ernie4_5", {**ONE, "use_bias": True}),
    "ernie4.5 experts": (
        "ernie4_5_moe",
        {**RMS, "moe_num_experts": 4, "moe_k": 2, "moe_intermediate_size": 20},
    ),
    "exaone4": ("exaone4", {**RMS, **BOTH}),
    "exaone4 experts": (
        "exaone_moe",
        {**RMS, **BOTH, **WIDE, "num_shared_experts": 1, "n_group": 2, "topk_group": 1},
    ),
    "falcon_h1": ("falcon_h1", FALCON_H1),
    "falcon_h1 norms": (
        "falcon_h1",
        {
            **{**FALCON_H1, "mamba_rms_norm": True, "mamba_norm_before_gate": False},
            **{"num_hidden_layers": 1, "mamba_n_groups": 1},
        },
    ),
    "flex_olmo": ("flex_olmo", {**ONE, **EXPERTS, "num_experts": 4}),
    "flint": (
        "flint",
        {
            **{**RMS, **BOTH, **SHARED, **UNTIED, "mlp_only_layers": [1], "num_hidden_layers": 3},
            "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
        },
    ),
    "gpt_neox": ("gpt_neox", {**NEOX, "num_hidden_layers": 1, "rotary_pct": 0.5}),
    "granitemoeshared": (
        "granitemoeshared",
        {**ONE, **EXPERTS, **MULTIPLIERS, "shared_intermediate_size": 24},
    ),
    "helium": ("helium", {**ONE, **BIASED}),
    "hunyuan": (
        "hunyuan_v1_dense",
        {
            **ONE,
            "rope_parameters": {
                "rope_type": "dynamic",
                "rope_theta": 1e4,
                "alpha": 50.0,
                "factor": 1.0,
            },
        },
    ),
    "hunyuan experts": ("hunyuan_v1_moe", {**ONE, "num_experts": 4, "moe_topk": [2]}),
    "hy_v3": ("hy_v3", {**RMS, **WIDE, "num_shared_experts": 1, "router_scaling_factor": 1.7}),
    "hyperclovax": ("hyperclovax", {**ONE, **UNTIED, **MULTIPLIERS}),
    "hyperclovax vision": (
        "hyperclovax_vision_v2",
        {
            "text_config": {**ONE, **MULTIPLIERS, "model_type": "hyperclovax"},
            "vision_config": {"model_type": "qwen2_5_vl_vision", **VISION},
            **UNTIED,
        },
    ),
    "kolibri": ("kolibri1", {**RMS, **BOTH, **SHARED, **UNTIED}),
    "kimi linear": ("kimi_linear", KIMI_LINEAR),
    "lara": (
        "lara_mini",
        {
            **{**RMS, **DELTA, **SHARED, **UNTIED, "sliding_window": 9},
            "layer_types": ["linear_attention", "sliding_attention", "full_attention"],
            "rope_parameters": {"rope_type": "default", "rope_theta": 1e4},
        },
    ),
    "lfm2": ("lfm2", {**PLAIN, **CONVOLUTIONS, "block_multiple_of": 8}),
    "lfm2 experts": (
        "lfm2_moe",
        {**PLAIN, **CONVOLUTIONS, **WIDE, "num_dense_layers": 1, "routed_scaling_factor": 1.5},
    ),
    "lfm3": ("lfm3", LFM_3),
    "lfm3 plain": (
        "lfm3",
        {**LFM_3, **UNTIED, "use_sandwich_norm": False, "use_attention_gate": False},
    ),
    "mamba": ("mamba", MAMBA),
    "falcon_mamba": ("falcon_mamba", FALCON_MAMBA),
    "jamba": ("jamba", JAMBA),
    "jamba experts": ("jamba", {**JAMBA, "num_experts": 4}),
    "mamba2": ("mamba2", MAMBA_2),
    "mellum": (
        "mellum",
        {
            **{**RMS, **BOTH, **WIDE, "mlp_layer_types": ["dense", "sparse"]},
            "rope_parameters": {
                "full_attention": {"rope_type": "linear", "rope_theta": 5e5, "factor": 4.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
            },
        },
    ),
    "nemotron": ("nemotron", {**SMALL, "num_hidden_layers": 1}),
    "nemotron_h": ("nemotron_h", NEMOTRON_H),
    "nemotron_h experts": (
        "nemotron_h",
        {
            **{**NEMOTRON_H, **GROUPS, "moe_shared_expert_intermediate_size": 24},
            "hybrid_override_pattern": "MEM*EM-",
            "routed_scaling_factor": 2.5,
        },
    ),
    "olmo": ("olmo", {**PLAIN, "num_hidden_layers": 1, "clip_qkv": 0.8}),
    "bloom": ("bloom", {**OLDER, "hidden_size": 48, "n_layer": 2, "n_head": 6, **UNTIED}),
    "mpt": (
        "mpt",
        {
            **OLDER,
            "d_model": 48,
            "n_layers": 2,
            "n_heads": 6,
            "max_seq_len": 128,
            **UNTIED,
            "attn_config": {"clip_qkv": 0.8},
        },
    ),
    "dbrx": (
        "dbrx",
        {
            **{**TOKENS, **UNTIED, "d_model": 32, "n_layers": 2, "n_heads": 4, "max_seq_len": 128},
            "attn_config": {"clip_qkv": 0.8, "kv_n_heads": 2, "rope_theta": 1e4},
            "ffn_config": {"ffn_hidden_size": 20, "moe_num_experts": 4, "moe_top_k": 2},
        },
    ),
    "nanochat": ("nanochat", {**PLAIN, "num_hidden_layers": 1, "final_logit_softcapping": 3.0}),
    "bamba": ("bamba", {**PLAIN, **STEPS}),
    "olmo hybrid": (
        "olmo_hybrid",
        # Of heads that the code counts the columns of, and another eps than that of gated norms.
        HYBRID_OLMO,
    ),
    "olmoe": ("olmoe", {**ONE, **WIDE, "clip_qkv": 0.8}),
    "opt": (
        "opt",
        {
            **{**TOKENS, "hidden_size": 32, "ffn_dim": 48, "num_hidden_layers": 1},
            **{"num_attention_heads": 4, "max_position_embeddings": 128},
        },
    ),
    "opt 350M": (
        "opt",
        {
            **{**TOKENS, "hidden_size": 32, "ffn_dim": 48, "num_hidden_layers": 2},
            **{"num_attention_heads": 4, "max_position_embeddings": 128},
            **{"do_layer_norm_before": False, "word_embed_proj_dim": 16},
        },
    ),
    "persimmon": ("persimmon", {**NEOX, **UNTIED}),
    "phi": ("phi", {**PLAIN, "num_hidden_layers": 1, "tie_word_embeddings": False}),
    "phi norms": (
        "phi",
        {**PLAIN, **UNTIED, "num_hidden_layers": 1, "qk_layernorm": True},
    ),
    "sarvam_moe": ("sarvam_moe", {**ONE, **GROUPS, "first_k_dense_replace": 0}),
    "jais2": ("jais2", {**SMALL, "num_hidden_layers": 1}),
    "seed_oss": ("seed_oss", {**ONE, **BIASED, "attention_out_bias": True}),
    "solar_open": ("solar_open", {**ONE, **GROUPS, "routed_scaling_factor": 1.5}),
    "stablelm": (
        "stablelm",
        {**PLAIN, "num_hidden_layers": 1, "layer_norm_eps": 1e-5, "use_qkv_bias": True},
    ),
    "starcoder2": ("starcoder2", {**SMALL, "num_hidden_layers": 1, "sliding_window": 9}),
    "vaultgemma": (
        "vaultgemma",
        {**GEMMA, "attn_logit_softcapping": 5.0, "final_logit_softcapping": 3.0},
    ),
    "mixtral": ("mixtral", {**ONE, **EXPERTS}),
    "qwen2_moe": ("qwen2_moe", {**ONE, **SHARED}),
    "qwen3_moe": ("qwen3_moe", {**RMS, **WIDE, "norm_topk_prob": True, "decoder_sparse_step": 2}),
    "granitemoe": ("granitemoe", {**ONE, **EXPERTS, **MULTIPLIERS}),
    "gpt_oss": ("gpt_oss", {**RMS, **BOTH, **EXPERTS, "rope_parameters": OSS_YARN}),
    "glm4_moe": (
        "glm4_moe",
        {
            **{**RMS, **GROUPS, "first_k_dense_replace": 1},
            **{"use_qk_norm": True, "routed_scaling_factor": 1.5},
        },
    ),
    "laguna": ("laguna", {**LAGUNA, "num_attention_heads_per_layer": [4, 2, 2]}),
    "laguna columns": ("laguna", {**LAGUNA, "gating": "per-element", "attention_bias": True}),
    "mimo_v2_flash": ("mimo_v2_flash", MIMO),
    "mimo_v2_flash biases": ("mimo_v2_flash", {**MIMO, "attention_bias": True, "head_dim": 12}),
    "minimax": ("minimax", MINIMAX),
    "minimax alike": ("minimax", {**MINIMAX, **FACTORS, "block_size": 4}),
    "minimax_m2": ("minimax_m2", {**ONE, **EXPERTS, "rotary_dim": 4}),
    "llama4": ("llama4_text", {**RMS, **LLAMA_4, "num_local_experts": 4}),
    "qwen3.5": ("qwen3_5_text", {**RMS, **DELTA}),
    "qwen3.5 experts": (
        "qwen3_5_moe_text",
        {**RMS, **DELTA, **SHARED, "layer_types": HYBRID, "num_hidden_layers": 2},
    ),
    "qwen3 next": ("qwen3_next", {**RMS, **DELTA, **SHARED, "mlp_only_layers": [0]}),
    "gemma4": ("gemma4_text", {**RMS, **GEMMA_4}),
    "gemma4 unified": ("gemma4_unified_text", {**RMS, **GEMMA_4_UNIFIED}),
    "gemma4 inputs": (
        "gemma4_text",
        {**RMS, **GEMMA_4, "hidden_size_per_layer_input": 12, "vocab_size_per_layer_input": 300},
    ),
    "gemma4 experts": (
        "gemma4_text",
        {
            **{**ONE, **GEMMA_4, "num_hidden_layers": 1, "num_kv_shared_layers": 0},
            # Tied, a single layer says the last token again.
            **{"layer_types": ["full_attention"], "tie_word_embeddings": False},
            "enable_moe_block": True,
            **{"num_experts": 4, "top_k_experts": 2, "moe_intermediate_size": 20},
        },
    ),
    "gemma3n": ("gemma3n_text", {**RMS, **GEMMA_3N}),
    "ministral3": ("ministral3", {**RMS, "rope_parameters": YARN}),
    "gemma": ("gemma", {**RMS, "num_hidden_layers": 1}),
    "gemma2": (
        "gemma2",
        {**GEMMA, "attn_logit_softcapping": 5.0, "final_logit_softcapping": 3.0},
    ),
    "gemma3": ("gemma3_text", GEMMA),
    "phi3": (
        "phi3",
        {**RMS, "rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}},
    ),
    "phi4": (
        "phi4_multimodal",
        {**RMS, "vision_config": PHI_VISION, "audio_config": PHI_AUDIO},
    ),
    "phi3.5 experts": (
        "phimoe",
        {
            **{**PLAIN, **EXPERTS, **UNTIED, "rms_norm_eps": 1e-5, "attention_bias": True},
            **{"lm_head_bias": True, "router_jitter_noise": 0.3, "sliding_window": 9},
            "rope_parameters": PHI_ROPE,
        },
    ),
    "glm4": ("glm4", {**RMS, "num_hidden_layers": 1}),
    "smollm3": ("smollm3", {**RMS, "no_rope_layers": [1, 0]}),
    "granite": ("granite", {**RMS, **MULTIPLIERS}),
    "granite docling": (
        "granite_docling",
        {
            "text_config": {**ONE, **MULTIPLIERS},
            "vision_config": {**VISION, "num_hidden_layers": 1},
            **TIED,
        },
    ),
    "granite sinks": (
        "granite_swa",
        {**RMS, **BOTH, **MULTIPLIERS, "layer_rope_theta": [500.0, 0]},
    ),
    "granite sinks experts": (
        "granitemoe_swa",
        {**RMS, **BOTH, **EXPERTS, **MULTIPLIERS, "shared_intermediate_size": 24},
    ),
    "granite4": (
        "granitemoehybrid",
        {
            **{**ONE, **MULTIPLIERS, "layer_types": ["full_attention"], "num_local_experts": 0},
            **{"shared_intermediate_size": 48, "position_embedding_type": "rope"},
            "mamba_n_heads": 4,
        },
    ),
    "granite4 steps": ("granitemoehybrid", {**GRANITE_4, "num_local_experts": 0}),
    "granite4 experts": ("granitemoehybrid", {**GRANITE_4, **EXPERTS}),
    "olmo2": ("olmo2", {**RMS, "num_hidden_layers": 1}),
    "olmo3": ("olmo3", {**RMS, **BOTH}),
    "cohere2": ("cohere2", {**SMALL, **BOTH, "logit_scale": 0.3}),
    "cohere2 experts": (
        "cohere2_moe",
        {
            **{**SMALL, **WIDE, "num_hidden_layers": 3, "sliding_window": 9, "logit_scale": 0.3},
            **{"layer_types": ["full_attention", "sliding_attention", "full_attention"]},
            **{"first_k_dense_replace": 1, "prefix_dense_intermediate_size": 40},
            **{"num_shared_experts": 1, "shared_expert_combination_strategy": "sum"},
        },
    ),
    "cohere2 sigmoids": (
        "cohere2_moe",
        {**RMS, **WIDE, "sliding_window": 9, "expert_selection_fn": "sigmoid"},
    ),
    "cohere compass": ("cohere_compass_text", {**PLAIN, **BOTH, "rope_parameters": ROPE_OF_ONE}),
    "falcon 40B": (
        "falcon",
        {**FALCON, "new_decoder_architecture": True, "num_kv_heads": 2},
    ),
    "emu3": ("emu3_text_model", {**RMS, **UNTIED, "bos_token_id": 1}),
    "falcon 7B": ("falcon", FALCON),
    "falcon RW": (
        "falcon",
        {**FALCON, **UNTIED, "alibi": True, "parallel_attn": False, "multi_query": False},
    ),
    "gpt2": ("gpt2", OLDEST),
    "openai-gpt": ("openai-gpt", {**OLDEST, "n_layer": 2}),
    "gpt_bigcode": ("gpt_bigcode", {**OLDEST, **UNTIED}),
    "gpt_bigcode heads": ("gpt_bigcode", {**OLDEST, **UNTIED, "multi_query": False}),
    "gpt_neo": (
        "gpt_neo",
        {
            **{**OLDER, "hidden_size": 32, "num_layers": 2, "num_heads": 4, "window_size": 9},
            **{"attention_types": [[["global", "local"], 1]], "max_position_embeddings": 128},
            **UNTIED,
        },
    ),
    "gpt_neox_japanese": (
        "gpt_neox_japanese",
        {**NEOX, "intermediate_multiple_size": 2, "rotary_pct": 0.5},
    ),
    "gptj": ("gptj", {**OLDEST, "rotary_dim": 4}),
    "codegen": ("codegen", {**OLDEST, **UNTIED, "rotary_dim": 4}),
    "biogpt": ("biogpt", {**NEOX, **UNTIED, "num_hidden_layers": 1}),
    "ctrl": ("ctrl", {**OLDEST, **UNTIED, "dff": 48, "layer_norm_epsilon": 1e-6}),
    "xglm": (
        "xglm",
        {
            **{**TOKENS, **UNTIED, "d_model": 32, "ffn_dim": 48, "num_layers": 1},
            **{"attention_heads": 4, "max_position_embeddings": 128},
        },
    ),
    "exaone": ("exaone", {**ONE, **BIASED}),
    "zamba2": (
        "zamba2",
        {
            **{**ZAMBA_2, "use_shared_attention_adapter": True, "use_mem_rope": True},
            "rope_parameters": PLAIN_ROPE,
        },
    ),
    "zamba2 blocks": (
        "zamba2",
        {**ZAMBA_2, **UNTIED, "num_mem_blocks": 2, "num_key_value_heads": 2},
    ),
}
# Those whose folders have all experts of a layer in one tensor, as Qwen 3.5's published files do.
WITH_PACKED_EXPERTS = ("qwen3.5 experts", "laguna columns", "mimo_v2_flash biases")
# Of models that see images, text alone.
FAMILIES |= {
    name: (model_type, {"text_config": fields, "vision_config": VISION, **TIED})
    for name, model_type, fields in (
        ("qwen2 vl", "qwen2_vl", {**PLAIN, "rope_parameters": AXES}),
        ("qwen3 vl", "qwen3_vl", {**RMS, "rope_parameters": AXES}),
        ("qwen3 vl experts", "qwen3_vl_moe", {**RMS, **WIDE, "rope_parameters": AXES}),
        (
            "cohere compass vision",
            "cohere_compass",
            {**PLAIN, **BOTH, "logit_scale": 0.3, "rope_parameters": ROPE_OF_ONE},
        ),
        ("cohere2 vision", "cohere2_vision", {**SMALL, **BOTH, "logit_scale": 0.3}),
        ("idefics3", "idefics3", {**ONE, "model_type": "llama"}),
        ("aria", "aria", {**RMS, **UNTIED, "moe_num_experts": 4, "moe_topk": 2}),
        ("fuyu", "fuyu", NEOX),
        ("glm4v", "glm4v", {**PLAIN, "rope_parameters": AXES}),
        ("glm4v experts", "glm4v_moe", {**RMS, **GROUPS, "rope_parameters": HALF_AXES}),
    )
}
SIZES = {"batch": 2, "step_tokens": 16, "context": 64, "block_size": 4}
TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
PROMPTS = ["Hello", "The quick brown fox jumps over", "a"]


def model_of(name: str) -> Any:
    """A model with random weights of a size that tells tokens apart."""
    model_type, fields = FAMILIES[name]
    torch.manual_seed(0)
    # What is given is changed.
    config = CONFIG_MAPPING[model_type](**deepcopy(fields))
    # The automatic class has neither of these alone.
    of_type = {
        "emu3_text_model": Emu3ForCausalLM._from_config,
        "mistral4": Mistral4ForCausalLM._from_config,
    }
    sees_images = "text_config" in fields
    auto = AutoModelForImageTextToText if sees_images else AutoModelForCausalLM
    kind = of_type.get(model_type, auto.from_config)
    # Eager, Falcon adds its slopes twice.
    attention = "sdpa" if fields.get("alibi") else "eager"
    # Grouped products of PyTorch take rows of whole 16 bytes alone.
    model = kind(config, attn_implementation=attention, experts_implementation="eager")
    for parameter, weight in model.named_parameters():
        # DBRX's attention is a part of this.
        own = parameter.replace("norm_attn_norm.", "")
        is_norm = ("norm" in own or ".ln_" in own) and not own.endswith("bias")
        torch.nn.init.normal_(weight, float(is_norm), 0.3)
    for buffer, numbers in model.named_buffers():
        if buffer.endswith("layer_scalar"):
            numbers.fill_(0.7)
        if buffer.endswith("act_fn.beta"):
            numbers.fill_(0.7)
        if buffer.endswith(("correction_bias", "expert_bias")):
            torch.nn.init.normal_(numbers)
    return model.float().eval()


def write_family(folder: Path, name: str) -> Any:
    """The folder of a family's model, which is given back."""
    model = model_of(name)
    model.save_pretrained(folder, save_original_format=name not in WITH_PACKED_EXPERTS)
    write_tokenizer(folder / "tokenizer.json")
    return model


def layers_of(folder: Path, io_dtype: str | None = None) -> Sequence[LayerSpec]:
    """The layers that `generate` compiles for a folder."""
    read = ModelFolder(folder)
    return graphs_of(read, Sizes.of_model(read, **SIZES), io_dtype).phases[0].layers


@dataclass(frozen=True)
class Nearness:
    """The tokens of how many that are transformers' likeliest in the same type, and errors.

    `ours` and `theirs` are the largest differences of logarithms of likelihoods from those of
    transformers in f32, in that type.
    """

    equal: int
    count: int
    ours: float
    theirs: float


def nearness(folder: Path, model: Any, io_dtype: str) -> Nearness:
    """Greedy tokens after some prompts beside transformers' model, in an element type."""
    narrow = deepcopy(model).to(TYPES[io_dtype])
    generator = irattn.Generator(folder, io_dtype=io_dtype, **SIZES)
    requests = [generator.request(prompt, 10, logprobs=5) for prompt in PROMPTS]
    list(generator.run(requests))
    off, equal, count = [], 0, 0
    for request in requests:
        ids, new = [*request.prompt, *request.tokens], len(request.tokens)
        exact, theirs = (likelihoods(one, ids)[-new - 1 : -1] for one in (model, narrow))
        equal, count = equal + sum(theirs.argmax(-1) == request.tokens), count + new
        for row, narrow_row, told in zip(exact, theirs, request.likelihoods, strict=True):
            numbers, found = zip(*told.likeliest, strict=True)
            chosen = list(numbers)
            pair = (found - row[chosen], narrow_row[chosen] - row[chosen])
            off.append([np.abs(error).max() for error in pair])
    ours, theirs_off = np.max(off, axis=0)
    return Nearness(int(equal), count, float(ours), float(theirs_off))


def likelihoods(model: Any, ids: Iterable[int]) -> np.ndarray:
    """The logarithms of likelihoods of all tokens after each of some, by transformers."""
    # With hidden states transformers' Gemma 4 leaves out a cut that wants layers' own inputs.
    told = {"use_cache": False, "output_hidden_states": True}
    with torch.no_grad():
        logits = model(torch.tensor([list(ids)]), **told).logits[0]
    return torch.log_softmax(logits.double(), -1).numpy()


def assert_tokens_of(model: Any, generator: irattn.Generator) -> None:
    """The tokens of a generator are a model's likeliest, and likelihoods as near as f32 rounds."""
    requests = [generator.request(prompt, 10, logprobs=5) for prompt in PROMPTS]
    list(generator.run(requests))
    for request in requests:
        ids, count = [*request.prompt, *request.tokens], len(request.tokens)
        logprobs = likelihoods(model, ids)[-count - 1 : -1]
        assert logprobs.argmax(-1).tolist() == request.tokens
        for row, told in zip(logprobs, request.likelihoods, strict=True):
            numbers, found = zip(*told.likeliest, strict=True)
            np.testing.assert_allclose(found, row[list(numbers)], atol=2e-4)
    assert len({token for request in requests for token in request.tokens}) > 3
