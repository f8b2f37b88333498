"""The tensors of delta nets, by Hugging Face's names, as llama.cpp's converters write them."""

import re

import numpy as np

SIZES = {
    "linear_conv_kernel_dim": "ssm.conv_kernel",
    "linear_key_head_dim": "ssm.state_size",
    "linear_num_key_heads": "ssm.group_count",
    "linear_num_value_heads": "ssm.time_step_rank",
    "full_attention_interval": "full_attention_interval",
}
OURS = {
    "in_proj_qkv.weight": "attn_qkv.weight",
    "in_proj_z.weight": "attn_gate.weight",
    "in_proj_b.weight": "ssm_beta.weight",
    "in_proj_a.weight": "ssm_alpha.weight",
    "in_proj_ba.weight": "ssm_ba.weight",
    "conv1d.weight": "ssm_conv1d.weight",
    "A_log": "ssm_a",
    "dt_bias": "ssm_dt.bias",
    "norm.weight": "ssm_norm.weight",
    "out_proj.weight": "ssm_out.weight",
}


def said_of(config):
    heads = config["linear_num_value_heads"]
    said = {theirs: config[ours] for ours, theirs in SIZES.items() if ours in config}
    if "full_attention_interval" not in config:
        kinds = config["layer_types"]
        said["attention.recurrent_layers"] = [kind == "linear_attention" for kind in kinds]
    return said | {"ssm.inner_size": heads * config["linear_value_head_dim"]}


def around(array, config, size, axis=0):
    """What value heads have so much of each, so that heads go round the key heads."""
    keys, heads = config["linear_num_key_heads"], config["linear_num_value_heads"]
    shape = (*array.shape[:axis], keys, heads // keys, size, *array.shape[axis + 1 :])
    return array.reshape(shape).swapaxes(axis, axis + 1).reshape(array.shape)


def written(config, tensors):
    """The tensors, those of delta nets by the names of a file and as it has them."""
    made = {}
    for name, array in tensors.items():
        if not (found := re.fullmatch(r".*layers\.(\d+)\.linear_attn\.(.*)", name)):
            made[name] = array
        elif found[2] == "in_proj_qkvz.weight":
            qkv, gate = _apart(array, config)
            made[f"blk.{found[1]}.attn_qkv.weight"] = qkv
            made[f"blk.{found[1]}.attn_gate.weight"] = gate
        else:
            made[f"blk.{found[1]}.{OURS[found[2]]}"] = _one(found[2], array, config)
    return made


def _one(name, array, config):
    if name == "A_log":
        array = -np.exp(array)
    if name == "conv1d.weight":
        array = array[:, 0]
    if config["model_type"] == "qwen3_next":
        return array
    size = config["linear_value_head_dim"]
    if name.startswith(("in_proj_qkv", "conv1d")):
        first = 2 * config["linear_num_key_heads"] * config["linear_key_head_dim"]
        return np.concatenate([array[:first], around(array[first:], config, size)])
    if name.startswith("out_proj"):
        return around(array, config, size, 1)
    if name.startswith("norm"):
        return array
    return around(array, config, size if "proj_z" in name else 1)


def _apart(array, config):
    """Queries, keys and values, and gates, of rows that go by key heads."""
    keys, key = config["linear_num_key_heads"], config["linear_key_head_dim"]
    value = config["linear_num_value_heads"] // keys * config["linear_value_head_dim"]
    groups = array.reshape(keys, -1, array.shape[-1])
    kinds = np.split(groups, np.cumsum([key, key, value]), axis=1)
    *qkv, gate = [kind.reshape(-1, array.shape[-1]) for kind in kinds]
    return np.concatenate(qkv), gate
