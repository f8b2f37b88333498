"""What llama.cpp's converters write of single kinds of models otherwise than of others."""

import re

import numpy as np

from support.gguf_latent import written as latents_written
from support.gguf_steps import shared_apart

WORDS = {
    "d_model": "hidden_size",
    "kv_n_heads": "num_key_value_heads",
    "max_seq_len": "max_position_embeddings",
    "n_heads": "num_attention_heads",
    "n_layers": "num_hidden_layers",
    "model_max_length": "max_position_embeddings",
    "moe_renormalize": "norm_topk_prob",
    "num_expert_group": "n_group",
    "num_experts_per_token": "num_experts_per_tok",
}
LATENTS = ("kimi-linear", "minicpm3")
# Of Kimi Linear's delta nets, as transformers calls them and as its first code does.
KIMI = {
    "forget_gate.f_a_proj": "f_a_proj",
    "forget_gate.f_b_proj": "f_b_proj",
    "forget_gate.A_log": "A_log",
    "forget_gate.dt_bias": "dt_proj.bias",
}


def in_usual_words(config):
    """The fields by the words of most models, those of parts beside the others."""
    parts = {**config.get("attn_config", {}), **config.get("ffn_config", {})}
    given = {**parts, **config}
    return {**{ours: given[theirs] for theirs, ours in WORDS.items() if theirs in given}, **given}


def said_of(name, config):
    """Metadata of a file, where it is not that of others."""
    return _SAID[name](config) if name in _SAID else {}


def _said_of_mimo(config):
    kinds = [kind == "sliding_attention" for kind in config["layer_types"]]
    heads, rope = config["num_key_value_heads"], config["rope_parameters"]
    part = rope["full_attention"].get("partial_rotary_factor", 0.334)
    return {
        "attention.head_count_kv": [heads * (2 if one else 1) for one in kinds],
        "attention.sliding_window_pattern": kinds,
        "rope.dimension_count": int(config["head_dim"] * part),
        "rope.freq_base": rope["full_attention"]["rope_theta"],
        "rope.freq_base_swa": rope["sliding_attention"]["rope_theta"],
    }


def _said_of_kimi(config):
    rank, rotated = config["kv_lora_rank"], config["qk_rope_head_dim"]
    return {
        "attention.head_count_kv": [
            int(kind == "full_attention") for kind in config["layer_types"]
        ],
        "attention.kv_lora_rank": rank,
        "attention.key_length": rank + rotated,
        "attention.value_length": rank,
        "attention.key_length_mla": config["qk_nope_head_dim"] + rotated,
        "attention.value_length_mla": config["v_head_dim"],
        "rope.dimension_count": rotated,
        "ssm.conv_kernel": config.get("linear_conv_kernel_dim", 4),
    }


def _said_of_minicpm(config):
    rotated = config["qk_rope_head_dim"]
    return {
        "attention.kv_lora_rank": config["kv_lora_rank"],
        "attention.q_lora_rank": config["q_lora_rank"],
        "attention.key_length": config["qk_nope_head_dim"] + rotated,
        "rope.dimension_count": rotated,
    }


def _said_of_llama_4(config):
    return {
        "feed_forward_length": config["intermediate_size_mlp"],
        "expert_feed_forward_length": config["intermediate_size"],
        "interleave_moe_layer_step": config["interleave_moe_layer_step"],
    }


def _four_times(config):
    return {"feed_forward_length": 4 * config["hidden_size"]}


_SAID = {
    "bloom": _four_times,
    "kimi-linear": _said_of_kimi,
    "llama4": _said_of_llama_4,
    "mimo2": _said_of_mimo,
    "minicpm3": _said_of_minicpm,
    "qwen": lambda config: {"feed_forward_length": 2 * config["intermediate_size"]},
    "mpt": lambda config: {**_four_times(config), "attention.max_alibi_bias": 8.0},
    "dbrx": lambda config: {"attention.layer_norm_epsilon": 1e-5},
}


