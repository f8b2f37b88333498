"""MiMo V2 Flash: twice the KV heads, and sinks, in layers with windows, and narrow values."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import PARTIAL
from irattn.models.families.expert_style import DEEPSEEK_3_EXPERTS, EXPERT_KEYS
from irattn.models.families.family import WINDOW, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, positive, rope_type, section, texts, whole

_FULL, _SLIDING = "full_attention", "sliding_attention"
_EVERY = 6
_ROPE, _PART = "rope_parameters", "partial_rotary_factor"
# What the code fills in.
_ROTATED = 0.334
_THETAS = {_FULL: 5e6, _SLIDING: 1e4}
_VALUES, _SCALE, _WIDTH = "v_head_dim", "attention_value_scale", "sliding_window"
_KV_HEADS = "num_key_value_heads"
# By its first code, which says in keys of its own what transformers' class takes for granted.
_FIRST_CODES = frozenset(
    {
        *("add_full_attention_sink_bias", "add_swa_attention_sink_bias", "hybrid_layer_pattern"),
        *("layernorm_epsilon", "moe_layer_freq", "rope_theta", "sliding_window_size"),
        *("swa_head_dim", "swa_num_attention_heads", "swa_num_key_value_heads"),
        *("swa_rope_theta", "swa_v_head_dim"),
    }
)


def _as_read(fields: Fields) -> Fields:
    """A file by the keys of others: what layers with windows have is that of each layer."""
    count = whole(fields, *LAYERS) or 0
    kinds = texts(fields, "layer_types") or [
        _SLIDING if number and (number + 1) % _EVERY else _FULL for number in range(count)
    ]
    mlps = texts(fields, "mlp_layer_types") or ["dense", *["sparse"] * (count - 1)]
    rope = section(fields, _ROPE) or {kind: {"rope_theta": _THETAS[kind]} for kind in _THETAS}
    heads = {_KV_HEADS: 2 * (whole(fields, _KV_HEADS) or 0)}
    own = {
        **{key: value for key, value in fields.items() if key not in _FIRST_CODES | {_PART}},
        **{"layer_types": kinds, "mlp_layer_types": mlps},
        _ROPE: {kind: _with_part(part) for kind, part in rope.items()},
        _WIDTH: _width(fields),
        "per_layer_config": {str(n): heads for n, kind in enumerate(kinds) if kind == _SLIDING},
    }
    _check_heads(fields, heads[_KV_HEADS])
    _check_first_code(fields, own)
    return own


def _with_part(part: Any) -> Any:
    """The settings of a kind of layers, which rotate a part of each head."""
    is_plain = isinstance(part, Mapping) and rope_type(part) in (None, "default")
    return {_PART: _ROTATED, **part} if is_plain else part


def _width(fields: Fields) -> int | None:
    """The tokens of a window; a key of the first code counts those before a query."""
    before = whole(fields, "sliding_window_size")
    return before + 1 if before else whole(fields, _WIDTH)


def _check_first_code(fields: Fields, own: Fields) -> None:
    """ConfigError where the keys of the first code say something else than transformers' class."""
    rope = own[_ROPE]
    full, sliding = (section(rope, kind) for kind in (_FULL, _SLIDING))
    made = {
        "add_full_attention_sink_bias": False,
        "add_swa_attention_sink_bias": True,
        "hybrid_layer_pattern": [int(kind == _SLIDING) for kind in own["layer_types"]],
        "moe_layer_freq": [int(kind == "sparse") for kind in own["mlp_layer_types"]],
        "layernorm_epsilon": fields.get("rms_norm_eps"),
        "rope_theta": full.get("rope_theta"),
        "swa_rope_theta": sliding.get("rope_theta"),
        _PART: full.get(_PART, sliding.get(_PART)),
        "swa_head_dim": fields.get("head_dim"),
        "swa_v_head_dim": fields.get(_VALUES),
        "swa_num_attention_heads": fields.get("num_attention_heads"),
        "swa_num_key_value_heads": 2 * (whole(fields, _KV_HEADS) or 0),
    }
    for key, expected in made.items():
        if fields.get(key) not in (None, expected):
            raise ConfigError(
                f"{key}: expected {shown(expected)}, which transformers' class makes of the other "
                f"keys, got {shown(fields[key])}"
            )


def _check_heads(fields: Fields, kv_heads: int) -> None:
    """ConfigError for values wider than keys, and for KV heads that layers with windows lack."""
    heads = whole(fields, "num_attention_heads") or 0
    if kv_heads and heads % kv_heads:
        raise ConfigError(
            f"{_KV_HEADS}: expected half a divisor of the {heads} attention heads, as layers with "
            f"windows have twice as many, got {kv_heads // 2}"
        )
    columns, most = whole(fields, _VALUES), whole(fields, "head_dim")
    if columns and most and columns > most:
        raise ConfigError(f"{_VALUES}: expected at most head_dim, {most}, got {columns}")


def _sinks_as_stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names of the first code's files, or those that transformers' class saves."""
    is_ours = any(name.endswith("self_attn.sinks") for name in there)
    return replace(names, sinks="self_attn.sinks") if is_ours else names


def _tensors(fields: Fields) -> TensorNames:
    return TensorNames(
        sinks="self_attn.attention_sink_bias",
        value_columns=whole(fields, _VALUES),
        value_scale=positive(fields, _SCALE) or 1.0,
        as_stored=_sinks_as_stored,
    )


MIMO_2_FLASH = ModelFamily(
    reads=(PARTIAL - {"rope_scaling", "original_max_position_embeddings"})
    | WINDOW
    | EXPERT_KEYS
    | _FIRST_CODES
    | {
        *("attention_bias", "mlp_layer_types", "n_group", "routed_scaling_factor"),
        *("topk_group", _SCALE, _VALUES),
    },
    only={
        **{"first_k_dense_replace": (), "n_shared_experts": (0,), "use_qk_norm": (False,)},
        **{"scoring_func": ("sigmoid",), "topk_method": ("noaux_tc",)},
    },
    # No code reads it.
    harmless=frozenset({"attention_chunk_size"}),
    needs=(LAYERS,),
    sinks=True,
    sinks_in_windows_alone=True,
    layer=LayerStyle(
        qkv_bias="attention_bias",
        rotates_by_kind=True,
        experts=DEEPSEEK_3_EXPERTS,
    ),
    tensors=_tensors,
    as_read=_as_read,
)
