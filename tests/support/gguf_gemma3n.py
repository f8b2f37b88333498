"""What llama.cpp's converters write of Gemma 3n."""

import re
from statistics import NormalDist

import numpy as np


def said_of(config):
    """Metadata of a file, where it is not that of others."""
    theta = config.get("rope_parameters") or {
        "full_attention": {"rope_theta": config.get("rope_theta")}
    }
    return {
        "activation_sparsity_scale": [
            float(np.float32(NormalDist().inv_cdf(share))) if share else -np.inf
            for share in config["activation_sparsity_pattern"]
        ],
        "altup.active_idx": config.get("altup_active_idx", 0),
        "altup.num_inputs": config["altup_num_inputs"],
        "attention.shared_kv_layers": config["num_kv_shared_layers"],
        "attention.sliding_window_pattern": [
            kind == "sliding_attention" for kind in config["layer_types"]
        ],
        "embedding_length_per_layer_input": config["hidden_size_per_layer_input"],
        "rope.freq_base": theta["full_attention"]["rope_theta"],
    }


def written(tensors):
    """The tensors, those of products around all layers in one."""
    made, several = {}, {}
    for name, array in tensors.items():
        if found := re.fullmatch(r"(.*altup_\w*projections)\.\d+(\.weight)", name):
            several.setdefault(found[1] + found[2], []).append(array)
        else:
            made[name] = array
    return made | {name: np.stack(arrays) for name, arrays in several.items()}