def written(name, config, tensors):
    """The tensors by the names and in the shapes that converters give to others first."""
    if name == "kimi-linear":
        tensors = latents_written(config, tensors)
    if name == "qwen":
        tensors = _together(tensors)
    made = {}
    if name == "phimoe":
        rope = config.get("rope_scaling") or config["rope_parameters"]
        for one in ("long", "short"):
            made[f"blk.rope_factors_{one}"] = np.array(rope[f"{one}_factor"], np.float32)
    for theirs, array in tensors.items():
        if name == "granitemoe" and "shared_mlp" in theirs:
            made |= shared_apart(theirs, array, "_shexp")
            continue
        if name == "apertus" and ".act_fn." in theirs:
            continue
        if name == "bloom":
            theirs = theirs.removeprefix("transformer.")
        if name == "dbrx" and ".experts.mlp." in theirs:
            flat = array.reshape(config["moe_num_experts"], -1, array.shape[-1])
            array = flat.swapaxes(1, 2) if theirs.endswith("w2") else flat
        if name == "llama4" and theirs.endswith("experts.gate_up_proj"):
            gate, up = np.split(array.swapaxes(1, 2), 2, axis=1)
            made[theirs.replace("gate_up", "gate") + ".weight"] = gate
            made[theirs.replace("gate_up", "up") + ".weight"] = up
            continue
        if name == "llama4" and theirs.endswith("experts.down_proj"):
            theirs, array = f"{theirs}.weight", array.swapaxes(1, 2)
        if name == "kimi-linear":
            made |= _of_kimi(theirs, array, config)
            continue
        if "attention_sink_bias" in theirs or theirs.endswith("self_attn.sinks"):
            theirs = re.sub(r"self_attn\..*", "self_attn.sinks.weight", theirs)
        made[theirs] = array
    return made


def _together(tensors):
    """Queries, keys and values of a layer as one tensor."""
    made = {name: array for name, array in tensors.items() if not re.search(r"\.[qkv]_proj", name)}
    for name in tensors:
        if ".q_proj." in name:
            parts = [tensors[name.replace("q_proj", f"{one}_proj")] for one in "qkv"]
            made[name.replace("q_proj", "qkv_proj")] = np.concatenate(parts)
    return made


def _of_kimi(name, array, config):
    """A tensor of transformers' class by the names of its first code, and as files have it."""
    for theirs, ours in KIMI.items():
        name = name.replace(theirs, ours)
    # What transformers calls plain MLPs when it saves a model.
    name = re.sub(r"block_sparse_moe\.(gate|up|down)_proj", r"mlp.\1_proj", name)
    if name.endswith(".dt_bias"):
        name = name.replace("dt_bias", "dt_proj.bias")
    if re.search(r"\.[qkv]_conv1d\.weight", name):
        return {name: array.reshape(1, -1, 1, array.shape[-1])}
    if name.endswith("A_log"):
        return {f"blk.{name.split('.')[2]}.ssm_a": -np.exp(array)}
    if name.endswith("conv1d.weight"):
        parts = np.split(array, 3)
        return {
            name.replace("conv1d", f"{one}_conv1d"): part.reshape(1, -1, 1, part.shape[-1])
            for one, part in zip("qkv", parts, strict=True)
        }
    if name.endswith(("experts.gate_up_proj", "experts.down_proj")):
        is_both = name.endswith("gate_up_proj")
        parts = np.split(array, 2, axis=1) if is_both else [array]
        kinds = ("gate", "up") if is_both else ("down",)
        before = name.rpartition(".")[0]
        pairs = zip(kinds, parts, strict=True)
        return {f"{before}.{one}_proj.weight": part for one, part in pairs}
    return {name: array}


def lists_of(name, config, tensors):
    """Metadata that converters make of tensors: numbers of each layer."""
    if name != "apertus":
        return {}
    given = {
        one: [float(array.item()) for key, array in tensors.items() if key.endswith(f"fn.{one}")]
        for one in ("alpha_p", "alpha_n", "beta", "eps")
    }
    layers = config["num_hidden_layers"]
    # What the code has of its own where a folder does not say it.
    own = {"beta": [0.5] * layers, "eps": [-1e-6] * layers}
    return {f"xielu.{one}": values or own[one] for one, values in given.items()}
