"""What llama.cpp's converters write of models with latent attention."""

import re

import numpy as np


def said_of(config):
    """Metadata of a file, where it is not that of others."""
    rank, rotated = config["kv_lora_rank"], config["qk_rope_head_dim"]
    said = {
        "attention.head_count_kv": 1,
        "attention.kv_lora_rank": rank,
        "attention.key_length": rank + rotated,
        "attention.value_length": rank,
        "attention.key_length_mla": config["qk_nope_head_dim"] + rotated,
        "attention.value_length_mla": config["v_head_dim"],
        "rope.dimension_count": rotated,
    }
    if config.get("q_lora_rank"):
        said["attention.q_lora_rank"] = config["q_lora_rank"]
    if scaling := config.get("rope_scaling"):
        said |= {f"rope.scaling.{key}": scaling[key] for key in ("type", "factor")}
        said["rope.scaling.original_context_length"] = scaling["original_max_position_embeddings"]
        said["rope.scaling.yarn_beta_fast"] = scaling["beta_fast"]
        said["rope.scaling.yarn_beta_slow"] = scaling["beta_slow"]
        said["rope.scaling.yarn_log_multiplier"] = 0.1 * scaling["mscale_all_dim"]
    return said


def written(config, tensors):
    """The tensors, with what makes keys of latents, columns first, and what makes values."""
    heads, nope, made = config["num_attention_heads"], config["qk_nope_head_dim"], {}
    for name, array in tensors.items():
        if not (found := re.fullmatch(r".*layers\.(\d+)\.self_attn\.kv_b_proj\.weight", name)):
            made[name] = array
            continue
        by_head = array.reshape(heads, -1, array.shape[-1])
        keys = np.ascontiguousarray(by_head[:, :nope].swapaxes(1, 2))
        made[f"blk.{found[1]}.attn_k_b.weight"] = keys
        made[f"blk.{found[1]}.attn_v_b.weight"] = np.ascontiguousarray(by_head[:, nope:])
    return made
