"""The architecture of GGUF files of MiMo V2: other KV heads in layers with windows."""

from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.core.gguf_file import GgufFile
from irattn.models.gguf.architecture import EXPERTS, NAMES, WIDTH, WINDOW, Architecture
from irattn.models.gguf.experts import mlp_kinds
from irattn.models.gguf.rotation import rotation
from irattn.models.gguf.said import Said

_HEADS, _PATTERN = "attention.head_count_kv", "attention.sliding_window_pattern"
_SCALE, _THETA = "attention.value_scale", "rope.freq_base_swa"


def _fields(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads of both kinds of layers, how positions rotate these, and which have experts."""
    size = said.needed("attention.key_length")
    rotated = rotation(said, file, size)
    part = {"rope_type": "default", "partial_rotary_factor": rotated["partial_rotary_factor"]}
    thetas = {
        "full_attention": rotated["rope_theta"],
        "sliding_attention": said.positive(_THETA) or rotated["rope_theta"],
    }
    return {
        "head_dim": size,
        "v_head_dim": said.needed("attention.value_length"),
        "num_key_value_heads": _kv_heads(said, layers),
        "attention_value_scale": said.positive(_SCALE) or 1.0,
        "rope_parameters": {kind: {**part, "rope_theta": one} for kind, one in thetas.items()},
        "mlp_layer_types": mlp_kinds(file, layers),
    }


def _kv_heads(said: Said, layers: int) -> int:
    """The KV heads of layers without a window; others must have twice as many."""
    given, windows = said.value(_HEADS), said.value(_PATTERN)
    each = given if isinstance(given, list) else [given] * layers
    kinds = windows if isinstance(windows, list) else [windows] * layers
    are_known = min(len(each), len(kinds)) >= layers and all(type(one) is int for one in each)
    pairs = list(zip(each, kinds, strict=False)) if are_known else []
    full = {n for n, one in pairs if not one}
    narrow = {n for n, one in pairs if one}
    heads: int = next(iter(full or {n // 2 for n in narrow}), 0)
    if not heads or full - {heads} or narrow - {2 * heads}:
        raise ConfigError(
            f"{said.named(_HEADS)}: expected one number for layers without a window, and twice as "
            f"many for those with one, got {shown(given)} beside {_PATTERN} = {shown(windows)}"
        )
    return heads


MIMO_2 = Architecture(
    model_type="mimo_v2_flash",
    tensors=NAMES,
    keys=WINDOW
    | EXPERTS
    | WIDTH
    | {
        "expert_group_count": "n_group",
        "expert_group_used_count": "topk_group",
        "expert_weights_scale": "routed_scaling_factor",
    },
    needs=(_PATTERN, "attention.sliding_window", *EXPERTS, *WIDTH),
    only={"expert_gating_func": 2, "expert_weights_norm": True},
    silent=(_SCALE, _THETA),
    fixed={"norm_topk_prob": True},
    made=_fields,
)
