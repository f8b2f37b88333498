"""GGUF files of many architectures: the same graphs and numbers as the same models' folders give.

Folders are checked against transformers. Files are written as llama.cpp's converters do it.
"""

from importlib.resources import files
from re import findall

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
pytest.importorskip("gguf", reason="it writes the files")

from safetensors.numpy import load_file

from irattn.core.errors import ConfigError, ModelError
from irattn.generation.gguf_model import model_at
from irattn.models.gguf import ARCHITECTURES
from irattn.reference.packed_weights import numbers_of
from support.gguf_files import metadata_of, tensors_of_gguf, write_gguf
from support.gguf_kinds import lists_of
from support.model_folder import SIZES
from support.model_parts import graphs_of_small, read_of, write_folder

TIED = {"tie_word_embeddings": True}
LAYER_NORM = {"rms_norm_eps": None, "layer_norm_eps": 1e-5}
EPSILON = {"rms_norm_eps": None, "layer_norm_epsilon": 1e-5}
OWN_KEYS = {"num_key_value_heads": None, "head_dim": None}
PART = {"partial_rotary_factor": 0.5}
FALCON = {**EPSILON, **OWN_KEYS, **TIED, "intermediate_size": None, "ffn_hidden_size": 48}
GPT_2 = {**EPSILON, **OWN_KEYS, **TIED, "intermediate_size": None, "n_inner": 128}
NEOX = {**LAYER_NORM, **OWN_KEYS, "rotary_pct": 0.5}
CONFIGS = {
    "command-r": {"model_type": "cohere", **LAYER_NORM, **TIED, "logit_scale": 0.3},
    "cohere2": {"model_type": "cohere2", **LAYER_NORM, **TIED, "logit_scale": 0.3},
    "falcon 7B": {"model_type": "falcon", **FALCON, "multi_query": True},
    "falcon 40B": {
        **{"model_type": "falcon", **FALCON, "new_decoder_architecture": True},
        **{"num_kv_heads": 2},
    },
    "falcon 11B": {
        **{"model_type": "falcon", **FALCON, "new_decoder_architecture": True},
        **{"num_kv_heads": 2, "num_ln_in_parallel_attn": 1},
    },
    "gpt2": {"model_type": "gpt2", **GPT_2},
    "gptneox": {"model_type": "gpt_neox", **NEOX, "use_parallel_residual": True},
    "gptneox in turn": {"model_type": "gpt_neox", **NEOX, "use_parallel_residual": False},
    "nemotron": {"model_type": "nemotron", "rms_norm_eps": None, "norm_eps": 1e-5, **PART},
    "olmo": {"model_type": "olmo", "rms_norm_eps": None, "clip_qkv": 8.0},
    "phi2": {"model_type": "phi", **LAYER_NORM, **PART, "num_key_value_heads": 4},
    "stablelm": {
        "model_type": "stablelm",
        **LAYER_NORM,
        "head_dim": None,
        "partial_rotary_factor": 0.25,
    },
    "stablelm biases": {
        **{"model_type": "stablelm", **LAYER_NORM, "use_qkv_bias": True, "head_dim": None},
        **{"use_parallel_residual": True, "partial_rotary_factor": 1.0},
    },
    "starcoder": {"model_type": "gpt_bigcode", **GPT_2, "multi_query": True},
    "starcoder2": {"model_type": "starcoder2", "rms_norm_eps": None, "norm_epsilon": 1e-5},
}
CONFIGS["cohere2"]["sliding_window"] = 9
BIASED = {"attention_bias": True, "mlp_bias": True}
KINDS = {"sliding_window": 9, "layer_types": ["sliding_attention", "full_attention"]}
CONFIGS |= {
    "arcee": {"model_type": "arcee", "hidden_act": "relu2", **BIASED},
    "chatglm": {"model_type": "glm", "attention_bias": True, **PART},
    "ernie4_5": {"model_type": "ernie4_5", **TIED},
    "exaone": {"model_type": "exaone", **EPSILON},
    "exaone4": {"model_type": "exaone4", **KINDS},
    "exaone4 1.2B": {"model_type": "exaone4", "sliding_window": None, "num_hidden_layers": 4},
    "glm4": {"model_type": "glm4", "attention_bias": False, **PART},
    "hunyuan-dense": {"model_type": "hunyuan_v1_dense", **TIED, "rope_theta": 158489.0},
    "internlm2": {"model_type": "llama", "gguf_architecture": "internlm2"},
    "pangu-embedded": {
        **{"model_type": "llama", "gguf_architecture": "pangu-embedded", "attention_bias": True},
    },
    "qwen": {
        **{"model_type": "qwen2", "gguf_architecture": "qwen", "num_key_value_heads": 4},
    },
    "qwen2vl": {"model_type": "qwen2_vl_text", "head_dim": None},
    "qwen3vl": {"model_type": "qwen3_vl_text", **TIED},
    "seed_oss": {"model_type": "seed_oss", **BIASED, "attention_out_bias": True},
}
EXPERTS = {"num_experts": 4, "num_experts_per_tok": 2}
WIDE = {**EXPERTS, "moe_intermediate_size": 20}
DEEPSEEK = {
    **{"n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20},
    **{"n_shared_experts": 1, "n_group": 1, "topk_group": 1, "first_k_dense_replace": 1},
    **{"norm_topk_prob": True, "routed_scaling_factor": 1.5},
}
ERNIE = {
    **{"moe_num_experts": 4, "moe_k": 2, "moe_intermediate_size": 20, "moe_layer_interval": 1},
    **{"moe_num_shared_experts": 2, "moe_layer_start_index": 1, **TIED},
}
HUNYUAN = {**TIED, "num_experts": 4, "moe_topk": 2, "num_shared_expert": 1}
CONFIGS |= {
    "dots1": {"model_type": "dots1", **DEEPSEEK},
    "ernie4_5-moe": {"model_type": "ernie4_5_moe", **ERNIE, "head_dim": None},
    "exaone-moe": {
        **{"model_type": "exaone_moe", **DEEPSEEK, **KINDS, "num_shared_experts": 1},
        **{"n_shared_experts": None, "n_routed_experts": None, "num_experts": 4},
    },
    "glm4moe": {"model_type": "glm4_moe", **DEEPSEEK, **PART, "attention_bias": True},
    "glm4moe norms": {"model_type": "glm4_moe", **DEEPSEEK, **PART, "use_qk_norm": True},
    "hunyuan-moe": {"model_type": "hunyuan_v1_moe", **HUNYUAN},
    "minimax-m2": {
        **{"model_type": "minimax_m2", "num_local_experts": 4, "num_experts_per_tok": 2},
        "rotary_dim": 4,
    },
    "olmoe": {"model_type": "olmoe", **EXPERTS, "norm_topk_prob": False, "clip_qkv": 0.5},
    "qwen3vlmoe": {"model_type": "qwen3_vl_moe_text", **WIDE, "norm_topk_prob": True},
}
DELTA = {
    **{"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8},
    **{"linear_value_head_dim": 12, "linear_conv_kernel_dim": 4, "full_attention_interval": 2},
    **PART,
}
OF_DELTA = {**DELTA, **WIDE, "shared_expert_intermediate_size": 24}
CONFIGS |= {
    "qwen35": {"model_type": "qwen3_5_text", **DELTA, **TIED},
    "qwen35moe": {"model_type": "qwen3_5_moe_text", **OF_DELTA, "intermediate_size": None},
    "qwen3next": {"model_type": "qwen3_next", **OF_DELTA, "norm_topk_prob": True},
}
GEMMA = {
    **{"model_type": "gemma4_text", **TIED, "sliding_window": 9, "num_hidden_layers": 5},
    **{"layer_types": ["sliding_attention", "full_attention"] * 2 + ["full_attention"]},
    **{"global_head_dim": 16, "num_kv_shared_layers": 2, "final_logit_softcapping": 3.0},
    "hidden_size_per_layer_input": 0,
    "rope_parameters": {
        "full_attention": {
            **{"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6},
        },
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    },
}
CONFIGS |= {
    "gemma4": {**GEMMA, "num_global_key_value_heads": 1, "attention_k_eq_v": True},
    "gemma4 inputs": {
        **{**GEMMA, "hidden_size_per_layer_input": 12, "vocab_size_per_layer_input": 300},
        "use_double_wide_mlp": True,
    },
    "gemma4 experts": {
        **{**GEMMA, "enable_moe_block": True, "num_experts": 4, "top_k_experts": 2},
        **{"moe_intermediate_size": 20, "num_kv_shared_layers": 0},
    },
}
CONFIGS["gemma3n"] = {
    **{"model_type": "gemma3n_text", **TIED, "sliding_window": 9, "num_hidden_layers": 5},
    **{"layer_types": ["sliding_attention", "full_attention"] * 2 + ["full_attention"]},
    **{"num_kv_shared_layers": 2, "final_logit_softcapping": 3.0, "laurel_rank": 6},
    **{"activation_sparsity_pattern": [0.95, 0.0, 0.0, 0.0, 0.8], "altup_num_inputs": 3},
    **{"altup_active_idx": 1, "hidden_size_per_layer_input": 12},
    **{"vocab_size_per_layer_input": 290, "rope_theta": 1e6, "rope_local_base_freq": 2e4},
}
LATENT = {
    **{"num_key_value_heads": 4, "kv_lora_rank": 16, "q_lora_rank": 12, "head_dim": None},
    **{"qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 6, "rms_norm_eps": 1e-6},
}
YARN = {
    **{"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32, "beta_fast": 32.0},
    **{"beta_slow": 1.0, "mscale": 0.707, "mscale_all_dim": 0.707},
}
LITE = {**DEEPSEEK, "norm_topk_prob": None, "n_group": None, "topk_group": None}
CONFIGS |= {
    "deepseek2 V3": {"model_type": "deepseek_v3", **LATENT, **DEEPSEEK, "rope_scaling": YARN},
    "deepseek2 V2": {
        **{
            "model_type": "deepseek_v2",
            **LATENT,
            **DEEPSEEK,
            "topk_method": "group_limited_greedy",
        },
        **{"n_group": 2, "norm_topk_prob": None},
    },
    "deepseek2 V2 Lite": {"model_type": "deepseek_v2", **LATENT, **LITE, "q_lora_rank": None},
    "deepseek2 Youtu": {"model_type": "youtu", **LATENT, **TIED},
}
MINISTRAL = {
    **{"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0},
    **{"original_max_position_embeddings": 16, "mscale": 1.0, "mscale_all_dim": 1.0},
    "llama_4_scaling_beta": 0.5,
}
CONFIGS |= {
    "mistral3": {"model_type": "ministral3", "rope_parameters": MINISTRAL},
    "mistral3 small": {"model_type": "llama", "gguf_architecture": "mistral3"},
}
STEPS = {
    **{"mamba_n_heads": 8, "mamba_d_head": 8, "mamba_d_state": 16, "mamba_n_groups": 2},
    "mamba_d_conv": 4,
}
GRANITE = {
    **{"model_type": "granitemoehybrid", **STEPS, **TIED, "head_dim": None},
    **{"layer_types": ["mamba", "attention"], "attention_multiplier": 0.3},
    **{"embedding_multiplier": 12.0, "residual_multiplier": 0.22, "logits_scaling": 8.0},
    **{"position_embedding_type": "nope", "num_experts_per_tok": None},
}
BLOCKS = {
    **{"model_type": "nemotron_h", "rms_norm_eps": None, "layer_norm_epsilon": 1e-5},
    **{"layers_block_type": ["mamba", "mlp", "attention", "mamba", "mlp"], "num_hidden_layers": 5},
    **{"mamba_num_heads": 8, "mamba_head_dim": 8, "ssm_state_size": 16, "n_groups": 2},
    **{"conv_kernel": 4, "mlp_hidden_act": "relu2"},
}
CONFIGS |= {
    "falcon-h1": {
        **{"model_type": "falcon_h1", **STEPS, "mamba_d_ssm": 64, "mamba_norm_before_gate": False},
        # Others are not multiplied with the same weights in a folder.
        **{"mamba_rms_norm": True, "attention_out_multiplier": 2.0, "ssm_in_multiplier": 0.25},
        **{"ssm_out_multiplier": 2.0, "mlp_multipliers": [0.5, 4.0]},
        "ssm_multipliers": [0.5, 2.0, 0.25, 1.0, 4.0],
    },
    "granitehybrid": {**GRANITE, "num_local_experts": 0, "shared_intermediate_size": 48},
    "granitehybrid experts": {
        **{**GRANITE, "num_local_experts": 4, "num_experts_per_tok": 2},
        "shared_intermediate_size": 24,
    },
    "granitehybrid Bamba": {
        **{"model_type": "bamba", **STEPS, "attn_layer_indices": [1], "head_dim": None, **PART},
    },
    "nemotron_h": BLOCKS,
    "nemotron_h_moe": {
        **{**BLOCKS, **{k: v for k, v in DEEPSEEK.items() if k != "first_k_dense_replace"}},
        **{"layers_block_type": ["mamba", "moe", "attention", "mamba", "moe"]},
        **{"moe_shared_expert_intermediate_size": 24, "n_shared_experts": None},
    },
}
MPT = {
    **{"model_type": "mpt", **TIED, "d_model": 32, "n_heads": 4, "n_layers": 2},
    **{"max_seq_len": 128, "attn_config": {"clip_qkv": 8.0}, "layer_norm_epsilon": 1e-5},
}
WITHOUT_WORDS = dict.fromkeys(
    (
        *("hidden_size", "num_attention_heads", "num_hidden_layers", "max_position_embeddings"),
        *("num_key_value_heads", "head_dim", "intermediate_size", "rms_norm_eps", "rope_theta"),
    )
)
DBRX = {
    **{"model_type": "dbrx", "d_model": 32, "n_heads": 4, "n_layers": 2, "max_seq_len": 128},
    "attn_config": {"clip_qkv": 0.8, "kv_n_heads": 2, "rope_theta": 1e4},
    "ffn_config": {"ffn_hidden_size": 20, "moe_num_experts": 4, "moe_top_k": 2},
}
LOCAL = {"num_local_experts": 4, "num_experts_per_tok": 2}
LONG_ROPE = {
    **{"type": "longrope", "original_max_position_embeddings": 64, "short_mscale": 1.2},
    **{"long_mscale": 1.2, "short_factor": [1.0, 1.5, 2.0, 2.5], "long_factor": [2.0] * 4},
}
CHUNKS = ["sliding_attention"] * 3 + ["full_attention"]
CONFIGS |= {
    "afmoe": {
        **{"model_type": "afmoe", **WIDE, "num_shared_experts": 1, "num_dense_layers": 1},
        **{"mup_enabled": True, "route_scale": 1.7, "num_hidden_layers": 4, "sliding_window": 9},
        **{"layer_types": CHUNKS, "norm_topk_prob": True},
    },
    "apertus": {
        **{"model_type": "apertus", "head_dim": None, "rope_theta": None, "attention_bias": True},
        "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
    },
    "bloom": {"model_type": "bloom", **EPSILON, **OWN_KEYS, **TIED, "intermediate_size": None},
    "dbrx": {**WITHOUT_WORDS, **DBRX, "tie_word_embeddings": False},
    "granitemoe": {
        **{"model_type": "granitemoeshared", **LOCAL, "shared_intermediate_size": 24},
        **{"attention_multiplier": 0.3, "embedding_multiplier": 12.0, "logits_scaling": 8.0},
        **{"residual_multiplier": 0.22, "head_dim": None},
    },
    "hunyuan_vl": {"model_type": "hunyuan_v1_dense", **TIED, "gguf_architecture": "hunyuan_vl"},
    "jais2": {"model_type": "jais2", **LAYER_NORM, **BIASED},
    "kimi-linear": {
        **{"model_type": "kimi_linear", **LATENT, **DEEPSEEK, **LOCAL, "n_routed_experts": None},
        **{"q_lora_rank": None, "layer_types": ["linear_attention", "full_attention"]},
        **{"linear_num_heads": 4, "linear_head_dim": 8, "rope_theta": None},
    },
    "llama4": {
        **{"model_type": "llama4_text", **LOCAL, "num_hidden_layers": 4, "num_experts_per_tok": 1},
        **{"intermediate_size": 20, "intermediate_size_mlp": 48, "interleave_moe_layer_step": 2},
        **{"layer_types": ["chunked_attention"] * 3 + ["full_attention"]},
        "no_rope_layers": [1, 1, 1, 0],
    },
    "mamba2": {
        **{**WITHOUT_WORDS, "model_type": "mamba2", "hidden_size": 32, "num_hidden_layers": 2},
        **{"num_heads": 8, "head_dim": 8, "state_size": 16, "n_groups": 2, "conv_kernel": 4},
        **{"layer_norm_epsilon": 1e-5, "expand": 2, "tie_word_embeddings": True},
    },
    "mimo2": {
        **{"model_type": "mimo_v2_flash", **DEEPSEEK, "n_shared_experts": None, "rope_theta": None},
        **{"num_key_value_heads": 1, "v_head_dim": 4, "attention_value_scale": 0.5},
        **{"first_k_dense_replace": None, "sliding_window": 9},
        "layer_types": ["full_attention", "sliding_attention"],
        "rope_parameters": {
            "full_attention": {
                **{"rope_type": "default", "rope_theta": 5e4, "partial_rotary_factor": 0.5},
            },
            "sliding_attention": {
                **{"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5},
            },
        },
    },
    "minicpm": {
        **{"model_type": "granite", "gguf_architecture": "minicpm", "head_dim": None, **TIED},
        **{"attention_multiplier": 8**-0.5, "embedding_multiplier": 12.0, "logits_scaling": 8.0},
        "residual_multiplier": 0.25,
    },
    "minicpm3": {
        **{"model_type": "minicpm3", **LATENT, **TIED, "v_head_dim": 8, "scale_emb": 12},
        **{"scale_depth": 1.4, "dim_model_base": 256},
    },
    "mpt": {**WITHOUT_WORDS, **MPT},
    "paddleocr": {"model_type": "llama", "gguf_architecture": "paddleocr"},
    "phimoe": {
        **{"model_type": "phimoe", **LOCAL, "attention_bias": True, "lm_head_bias": True},
        **{"head_dim": None, "rope_scaling": LONG_ROPE},
    },
    "xverse": {"model_type": "llama", "gguf_architecture": "xverse"},
}
HYBRID = ("qwen35", "qwen35moe", "qwen3next")
# What converters write besides, some of it not as the model's own file has it.
SIGMOID = 2
SAID = {
    "deepseek2 V3": {"deepseek2.expert_gating_func": SIGMOID},
    "deepseek2 Youtu": {
        "deepseek2.leading_dense_block_count": 2,
        "deepseek2.expert_feed_forward_length": 48,
    },
    "dots1": {"dots1.expert_gating_func": SIGMOID},
    "ernie4_5-moe": {"ernie4_5-moe.expert_shared_feed_forward_length": 24},
    "exaone": {"exaone.attention.layer_norm_rms_epsilon": 1e-5},
    "exaone-moe": {
        "exaone-moe.expert_gating_func": SIGMOID,
        "exaone-moe.expert_shared_feed_forward_length": 20,
        "exaone-moe.rope.scaling.type": "none",
    },
    "glm4moe": {"glm4moe.expert_gating_func": SIGMOID},
    "hunyuan-dense": {
        "hunyuan-dense.rope.scaling.type": "none",
        "hunyuan-dense.rope.scaling.factor": 1.0,
        "hunyuan-dense.rope.scaling.original_context_length": 256 * 1024,
    },
    "hunyuan-moe": {
        "hunyuan-moe.expert_feed_forward_length": 48,
        "hunyuan-moe.expert_shared_feed_forward_length": 48,
    },
    "mistral3": {
        "mistral3.attention.temperature_scale": 0.5,
        "mistral3.rope.scaling.type": "yarn",
        "mistral3.rope.scaling.factor": 4.0,
        "mistral3.rope.scaling.original_context_length": 16,
        "mistral3.rope.scaling.yarn_beta_fast": 32.0,
        "mistral3.rope.scaling.yarn_beta_slow": 1.0,
        "mistral3.rope.scaling.yarn_log_multiplier": 1.0,
    },
    "minimax-m2": {
        "minimax-m2.expert_gating_func": SIGMOID,
        "minimax-m2.expert_feed_forward_length": 48,
        "minimax-m2.rope.dimension_count": 4,
    },
    "hunyuan_vl": {"hunyuan_vl.rope.dimension_sections": [1, 2, 1, 0]},
    "kimi-linear": {"kimi-linear.expert_gating_func": SIGMOID},
    "minicpm": {"minicpm.attention.scale": None},
    "phimoe": {
        "phimoe.rope.scaling.original_context_length": 64,
        "phimoe.rope.scaling.attn_factor": 1.2,
    },
    "nemotron_h_moe": {
        "nemotron_h_moe.expert_gating_func": SIGMOID,
        "nemotron_h_moe.expert_shared_count": 1,
    },
    "qwen35": {"qwen35.rope.dimension_sections": [11, 11, 10, 0]},
    "qwen2vl": {"qwen2vl.rope.dimension_sections": [1, 2, 1, 0]},
    "qwen3vl": {
        "qwen3vl.rope.dimension_sections": [1, 2, 1, 0],
        "qwen3vl.n_deepstack_layers": 3,
    },
    "nemotron": {"nemotron.attention.layer_norm_epsilon": 1e-5},
    "olmo": {"olmo.attention.layer_norm_epsilon": 1e-5},
    "stablelm": {"stablelm.use_parallel_residual": True},
}


def config_of(name, **changes):
    sizes = {key: value for key, value in SIZES.items() if key != "hidden_act"}
    given = {**sizes, **CONFIGS[name], **changes}
    # Without these is not as if the file did not say.
    nulls = ("q_lora_rank", "sliding_window")
    return {key: value for key, value in given.items() if value is not None or key in nulls}


def parts_of_file(path, name, **changes):
    """The metadata and the tensors of a model's file, whose folder is written."""
    config = config_of(name, **changes)
    numbers = write_folder(path / "model", config)
    tensors = tensors_of_gguf(config, numbers)
    said = {**metadata_of(config), **lists_of(name, config, numbers), **SAID.get(name, {})}
    return {key: value for key, value in said.items() if value is not None}, tensors


def check_same(folder, file):
    (wanted_graphs, wanted), (graphs, arrays) = map(read_of, map(model_at, (folder, file)))
    assert graphs == wanted_graphs
    assert arrays.keys() == wanted.keys()
    for key, array in wanted.items():
        # Files of hybrid models have what code adds to norms, and of decays no logarithms.
        is_near = file.stem in HYBRID and array.ndim == 1
        error = 2.0**-22 if is_near or key.endswith("decay_log") else 0
        np.testing.assert_allclose(arrays[key], array, rtol=error, atol=error, err_msg=key)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_file_of_this_kind_is_the_model_of_its_folder(tmp_path, name):
    file = write_gguf(tmp_path / f"{name}.gguf", *parts_of_file(tmp_path, name))
    check_same(tmp_path / "model", file)


def test_the_first_files_of_qwen_3_next_have_gates_beside_values(tmp_path):
    metadata, tensors = parts_of_file(tmp_path, "qwen3next")
    for name in ("qkv", "gate"):
        del tensors[f"blk.0.attn_{name}.weight"]
    own = load_file(tmp_path / "model/model.safetensors")
    name = "model.layers.0.linear_attn.in_proj_qkvz.weight"
    file = tmp_path / "qwen3next.gguf"
    write_gguf(file, metadata, {**tensors, "blk.0.ssm_in.weight": own[name]})
    check_same(tmp_path / "model", file)


def test_a_list_says_which_layers_are_delta_nets(tmp_path):
    metadata, tensors = parts_of_file(tmp_path, "qwen35")
    key = "qwen35.attention.recurrent_layers"
    del metadata["qwen35.full_attention_interval"]
    file = write_gguf(tmp_path / "qwen35.gguf", {**metadata, key: [True, False]}, tensors)
    check_same(tmp_path / "model", file)
    write_gguf(file, {**metadata, key: [True]}, tensors)
    with pytest.raises(ConfigError, match="recurrent_layers: expected one for each of the 2 la"):
        model_at(file)


def test_decays_that_have_no_logarithm(tmp_path):
    metadata, tensors = parts_of_file(tmp_path, "qwen35")
    tensors["blk.0.ssm_a"][1] = 0
    file = write_gguf(tmp_path / "qwen35.gguf", metadata, tensors)
    with pytest.raises(ModelError, match=r"blk.0.ssm_a: expected numbers below 0"):
        read_of(model_at(file))


def test_keys_of_layers_that_share_them_are_left_out(tmp_path):
    metadata, tensors = parts_of_file(tmp_path, "gemma4")
    extra = {f"blk.4.attn_{one}.weight": np.ones((16, 32), np.float32) for one in "kv"}
    check_same(tmp_path / "model", write_gguf(tmp_path / "m.gguf", metadata, tensors | extra))


@pytest.mark.parametrize(
    ("said", "factors", "message"),
    [
        ({"attention.sliding_window_pattern": [True]}, None, "expected one for each of the 5 la"),
        ({"attention.head_count_kv": [2, 1, 1, 1, 1]}, None, "a number for layers with windows an"),
        ({"feed_forward_length": [48, 48, 48, 48, 96]}, None, "same for the first 3 layers and tw"),
        ({"attention.value_length_swa": 4}, None, "attention.key_length_swa = 8, got 4"),
        ({"rope.dimension_count_swa": 4}, None, "rope.dimension_count_swa: expected 8, got 4"),
        ({}, [1, 2, 1e30, 1e30, 1e30, 1e30, 1e30, 1e30], "expected 1 of what rotates"),
        ({}, [1, 1e30], r"rope_freqs.weight: expected \[8\] of F32"),
    ],
)
def test_what_files_of_gemma_4_cannot_say_is_named(tmp_path, said, factors, message):
    metadata, tensors = parts_of_file(tmp_path, "gemma4")
    metadata |= {f"gemma4.{key}": value for key, value in said.items()}
    if factors:
        tensors["rope_freqs.weight"] = np.array(factors, np.float32)
    file = write_gguf(tmp_path / "m.gguf", metadata, tensors)
    with pytest.raises((ConfigError, ModelError), match=message):
        model_at(file)


@pytest.mark.parametrize(
    ("said", "without", "message"),
    [
        ({"activation_sparsity_scale": [1.0] * 4}, "", "_scale: expected a number for each of the"),
        ({"activation_sparsity_scale": [np.nan] * 5}, "", "a number for each of the 5 layers, got"),
        ({"activation_sparsity_scale": 1.0}, "", "a number for each of the 5 layers, got 1.0"),
        ({"altup.active_idx": 3}, "", "active_idx: expected"),
        ({"attention.shared_kv_layers": 1.5}, "", "shared_kv_layers: expected a whole number from"),
        ({}, "blk.0.laurel_l.weight", "blk.0.laurel_l.weight: expected a tensor in .*, got none"),
        (
            {"altup.num_inputs": 10**9},
            "",
            "altup_num_inputs: expected at most 1024, got 1000000000",
        ),
        ({"altup.num_inputs": 4}, "", r"altup_proj.2.weight: expected a tensor \[32, 32\]"),
    ],
)
def test_what_files_of_gemma_3n_cannot_say_is_named(tmp_path, said, without, message):
    metadata, tensors = parts_of_file(tmp_path, "gemma3n")
    metadata |= {f"gemma3n.{key}": value for key, value in said.items()}
    tensors.pop(without, None)
    file = write_gguf(tmp_path / "m.gguf", metadata, tensors)
    with pytest.raises((ConfigError, ModelError), match=message):
        read_of(model_at(file))


def test_published_files_of_gemma_3n_have_a_float_of_layers(tmp_path):
    metadata, tensors = parts_of_file(tmp_path, "gemma3n")
    metadata["gemma3n.attention.shared_kv_layers"] = 2.0
    check_same(tmp_path / "model", write_gguf(tmp_path / "m.gguf", metadata, tensors))


def test_the_page_has_each_architecture():
    page = files("irattn").joinpath("pages/models.md").read_text()
    rows = page.split("| `general.architecture` |")[1].split("\n\n")[0].splitlines()[2:]
    told = [name for row in rows for name in findall("`(.*?)`", row.split("|")[1])]
    assert sorted(told) == sorted(ARCHITECTURES)


# Models of all ways to make products, and sizes of whole blocks.
OF_BLOCKS = {
    "gemma4": {"intermediate_size": 64},
    "exaone-moe": {"intermediate_size": 64, "moe_intermediate_size": 32},
    "falcon 40B": {"ffn_hidden_size": 64},
    "falcon-h1": {"intermediate_size": 64},
    "glm4": {"intermediate_size": 64},
    "gpt2": {},
    "granitehybrid": {"intermediate_size": 64, "shared_intermediate_size": 64},
    "granitehybrid experts": {"intermediate_size": 32, "shared_intermediate_size": 32},
    "minimax-m2": {"intermediate_size": 64},
    "mamba2": {},
    "nemotron_h": {"intermediate_size": 64},
    "qwen3vlmoe": {"moe_intermediate_size": 32},
    "starcoder2": {"intermediate_size": 64},
}


@pytest.mark.parametrize("name", OF_BLOCKS)
def test_blocks_of_these_files_stay(tmp_path, name):
    metadata, tensors = parts_of_file(tmp_path, name, **OF_BLOCKS[name])
    if name == "minimax-m2":
        metadata["minimax-m2.expert_feed_forward_length"] = 64
    others = ("gate_inp", "position_embd", "bias", "ssm_a", "ssm_conv1d", "ssm_d", "ssm_norm")
    types = {
        key: "Q8_0" if "attn_v" in key or "ffn_down" in key else "Q4_0"
        for key, array in tensors.items()
        if array.ndim > 1 and not any(part in key for part in others)
    }
    tensors |= {key: tensors[key] * np.float32(0.2) for key in types}
    file = write_gguf(tmp_path / "m.gguf", metadata, tensors, types)
    _, wanted = read_of(model_at(file, widens=True))
    _, arrays = read_of(model_at(file))
    packed = {key: array for key, array in arrays.items() if array.dtype == np.uint8}
    assert len(packed) >= 10
    for key, numbers in wanted.items():
        if key in packed:
            np.testing.assert_array_equal(_numbers_of(packed.pop(key), numbers), numbers, key)
        elif key.endswith("qkv_weight"):
            parts = [packed.pop(key.replace("qkv", f"qkv_{one}")) for one in QKV]
            both = [_numbers_of(part, numbers) for part in parts]
            np.testing.assert_array_equal(np.concatenate(both), numbers, key)
    assert not packed


# The weights of delta nets in files.
OF_NETS = ("attn_qkv", "attn_gate", "ssm_out", "ssm_alpha", "ssm_beta", "ssm_ba")
NETS = ("qkv", "gate", "rates", "output")


def blocks_of_delta_nets(path, name):
    """The numbers and the arrays that are read of a file whose weights have blocks."""
    sizes = {"linear_value_head_dim": 64, "hidden_size": 64}
    inner = {"moe_intermediate_size": 32, "shared_expert_intermediate_size": 32}
    inner = {"intermediate_size": 64} if name == "qwen35" else inner
    metadata, tensors = parts_of_file(path, name, **sizes, **inner)
    parts = (*OF_NETS, "ffn_gate", "ffn_up", "ffn_down")
    types = {
        key: "Q8_0" if "down" in key else "Q4_0"
        for key in tensors
        if any(f".{part}.weight" in key or f".{part}_" in key for part in parts)
        and "inp" not in key
    }
    file = write_gguf(path / "m.gguf", metadata, tensors, types)
    return read_of(model_at(file, widens=True))[1], read_of(model_at(file))[1]


@pytest.mark.parametrize("name", ["qwen35", "qwen35moe", "qwen3next"])
def test_blocks_of_delta_nets_stay(tmp_path, name):
    wanted, arrays = blocks_of_delta_nets(tmp_path, name)
    packed = {key for key, array in arrays.items() if array.dtype == np.uint8}
    assert packed >= {f"0 {one}_weight" for one in (*NETS, "gate_up", "down")}
    for key in packed & wanted.keys():
        np.testing.assert_array_equal(_numbers_of(arrays[key], wanted[key]), wanted[key], key)


QKV = ("query", "key", "value")


def _numbers_of(blocks, like):
    """The numbers of blocks of the one of two kinds that makes as many columns."""
    sizes = {"q8_0": 34, "q4_0": 18}
    columns = like.shape[-1]
    (kind,) = (k for k, size in sizes.items() if blocks.shape[-1] * 32 == columns * size)
    return numbers_of(kind, blocks)


def test_queries_keys_and_values_may_be_one_tensor(tmp_path):
    metadata, tensors = parts_of_file(tmp_path, "starcoder2")
    for before, kind in ((f"blk.{n}.attn_", kind) for n in (0, 1) for kind in ("weight", "bias")):
        parts = [tensors.pop(f"{before}{one}.{kind}") for one in "qkv"]
        tensors[f"{before}qkv.{kind}"] = np.concatenate(parts)
    check_same(tmp_path / "model", write_gguf(tmp_path / "model.gguf", metadata, tensors))


def test_layers_that_predict_later_tokens_are_left_out(tmp_path):
    metadata, tensors = parts_of_file(tmp_path, "stablelm")
    metadata |= {"stablelm.block_count": 3, "stablelm.nextn_predict_layers": 1}
    tensors |= {f"blk.2.{one}.weight": np.ones(32, np.float32) for one in ("attn_norm", "nextn.x")}
    check_same(tmp_path / "model", write_gguf(tmp_path / "model.gguf", metadata, tensors))


@pytest.mark.parametrize(
    ("name", "said", "message"),
    [
        ("command-r", {"command-r.logit_scale": None}, "command-r.logit_scale: missing"),
        ("cohere2", {"cohere2.attention.key_length": 16}, "key_length: expected 8, all that"),
        ("falcon 7B", {"falcon.tensor_data_layout": "other"}, "expected jploski, got 'other'"),
        ("deepseek2 V3", {"deepseek2.attention.key_length": 12}, "expected 20, of keys that are"),
        ("deepseek2 V3", {"deepseek2.attention.key_length_mla": None}, "length_mla: missing"),
        ("deepseek2 V2", {"deepseek2.expert_weights_norm": True}, "func: expected 2, or 1 without"),
        ("dots1", {"dots1.expert_gating_func": None}, "dots1.expert_gating_func: missing"),
        (
            "apertus",
            {"xielu.beta": [0.5]},
            "xielu.beta: expected a number for each of the 2 layers",
        ),
        ("apertus", {"xielu.eps": "a"}, "xielu.eps: expected a number for each of the 2 layers"),
        ("mimo2", {"mimo2.attention.head_count_kv": [1, 3]}, "and twice as many for those with"),
        (
            "mimo2",
            {"mimo2.attention.head_count_kv": None},
            "expected one number for layers without",
        ),
        ("mimo2", {"mimo2.attention.head_count_kv": "two"}, "for those with one, got 'two' beside"),
        (
            "granitehybrid",
            {"granitehybrid.attention.head_count_kv": "two"},
            "head_count_kv: expected the same number for each of the 2 layers, .*got 'two'",
        ),
        ("mpt", {"mpt.attention.max_alibi_bias": 0.0}, "max_alibi_bias: expected 8, got 0"),
        ("minicpm", {"minicpm.residual_scale": None}, "minicpm.residual_scale: missing"),
        ("granitemoe", {"granitemoe.expert_used_count": None}, "expert_used_count: missing"),
        ("granitemoe", {"granitemoe.expert_used_count": 0}, "expert_used_count: expected a whole"),
        ("falcon-h1", {"falcon-h1.ssm.inner_size": 60}, "inner_size: expected a multiple of the 8"),
        ("granitehybrid", {"granitehybrid.attention.scale": None}, "attention.scale: missing, and"),
        (
            "granitehybrid",
            {"granitehybrid.attention.head_count_kv": [0, 0]},
            "head_count_kv: expected the same number for each of the 2 layers",
        ),
        ("granitehybrid", {"granitehybrid.ssm.inner_size": 40}, "a multiple of embedding_length"),
        (
            "nemotron_h",
            {"nemotron_h.feed_forward_length": [0, 48]},
            "feed_forward_length: expected one for each of the 5 blocks",
        ),
        ("glm4", {"glm4.rope.dimension_sections": [1, 2, 1, 0]}, "--ignore-key glm4.rope.dim"),
        ("glm4moe", {"glm4moe.expert_gating_func": 1}, "expert_gating_func: expected 2, got 1"),
        (
            "hunyuan-moe",
            {"hunyuan-moe.expert_feed_forward_length": 20},
            "expected feed_forward_length = 48, got 20",
        ),
        ("hunyuan-moe", {"hunyuan-moe.expert_shared_count": 2}, "expected 1, got 2"),
        ("gpt2", {"gpt2.attention.head_count_kv": 2}, "head_count_kv: expected 4, all that irattn"),
        ("gpt2", {"gpt2.attention.layer_norm_epsilon": None}, "layer_norm_epsilon: missing"),
        ("gptneox", {"gptneox.use_parallel_residual": None}, "use_parallel_residual: missing"),
        ("mistral3", {"mistral3.rope.scaling.type": "none"}, "expected yarn beside attention.temp"),
        ("olmo", {"olmo.attention.layer_norm_epsilon": 1e-6}, "expected 1e-05, got 1e-06"),
        ("starcoder", {"starcoder.attention.head_count_kv": 4}, "expected 1, got 4"),
        ("starcoder2", {"starcoder2.attention.sliding_window": 9}, "--ignore-key starcoder2.att"),
        ("qwen35", {"qwen35.ssm.inner_size": 50}, "inner_size: expected a multiple of the 4 heads"),
        ("qwen35", {"qwen35.ssm.state_size": None}, "qwen35.ssm.state_size: missing"),
        ("qwen", {"qwen.feed_forward_length": 95}, "feed_forward_length: expected an even number"),
        ("stablelm", {"stablelm.nextn_predict_layers": 2}, "expected fewer than the 2 layers"),
    ],
)
def test_what_a_kind_of_files_cannot_say_is_named(tmp_path, name, said, message):
    metadata, tensors = parts_of_file(tmp_path, name)
    there = {key: value for key, value in (metadata | said).items() if value is not None}
    file = write_gguf(tmp_path / "model.gguf", there, tensors)
    with pytest.raises(ConfigError, match=message):
        graphs_of_small(model_at(file))
