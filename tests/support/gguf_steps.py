"""What llama.cpp's converters write of models with Mamba 2's steps."""

import re

import numpy as np

ARCHITECTURES = ("falcon-h1", "granitehybrid", "mamba2", "nemotron_h", "nemotron_h_moe")
SIZES = {
    "ssm.conv_kernel": ("mamba_d_conv", "conv_kernel"),
    "ssm.group_count": ("mamba_n_groups", "n_groups"),
    "ssm.state_size": ("mamba_d_state", "ssm_state_size", "state_size"),
    "ssm.time_step_rank": ("mamba_n_heads", "mamba_num_heads", "num_heads"),
}
COLUMNS = ("mamba_d_head", "mamba_head_dim", "head_dim")


def one_of(config, keys):
    return next(config[key] for key in keys if key in config)


def blocks_of(config):
    """The kind of each block."""
    if "attn_layer_indices" in config:
        layers = range(config["num_hidden_layers"])
        return ["attention" if n in config["attn_layer_indices"] else "mamba" for n in layers]
    return config.get("layers_block_type") or config["layer_types"]


def said_of(config):
    """Metadata of a file, where it is not that of others."""
    heads = one_of(config, SIZES["ssm.time_step_rank"])
    said = {theirs: one_of(config, ours) for theirs, ours in SIZES.items()}
    said["ssm.inner_size"] = heads * one_of(config, COLUMNS)
    if config["model_type"] == "falcon_h1":
        return said
    if config["model_type"] == "mamba2":
        # What no layer has, and a context of the converter's own.
        said |= dict.fromkeys(("attention.head_count", "feed_forward_length"), 0)
        eps = {"attention.layer_norm_rms_epsilon": config["layer_norm_epsilon"]}
        return {**said, **eps, "context_length": 2**20}
    blocks, kv_heads = blocks_of(config), config["num_key_value_heads"]
    attending = ("attention", "full_attention")
    said["attention.head_count_kv"] = [kv_heads if one in attending else 0 for one in blocks]
    if config["model_type"] == "nemotron_h":
        widths = {"mlp": config["intermediate_size"], "moe": config.get("moe_intermediate_size")}
        said["feed_forward_length"] = [widths.get(one, 0) for one in blocks]
        said["attention.layer_norm_rms_epsilon"] = config["layer_norm_epsilon"]
        shared = config.get("moe_shared_expert_intermediate_size")
        return said | ({"expert_shared_feed_forward_length": shared} if shared else {})
    if shared := config.get("shared_intermediate_size"):
        said["expert_shared_feed_forward_length"] = shared
    return said | {"rope.scaling.finetuned": config["model_type"] == "bamba"}


def written(config, tensors):
    """The tensors, those of steps and blocks by the names of a file and as it has them."""
    made = {}
    for name, array in tensors.items():
        array = _times(config, name, array)
        if config["model_type"] == "nemotron_h":
            name = name.replace("model.", "backbone.", 1)
        found = re.fullmatch(r".*layers\.(\d+)\.(?:mamba|mixer)\.(.*)", name)
        before = f"blk.{found[1]}." if found else ""
        own = found[2] if found else ""
        if own in ("A_log", "D"):
            array = -np.exp(array) if own == "A_log" else array
            made[before + {"A_log": "ssm_a", "D": "ssm_d"}[own]] = array[:, None]
        elif own == "dt_bias":
            made[before + "ssm_dt.bias"] = array
        elif own == "conv1d.weight":
            made[before + "ssm_conv1d.weight"] = array[:, 0]
        elif own == "norm.weight":
            groups = one_of(config, SIZES["ssm.group_count"])
            made[before + "ssm_norm.weight"] = array.reshape(groups, -1)
        elif ".shared_mlp." in name:
            made |= shared_apart(name, array, "_shexp" if config["num_local_experts"] else "")
        else:
            # Converters call the experts of blocks as those of layers.
            experts = name.replace("backbone.layers", "model.layers").replace("mixer", "mlp")
            made[experts if ".experts." in name else name] = array
    return made


def shared_apart(name, array, kind):
    """Gate and up of Granite's shared MLP, or down, by the names of a file that end like that."""
    before = f"blk.{name.split('.')[2]}.ffn"
    if name.endswith("output_linear.weight"):
        return {f"{before}_down{kind}.weight": array}
    gate, up = np.split(array, 2)
    return {f"{before}_gate{kind}.weight": gate, f"{before}_up{kind}.weight": up}


def _times(config, name, array):
    """A tensor of Falcon-H1 with the factors that the code multiplies with."""
    if config["model_type"] != "falcon_h1":
        return array
    into, of_gate_down = _factor(config, "attention_in"), config["mlp_multipliers"]
    factors = {
        **dict(zip(("gate_proj", "down_proj"), of_gate_down, strict=True)),
        "k_proj": _factor(config, "key") * into,
        "q_proj": into,
        "v_proj": into,
        "o_proj": _factor(config, "attention_out"),
        "mamba.out_proj": _factor(config, "ssm_out"),
        "lm_head": _factor(config, "lm_head"),
        "embed_tokens": _factor(config, "embedding"),
    }
    if "mamba.in_proj" in name:
        inner, heads = config["mamba_d_ssm"], config["mamba_n_heads"]
        groups = config["mamba_n_groups"] * config["mamba_d_state"]
        each = np.repeat(config["ssm_multipliers"], [inner, inner, groups, groups, heads])
        return array * (_factor(config, "ssm_in") * each[:, None]).astype(np.float32)
    ends = (f".{one}.weight" for one in factors)
    found = next((one[1:-7] for one in ends if f".{name}".endswith(one)), None)
    return array * np.float32(factors[found]) if found else array


def _factor(config, name):
    return config.get(f"{name}_multiplier", 1.0)
