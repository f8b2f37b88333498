"""The architectures of GGUF files with Mamba 2's steps: Granite 4, Bamba, Nemotron-H, Falcon-H1."""

from dataclasses import replace
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.core.gguf_file import GgufFile
from irattn.models.families.state_tensor_names import StateSpaceNames
from irattn.models.families.tensor_names import NEXT_BLOCK
from irattn.models.gguf.architecture import (
    EXPERTS,
    LOCAL_EXPERTS,
    NAMES,
    SCALES,
    WIDTH,
    Architecture,
    Told,
)
from irattn.models.gguf.heads import head_dim, heads_by_layer, usual_fields
from irattn.models.gguf.rotation import rotation
from irattn.models.gguf.said import Said

_STEPS = StateSpaceNames(
    into="ssm_in",
    conv="ssm_conv1d",
    is_flat=True,
    decay_log="ssm_a",
    time_bias="ssm_dt.bias",
    skip="ssm_d",
    norm="ssm_norm",
    output="ssm_out",
)
_TENSORS = replace(NAMES, state_space=_STEPS)
_INNER, _HEADS, _ROTATES = "ssm.inner_size", "ssm.time_step_rank", "rope.scaling.finetuned"
_KV_HEADS, _MLP = "attention.head_count_kv", "feed_forward_length"
_SIZES = {
    "ssm.conv_kernel": "mamba_d_conv",
    "ssm.group_count": "mamba_n_groups",
    "ssm.state_size": "mamba_d_state",
    _HEADS: "mamba_n_heads",
}
_NEEDS = (*_SIZES, _INNER)
_HAS_BIAS = Told(tensor=".ssm_conv1d.bias", here=True, without=False)
_SHARED = "expert_shared_feed_forward_length"


def _columns(said: Said) -> int:
    """The columns of a head of steps; ConfigError where heads do not have as many each."""
    inner, heads = said.needed(_INNER), said.needed(_HEADS)
    if inner % heads:
        raise ConfigError(
            f"{said.named(_INNER)}: expected a multiple of the {heads} heads, got {inner}"
        )
    return inner // heads


