"""GGUF files of small models, from their tensors by Hugging Face's names, as converters write them.

Names are the `gguf` package's own.
"""

import re

import gguf
import numpy as np

from support import gguf_delta, gguf_gemma3n, gguf_gemma4, gguf_kinds, gguf_latent, gguf_steps

ARCHITECTURES = {
    **dict.fromkeys(("llama", "mistral", "mixtral"), "llama"),
    **{"gemma3_text": "gemma3", "gpt_oss": "gpt-oss", "olmo3": "olmo2"},
    **{"qwen2_moe": "qwen2moe", "qwen3_moe": "qwen3moe", "lfm2_moe": "lfm2moe"},
}
ARCHITECTURES |= {
    **{"cohere": "command-r", "gpt_neox": "gptneox", "phi": "phi2", "gpt_bigcode": "starcoder"},
    **{"glm": "chatglm", "hunyuan_v1_dense": "hunyuan-dense", "qwen2_vl_text": "qwen2vl"},
    **{"qwen3_vl_text": "qwen3vl", "qwen3_vl_moe_text": "qwen3vlmoe", "glm4_moe": "glm4moe"},
    **{"ernie4_5_moe": "ernie4_5-moe", "exaone_moe": "exaone-moe", "minimax_m2": "minimax-m2"},
    **{"hunyuan_v1_moe": "hunyuan-moe", "qwen3_5_text": "qwen35", "qwen3_next": "qwen3next"},
    "ministral3": "mistral3",
    **{"qwen3_5_moe_text": "qwen35moe", "gemma3n_text": "gemma3n"},
    "gemma4_text": "gemma4",
    **dict.fromkeys(("deepseek_v2", "deepseek_v3", "glm4_moe_lite", "youtu"), "deepseek2"),
    **dict.fromkeys(("bamba", "granitemoehybrid"), "granitehybrid"),
    **{"falcon_h1": "falcon-h1", "llama4_text": "llama4", "mimo_v2_flash": "mimo2"},
    **{"kimi_linear": "kimi-linear", "granitemoeshared": "granitemoe"},
}
PERMUTED = (
    *("arcee", "granite", "granitehybrid", "granitemoe", "internlm2", "llama", "minicpm"),
    *("mistral3", "nemotron_h", "nemotron_h_moe", "olmo", "smollm3", "xverse"),
)
# Norms whose files have the 1 that the code adds.
PLUS_ONE = ("gemma", "gemma2", "gemma3", "nemotron", "qwen35", "qwen35moe", "qwen3next")
NUMBERS = {
    "hidden_size": "embedding_length",
    "intermediate_size": "feed_forward_length",
    "num_hidden_layers": "block_count",
    "num_attention_heads": "attention.head_count",
    "num_key_value_heads": "attention.head_count_kv",
    "head_dim": "attention.key_length",
    "max_position_embeddings": "context_length",
    "rms_norm_eps": "attention.layer_norm_rms_epsilon",
    "rope_theta": "rope.freq_base",
    "vocab_size": "vocab_size",
    "sliding_window": "attention.sliding_window",
    "clip_qkv": "attention.clamp_kqv",
    "attn_logit_softcapping": "attn_logit_softcapping",
    "final_logit_softcapping": "final_logit_softcapping",
    "rope_local_base_freq": "rope.freq_base_swa",
    "num_experts": "expert_count",
    "num_local_experts": "expert_count",
    "num_experts_per_tok": "expert_used_count",
    "moe_intermediate_size": "expert_feed_forward_length",
    "shared_expert_intermediate_size": "expert_shared_feed_forward_length",
    "attention_multiplier": "attention.scale",
    "embedding_multiplier": "embedding_scale",
    "residual_multiplier": "residual_scale",
    "logits_scaling": "logit_scale",
    "norm_eps": "attention.layer_norm_rms_epsilon",
    "conv_L_cache": "shortconv.l_cache",
    "num_dense_layers": "leading_dense_block_count",
    **dict.fromkeys(("ffn_hidden_size", "n_inner"), "feed_forward_length"),
    "num_kv_heads": "attention.head_count_kv",
    "shared_intermediate_size": "expert_shared_feed_forward_length",
    "linear_head_dim": "kda.head_dim",
    "v_head_dim": "attention.value_length",
    "attention_value_scale": "attention.value_scale",
    "route_scale": "expert_weights_scale",
    "logit_scale": "logit_scale",
    "top_k_experts": "expert_used_count",
    **dict.fromkeys(("n_routed_experts", "moe_num_experts"), "expert_count"),
    **dict.fromkeys(("moe_k", "moe_topk", "moe_top_k"), "expert_used_count"),
    **dict.fromkeys(
        ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"),
        "expert_shared_count",
    ),
    "moe_layer_start_index": "leading_dense_block_count",
    "moe_layer_interval": "interleave_moe_layer_step",
    "first_k_dense_replace": "leading_dense_block_count",
    "n_group": "expert_group_count",
    "topk_group": "expert_group_used_count",
    "norm_topk_prob": "expert_weights_norm",
    "routed_scaling_factor": "expert_weights_scale",
    "use_parallel_residual": "use_parallel_residual",
    **dict.fromkeys(
        ("layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"), "attention.layer_norm_epsilon"
    ),
}
# A token for each byte, and marks.
BYTE_TOKENS = sorted(
    {chr(b) for b in (*range(33, 127), *range(161, 173), *range(174, 256))}
    | {chr(256 + n) for n in range(68)}
)
MARKS = ["<|begin|>", "<|im_start|>", "<|im_end|>"]


