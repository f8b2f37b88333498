"""Latent attention of a configuration: its sizes, its scale, and its absorbed form."""

import math
from typing import Any

from irattn.core.errors import ConfigError
from irattn.models.families import ModelFamily
from irattn.models.values import Fields, positive, positive_or_off, section, text, whole
from irattn.specs.latent_sizes import LatentSizes

_SIZES = {
    "kv_lora_rank": "kv_lora_rank",
    "nope_dim": "qk_nope_head_dim",
    "rope_dim": "qk_rope_head_dim",
    "value_dim": "v_head_dim",
}


def latent_of(fields: Fields, family: ModelFamily) -> LatentSizes | None:
    """The sizes of latent attention, of a family that has it."""
    if not family.latent:
        return None
    sizes = {ours: whole(fields, theirs) for ours, theirs in _SIZES.items()}
    for ours, size in sizes.items():
        if size is None:
            raise ConfigError(f"{_SIZES[ours]}: missing")
    # The code leaves the class of norms its own eps, whatever the file says of the layer's.
    return LatentSizes(q_lora_rank=whole(fields, "q_lora_rank"), **sizes)  # type: ignore[arg-type]


def latent_heads(fields: Fields, latent: LatentSizes, num_q_heads: int) -> dict[str, Any]:
    """The heads that attend to keys and values made of latents, and their scale."""
    scale = latent.head_dim**-0.5 * _scale_of_length(fields)
    return {
        "num_q_heads": num_q_heads,
        "num_kv_heads": num_q_heads,
        "head_dim": latent.head_dim,
        "value_dim": latent.value_dim,
        "softmax_scale": scale,
    }


def absorbed(shared: dict[str, Any], latent: LatentSizes | None) -> dict[str, Any]:
    """Fields of attention to latents themselves; unchanged where a model has none."""
    if latent is None:
        return shared
    return {
        **shared,
        "num_kv_heads": 1,
        "head_dim": latent.cache_dim,
        "value_dim": latent.kv_lora_rank,
        "latent_cache": True,
    }


def _scale_of_length(fields: Fields) -> float:
    """YaRN's temperature of contexts that were lengthened, which DeepSeek's code squares."""
    rope = section(fields, "rope_parameters") or section(fields, "rope_scaling")
    kind = text(rope, "rope_type") or text(rope, "type") or "default"
    share, factor = positive_or_off(rope, "mscale_all_dim"), positive(rope, "factor") or 1.0
    if kind == "default" or not share or factor <= 1:
        return 1.0
    return (0.1 * share * math.log(factor) + 1.0) ** 2