def _granite(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads and kinds of layers of Granite 4, or of Bamba, whose files have no scales."""
    kv_heads, attending = heads_by_layer(said, layers)
    size = head_dim(said)
    fields = {
        "num_key_value_heads": kv_heads,
        "head_dim": size,
        "mamba_d_head": _columns(said),
        "mamba_expand": _times_width(said),
        **rotation(said, file, size),
    }
    if said.value("attention.scale") is None:
        return {**fields, **_of_bamba(said, size, attending)}
    kinds = ["attention" if one else "mamba" for one in attending]
    width = said.whole(_SHARED, least=0) or said.needed(_MLP)
    rotates = {True: "rope", False: "nope"}[bool(said.value(_ROTATES))]
    own = {"layer_types": kinds, "shared_intermediate_size": width}
    return {**fields, **own, "position_embedding_type": rotates, "mamba_proj_bias": False}


def _of_bamba(said: Said, size: int, attending: list[bool]) -> dict[str, Any]:
    """The fields of Bamba, which rotates half of each head."""
    rotated = said.whole("rope.dimension_count")
    if not said.value(_ROTATES) or rotated != size // 2:
        raise ConfigError(
            f"{said.named('attention.scale')}: missing, and so is what Bamba has in its place: "
            f"{_ROTATES} true with rope.dimension_count = {size // 2}, got "
            f"{shown(said.value(_ROTATES))} and {rotated}"
        )
    indices = [number for number, one in enumerate(attending) if one]
    return {"model_type": "bamba", "attn_layer_indices": indices}


def _nemotron(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The kind of each block, by the sizes that the file has for it, and the heads."""
    inner = said.value(_MLP)
    widths = inner if isinstance(inner, list) else [inner or 0] * layers
    kv_heads, attending = heads_by_layer(said, layers)
    if len(widths) < layers:
        raise ConfigError(
            f"{said.named(_MLP)}: expected one for each of the {layers} blocks, got {shown(inner)}"
        )
    blocks = [
        ("moe" if f"blk.{number}.ffn_gate_inp.weight" in file.tensors else "mlp")
        if widths[number]
        else ("attention" if attending[number] else "mamba")
        for number in range(layers)
    ]
    dense = [width for width, kind in zip(widths, blocks, strict=False) if kind == "mlp"]
    return {
        "layers_block_type": blocks,
        "intermediate_size": max(dense, default=None),
        "num_key_value_heads": kv_heads,
        "head_dim": head_dim(said),
        "mamba_head_dim": _columns(said),
    }


def _mamba(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads of steps alone; files say a context that is nobody's."""
    return {
        "mamba_d_head": _columns(said),
        "expand": _times_width(said),
        "max_position_embeddings": None,
    }


def _times_width(said: Said) -> int:
    """The columns of all heads as so many times the width of the model."""
    inner, hidden = said.needed(_INNER), said.needed("embedding_length")
    if inner % hidden:
        raise ConfigError(
            f"{said.named(_INNER)}: expected a multiple of embedding_length = {hidden}, got {inner}"
        )
    return inner // hidden


def _falcon(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    own = {"mamba_d_head": _columns(said), "mamba_d_ssm": said.needed(_INNER)}
    return {**usual_fields(said, file, layers), **own}


_OF_NEMOTRON: dict[str, Any] = {
    "tensors": replace(
        _TENSORS,
        mlp_norm=f"{NEXT_BLOCK}attn_norm",
        up=f"{NEXT_BLOCK}ffn_up",
        down=f"{NEXT_BLOCK}ffn_down",
        router=f"{NEXT_BLOCK}ffn_gate_inp",
        choice_bias=f"{NEXT_BLOCK}exp_probs_b.bias",
        expert_gate_up=(f"{NEXT_BLOCK}ffn_up_exps.{{expert}}",),
        expert_down=f"{NEXT_BLOCK}ffn_down_exps.{{expert}}",
        shared_gate_up=(f"{NEXT_BLOCK}ffn_up_shexp",),
        shared_down=f"{NEXT_BLOCK}ffn_down_shexp",
    ),
    "told": {"use_conv_bias": _HAS_BIAS},
    "renamed": {
        "rms_norm_eps": "layer_norm_epsilon",
        "mamba_d_conv": "conv_kernel",
        "mamba_n_groups": "n_groups",
        "mamba_d_state": "ssm_state_size",
        "mamba_n_heads": "mamba_num_heads",
    },
    "made": _nemotron,
    "turns_neighbours": True,
}
_UNITS = (
    *("attention_in_multiplier", "attention_out_multiplier", "embedding_multiplier"),
    *("key_multiplier", "lm_head_multiplier", "ssm_in_multiplier", "ssm_out_multiplier"),
)

STATE_SPACE: dict[str, Architecture] = {
    # What the model multiplies with, its weights have in the file.
    "falcon-h1": Architecture(
        model_type="falcon_h1",
        tensors=_TENSORS,
        keys=_SIZES,
        needs=_NEEDS,
        told={
            "mamba_conv_bias": _HAS_BIAS,
            "mamba_rms_norm": Told(tensor=".ssm_norm.weight", here=True, without=False),
        },
        fixed={
            **dict.fromkeys(_UNITS, 1.0),
            **{"mlp_multipliers": [1.0] * 2, "ssm_multipliers": [1.0] * 5},
            "mamba_norm_before_gate": False,
        },
        made=_falcon,
    ),
    "granitehybrid": Architecture(
        model_type="granitemoehybrid",
        tensors=_TENSORS,
        keys=_SIZES | SCALES | LOCAL_EXPERTS,
        needs=_NEEDS,
        told={"mamba_conv_bias": _HAS_BIAS},
        silent=(_SHARED,),
        defaults={"num_local_experts": 0},
        made=_granite,
        turns_neighbours=True,
    ),
    "mamba2": Architecture(
        model_type="mamba2",
        tensors=_TENSORS,
        keys=_SIZES,
        needs=_NEEDS,
        told={"use_conv_bias": _HAS_BIAS},
        lacks=("attention.head_count", _MLP),
        renamed={
            "rms_norm_eps": "layer_norm_epsilon",
            "mamba_d_conv": "conv_kernel",
            "mamba_n_groups": "n_groups",
            "mamba_d_state": "state_size",
            "mamba_n_heads": "num_heads",
            "mamba_d_head": "head_dim",
        },
        made=_mamba,
    ),
    "nemotron_h": Architecture(model_type="nemotron_h", keys=_SIZES, needs=_NEEDS, **_OF_NEMOTRON),
    "nemotron_h_moe": Architecture(
        model_type="nemotron_h",
        keys=_SIZES
        | EXPERTS
        | WIDTH
        | {
            _SHARED: "moe_shared_expert_intermediate_size",
            "expert_group_count": "n_group",
            "expert_group_used_count": "topk_group",
            "expert_weights_norm": "norm_topk_prob",
            "expert_weights_scale": "routed_scaling_factor",
        },
        needs=(*_NEEDS, *EXPERTS, *WIDTH, _SHARED),
        only={"expert_gating_func": 2, "expert_shared_count": 1},
        defaults={"norm_topk_prob": False, "routed_scaling_factor": 1.0},
        **_OF_NEMOTRON,
    ),
}