# Whose norms of scores and whose types of rotation their files do not have.
WITHOUT = {
    "expert_weights_norm": ("qwen2moe", "qwen3moe", "qwen3vlmoe", "olmoe", "lfm2moe", "qwen3next"),
    "embedding_scale": ("falcon-h1",),
    "attention.key_length": ("mamba2",),
}


def architecture(config):
    given = config.get("gguf_architecture")
    if config["model_type"] == "nemotron_h" and "num_experts_per_tok" in config:
        return "nemotron_h_moe"
    return given or ARCHITECTURES.get(config["model_type"], config["model_type"])


def head_dim_of(config):
    return config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]


def metadata_of(config):
    """The metadata of a model, without its tokenizer; the vocabulary is one of bytes."""
    config = gguf_kinds.in_usual_words(config)
    name = architecture(config)
    said = {"general.architecture": name}
    for key, theirs in NUMBERS.items():
        if config.get(key) is not None and name not in WITHOUT.get(theirs, ()):
            said[f"{name}.{theirs}"] = config[key]
    part = config.get("partial_rotary_factor") or config.get("rotary_pct") or 1
    if name != "mamba2":
        said[f"{name}.rope.dimension_count"] = int(head_dim_of(config) * part)
    if name.startswith("lfm2"):
        # Converters write them layer by layer.
        heads = config["num_key_value_heads"]
        said[f"{name}.attention.head_count_kv"] = [
            0 if kind == "conv" else heads for kind in config["layer_types"]
        ]
    if name == "lfm2moe":
        said["lfm2moe.expert_gating_func"] = 2
    if name.startswith("exaone") and config.get("sliding_window"):
        said[f"{name}.attention.sliding_window_pattern"] = [
            kind == "sliding_attention" for kind in config["layer_types"]
        ]
    if "linear_num_key_heads" in config:
        own = gguf_delta.said_of(config).items()
        said |= {f"{name}.{key}": value for key, value in own}
    if name in gguf_steps.ARCHITECTURES:
        said |= {f"{name}.{key}": value for key, value in gguf_steps.said_of(config).items()}
    own = gguf_kinds.said_of(name, config).items()
    said |= {f"{name}.{key}": value for key, value in own}
    if name == "deepseek2":
        said |= {f"deepseek2.{key}": value for key, value in gguf_latent.said_of(config).items()}
    if name == "gemma3n":
        said |= {f"gemma3n.{key}": value for key, value in gguf_gemma3n.said_of(config).items()}
    if name == "gemma4":
        said |= {f"gemma4.{key}": value for key, value in gguf_gemma4.said_of(config).items()}
    if name == "falcon":
        said["falcon.tensor_data_layout"] = "jploski"
    if config.get("multi_query") and not config.get("new_decoder_architecture"):
        said[f"{name}.attention.head_count_kv"] = 1
    if name == "gpt-oss":
        said["gpt-oss.expert_feed_forward_length"] = config["intermediate_size"]
        scaling = config["rope_parameters"]
        said["gpt-oss.rope.freq_base"] = scaling["rope_theta"]
        said["gpt-oss.rope.scaling.type"] = "yarn"
        said["gpt-oss.rope.scaling.factor"] = scaling["factor"]
        said["gpt-oss.rope.scaling.original_context_length"] = scaling[
            "original_max_position_embeddings"
        ]
    return said | {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": [*BYTE_TOKENS, *MARKS],
        "tokenizer.ggml.token_type": [1] * len(BYTE_TOKENS) + [3] * len(MARKS),
        "tokenizer.ggml.merges": [],
    }


def permuted(array, heads):
    """As Llama's converter sorts rows of queries and keys."""
    rows = array.shape[0]
    pairs = array.reshape(heads, 2, rows // heads // 2, *array.shape[1:])
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(array.shape))


