"""What llama.cpp's converters write of Gemma 4."""

import re

import numpy as np

OURS = {"router.scale": "ffn_gate_inp.scale", "router.per_expert_scale": "ffn_down_exps.scale"}


def said_of(config):
    """Metadata of a file, where it is not that of others."""
    windows = [kind == "sliding_attention" for kind in config["layer_types"]]
    layers, shared = config["num_hidden_layers"], config.get("num_kv_shared_layers", 0)
    wide, inner = config["global_head_dim"], config["intermediate_size"]
    said = {
        "attention.shared_kv_layers": shared,
        "embedding_length_per_layer_input": config["hidden_size_per_layer_input"],
        "attention.sliding_window_pattern": windows,
        "attention.key_length": wide,
        "attention.value_length": wide,
        "attention.key_length_swa": config["head_dim"],
        "attention.value_length_swa": config["head_dim"],
        "rope.dimension_count": wide,
        "rope.dimension_count_swa": config["head_dim"],
        "rope.freq_base": config["rope_parameters"]["full_attention"]["rope_theta"],
        "rope.freq_base_swa": config["rope_parameters"]["sliding_attention"]["rope_theta"],
    }
    if config.get("use_double_wide_mlp"):
        said["feed_forward_length"] = [inner] * (layers - shared) + [2 * inner] * shared
    if config.get("num_global_key_value_heads"):
        counts = (config["num_global_key_value_heads"], config["num_key_value_heads"])
        said["attention.head_count_kv"] = [counts[one] for one in windows]
    return said


def written(config, tensors):
    """The tensors, with scales of experts by the names of a file, and factors of frequencies."""
    made = {}
    for name, array in tensors.items():
        found = re.fullmatch(r".*layers\.(\d+)\.(router\.\w*scale)", name)
        made[f"blk.{found[1]}.{OURS[found[2]]}" if found else name] = array
    pairs = config["global_head_dim"] // 2
    part = config["rope_parameters"]["full_attention"]["partial_rotary_factor"]
    factors = np.full(pairs, 1e30, np.float32)
    factors[: int(pairs * part)] = 1
    return {**made, "blk.rope_freqs": factors}
