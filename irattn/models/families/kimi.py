"""Kimi Linear: delta nets with gates per channel, and latent attention that does not rotate."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from irattn.core.errors import ConfigError
from irattn.models.families.common import SILU
from irattn.models.families.deepseek import LATENT_SIZES
from irattn.models.families.expert_style import (
    DEEPSEEK_3_EXPERTS,
    EXPERT_KEYS,
    GROUP_KEYS,
    numbers_of,
)
from irattn.models.families.family import DECODER, LayerStyle, ModelFamily
from irattn.models.families.state_tensor_names import DeltaNames
from irattn.models.families.tensor_names import PACKED_EXPERTS, SHARED_EXPERTS, TensorNames
from irattn.models.names import LAYERS
from irattn.models.values import Fields, section, texts, whole

_FULL, _LINEAR = "full_attention", "linear_attention"
_EVERY = 4
_OWN = "linear_attn_config"
_HEADS, _SIZE, _TAPS = "linear_num_heads", "linear_head_dim", "linear_conv_kernel_dim"
# What its files say otherwise than DeepSeek's.
_WORDS = {
    "model_max_length": "max_position_embeddings",
    "moe_renormalize": "norm_topk_prob",
    "num_expert_group": "n_group",
    "num_experts_per_token": "num_experts_per_tok",
    "num_shared_experts": "n_shared_experts",
}


def _as_read(fields: Fields) -> Fields:
    """A file by the keys of others: delta nets have as many heads of keys as of values."""
    own, within = dict(fields), section(fields, _OWN)
    for theirs, ours in _WORDS.items():
        if fields.get(theirs) is not None:
            own[ours] = own.pop(theirs)
    heads = whole(within, "num_heads") or whole(fields, _HEADS)
    size = whole(within, "head_dim") or whole(fields, _SIZE)
    return {
        **own,
        **dict.fromkeys(("linear_num_key_heads", "linear_num_value_heads"), heads),
        **dict.fromkeys(("linear_key_head_dim", "linear_value_head_dim"), size),
        _TAPS: whole(within, "short_conv_kernel_size") or whole(fields, _TAPS),
        "layer_types": texts(fields, "layer_types") or _kinds(fields, within),
    }


def _kinds(fields: Fields, within: Fields) -> list[str]:
    """The kind of each layer, where the file lists none: by numbers from 1, or every fourth."""
    count = whole(fields, *LAYERS) or 0
    full, linear = numbers_of(within, "full_attn_layers"), numbers_of(within, "kda_layers")
    if full is None or linear is None:
        return [_FULL if n and n % _EVERY == 0 else _LINEAR for n in range(count)]
    if sorted([*full, *linear]) != list(range(1, count + 1)):
        raise ConfigError(
            f"{_OWN}: expected each layer from 1 to {count} once in full_attn_layers or kda_layers"
        )
    return [_FULL if n + 1 in full else _LINEAR for n in range(count)]


def _tensors(fields: Fields) -> TensorNames:
    """The names of tensors in transformers' class."""
    is_narrow = whole(fields, "q_lora_rank") is not None
    gate_up, down = PACKED_EXPERTS
    return TensorNames(
        query="self_attn.q_b_proj" if is_narrow else "self_attn.q_proj",
        delta=DeltaNames(
            qkv=("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
            gates_down=("self_attn.forget_gate.f_a_proj", "self_attn.g_a_proj"),
            gate=("self_attn.g_b_proj",),
            decay="self_attn.forget_gate.f_b_proj",
            rates=("self_attn.b_proj",),
            conv=("self_attn.conv1d",),
            decay_log="self_attn.forget_gate.A_log",
            time_bias="self_attn.forget_gate.dt_bias",
            norm="self_attn.o_norm",
            output="self_attn.o_proj",
        ),
        expert_gate_up=(gate_up,),
        expert_down=down,
        **SHARED_EXPERTS,
        as_stored=_as_stored,
    )


def _as_stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names of published files, where these are there.

    transformers, when it saves a model, calls plain MLPs as it calls experts.
    """
    if not any(f"{_PUBLISHED}." in name for name in there):
        return names
    assert names.delta is not None
    delta = replace(
        names.delta,
        gates_down=("self_attn.f_a_proj", "self_attn.g_a_proj"),
        decay="self_attn.f_b_proj",
        conv=tuple(f"self_attn.{one}_conv1d" for one in "qkv"),
        decay_log="self_attn.A_log",
        time_bias="self_attn.dt_bias",
    )
    is_plain_so = any(name.endswith(f".{_PUBLISHED}.down_proj.weight") for name in there)
    plain = _PUBLISHED if is_plain_so else "mlp"
    return replace(
        names,
        delta=delta,
        gate_up=(f"{plain}.gate_proj", f"{plain}.up_proj"),
        down=f"{plain}.down_proj",
        router=f"{_PUBLISHED}.gate",
        choice_bias=f"{_PUBLISHED}.gate.e_score_correction_bias",
        expert_gate_up=tuple(f"{_PUBLISHED}.experts.{{expert}}.{one}" for one in ("w1", "w3")),
        expert_down=f"{_PUBLISHED}.experts.{{expert}}.w2",
        shared_gate_up=tuple(f"{_PUBLISHED}.shared_experts.{one}_proj" for one in ("gate", "up")),
        shared_down=f"{_PUBLISHED}.shared_experts.down_proj",
    )


_PUBLISHED = "block_sparse_moe"
_TRUE: tuple[Any, ...] = (True,)
KIMI_LINEAR = ModelFamily(
    reads=(DECODER - {"head_dim"})
    | LATENT_SIZES
    | EXPERT_KEYS
    | GROUP_KEYS
    | {*_WORDS, _OWN, _HEADS, _SIZE, _TAPS}
    | {"intermediate_size", "layer_types", "mlp_layer_types", "rms_norm_eps"},
    only={
        **SILU,
        **{"attention_bias": (False,), "mla_use_nope": _TRUE, "moe_layer_freq": (1,)},
        **{"moe_router_activation_func": ("sigmoid",), "use_grouped_topk": _TRUE},
    },
    harmless=frozenset(
        {
            # The code counts the columns of heads from their parts, and rotates none.
            *("head_dim", "qk_head_dim", "rope_parameters", "rope_scaling", "rope_theta"),
            "num_nextn_predict_layers",
        }
    ),
    defaults={"first_k_dense_replace": 1},
    layer=LayerStyle(
        rotates=False,
        has_channel_gates=True,
        experts=DEEPSEEK_3_EXPERTS,
    ),
    tensors=_tensors,
    latent=True,
    as_read=_as_read,
)