def in_turn(array, config):
    """The rows of all queries, then those of keys and of values, which go by KV heads."""
    heads, size = config["num_attention_heads"], head_dim_of(config)
    kv_heads = config.get("num_kv_heads") or (1 if config.get("multi_query") else heads)
    groups = array.reshape(kv_heads, heads // kv_heads + 2, size, *array.shape[1:])
    kinds = (groups[:, :-2], groups[:, -2], groups[:, -1])
    return np.concatenate([kind.reshape(-1, *array.shape[1:]) for kind in kinds])


def tensors_of_gguf(config, tensors):
    """The tensors by the names and in the shapes of a file."""
    config = gguf_kinds.in_usual_words(config)
    name, layers = architecture(config), config["num_hidden_layers"]
    number = next(key for key, value in gguf.MODEL_ARCH_NAMES.items() if value == name)
    names = gguf.get_tensor_name_map(number, layers)
    made = {}
    if "linear_num_key_heads" in config:
        tensors = gguf_delta.written(config, tensors)
    if name in gguf_steps.ARCHITECTURES:
        tensors = gguf_steps.written(config, tensors)
    tensors = gguf_kinds.written(name, config, tensors)
    if name == "deepseek2":
        tensors = gguf_latent.written(config, tensors)
    if name == "gemma3n":
        tensors = gguf_gemma3n.written(tensors)
    if name == "gemma4":
        tensors = gguf_gemma4.written(config, tensors)
    for theirs, array in _stacked(tensors, config["model_type"]).items():
        if theirs.startswith("blk."):
            is_whole = theirs.startswith("blk.rope")
            made[f"{theirs.removeprefix('blk.')}.weight" if is_whole else theirs] = array
            continue
        bare, _, kind = theirs.rpartition(".")
        if kind == "expert_bias":
            bare, kind = theirs, "bias"
        if kind == "e_score_correction_bias":
            bare, kind = theirs.removesuffix("_bias"), "bias"
        if bare.endswith("conv.conv"):
            array = array[:, 0]
        if kind not in ("weight", "bias"):
            bare, kind = theirs, "weight"
        if name == "falcon-h1" and (ours := names.get_name(theirs)):
            # The norm in front of MLPs is known by the whole name.
            made[ours] = array
            continue
        ours = names.get_name(bare)
        assert ours, theirs
        if name in PERMUTED and re.search(r"\.[qk]_proj$", bare):
            kinds = {"q": "num_attention_heads", "k": "num_key_value_heads"}
            array = permuted(array, config[kinds[bare[-6]]])
        if name in ("bloom", "falcon", "gptneox") and "query_key_value" in bare:
            array = in_turn(array, config)
        if name == "gpt2" and re.search(r"c_(attn|proj|fc)\.weight$", theirs):
            array = array.T
        if name in PLUS_ONE and theirs.endswith("norm.weight"):
            array = array + array.dtype.type(1)
        made[f"{ours}.{kind}"] = array
    return made


def _stacked(tensors, model_type):
    """All experts in one tensor, and gate and up in two."""
    stacks, made = {}, {}
    for name, array in tensors.items():
        if found := re.fullmatch(r"(.*experts\.)(\d+)\.(.*)", name):
            key = found[1].replace("block_sparse_moe", "feed_forward").removeprefix("model.")
            if "feed_forward" not in key:
                key = found[1]
            stacks.setdefault(key + found[3], []).append(array)
        elif name.endswith("mlp.experts.gate_up_proj") and model_type == "qwen3_vl_moe_text":
            gate, up = np.split(array, 2, axis=1)
            made[name.replace("gate_up", "gate") + ".weight"] = gate
            made[name.replace("gate_up", "up") + ".weight"] = up
        elif name.endswith("mlp.experts.down_proj") and model_type == "qwen3_vl_moe_text":
            made[name + ".weight"] = array
        elif name.endswith("mlp.experts.gate_up_proj"):
            turned = array.swapaxes(1, 2)
            made[name.replace("gate_up", "gate") + ".weight"] = turned[:, ::2]
            made[name.replace("gate_up", "up") + ".weight"] = turned[:, 1::2]
        elif name.endswith("mlp.experts.down_proj"):
            made[name + ".weight"] = array.swapaxes(1, 2)
        elif name.endswith("gate_up_proj_bias"):
            made[name.replace("gate_up_proj_", "gate_proj.")] = array[:, ::2]
            made[name.replace("gate_up_proj_", "up_proj.")] = array[:, 1::2]
        elif name.endswith("down_proj_bias"):
            made[name.replace("proj_bias", "proj.bias")] = array
        elif name.endswith("block_sparse_moe.input_linear.weight"):
            half = array.shape[1] // 2
            before = name.replace("block_sparse_moe.input_linear.weight", "mlp.experts.")
            made[before + "gate_proj.weight"], made[before + "up_proj.weight"] = (
                array[:, :half],
                array[:, half:],
            )
        else:
            made[name] = array
    # Of one row, which converters drop.
    made = {n: a[0] if "shared_expert_gate" in n else a for n, a in made.items()}
    return made | {name: np.stack(arrays) for name, arrays in stacks.items()}


def write_gguf(path, metadata, tensors, types=None):
    """A file of metadata and arrays; `types` are those of arrays to be quantised, or of bytes."""
    writer = gguf.GGUFWriter(None, metadata["general.architecture"])
    for key, value in metadata.items():
        if key != "general.architecture":
            _add(writer, key, value)
    for name, array in tensors.items():
        kind = (types or {}).get(name)
        if kind is None:
            writer.add_tensor(name, np.ascontiguousarray(array))
        else:
            kind = gguf.GGMLQuantizationType[kind]
            blocks = array if array.dtype == np.uint8 else gguf.quantize(array, kind)
            writer.add_tensor(name, blocks, raw_dtype=kind)
    writer.write_header_to_file(path)
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add(writer, key, value):
    kinds = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32}
    kinds |= {str: writer.add_string, list: writer.add_array}
    if value != []:
        kinds[type(value)](key, value)
