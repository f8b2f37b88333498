"""The attention of a configuration: heads, scale, features and which way it looks."""

import math
from typing import Any

from irattn.core.dtypes import FLOAT_NAMES, dtype, float_name
from irattn.core.errors import ConfigError, shown
from irattn.models.families import ModelFamily
from irattn.models.kinds import SLIDING, LayerKind
from irattn.models.latent import latent_heads, latent_of
from irattn.models.names import HEADS, HIDDEN, KV_HEADS
from irattn.models.values import Fields, key_of, missing, positive, text, texts, whole
from irattn.specs.base import MAX_HEAD_DIM

_DTYPE = ("dtype", "torch_dtype")

_DECODER_SUFFIXES = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")

# Position embeddings that are added before attention, rotate its inputs, or are ALiBi.
_POSITION_EMBEDDINGS = (
    *("absolute", "alibi", "learned", "none", "nope", "rope", "rope_gptj", "rotary", "sinusoidal"),
)

_GROUPS = "multi_query_group_num"
_HEAD_DIM = ("head_dim", "kv_channels", "attention_head_dim")


def attention_fields(fields: Fields, family: ModelFamily) -> dict[str, Any]:
    """The fields of a spec that are the same in all layers and at all lengths."""
    latent = latent_of(fields, family)
    return {
        "softmax_scale": _softmax_scale(fields),
        **(latent_heads(fields, latent, _num_q_heads(fields)) if latent else _heads(fields)),
        "logits_soft_cap": positive(fields, "attn_logit_softcapping"),
        "alibi": family.alibi or _has_alibi(fields),
        "io_dtype": _io_dtype(fields),
    }


def has_sinks(family: ModelFamily, kind: LayerKind) -> bool:
    """Whether layers of a kind have sinks."""
    return family.sinks and (kind.name == SLIDING or not family.sinks_in_windows_alone)


def _num_q_heads(fields: Fields) -> int:
    num_q_heads = whole(fields, *HEADS)
    if num_q_heads is None:
        raise missing("num_attention_heads", "n_head or n_heads")
    return num_q_heads


def _heads(fields: Fields) -> dict[str, Any]:
    num_q_heads = _num_q_heads(fields)
    num_kv_heads = _num_kv_heads(fields) or num_q_heads
    if num_q_heads % num_kv_heads:
        raise ConfigError(
            f"{key_of(fields, *KV_HEADS, _GROUPS)}: expected a divisor of the {num_q_heads} "
            f"attention heads ({key_of(fields, *HEADS)}), got {num_kv_heads}"
        )
    return {
        "num_q_heads": num_q_heads,
        "num_kv_heads": num_kv_heads,
        "head_dim": _head_dim(fields, num_q_heads),
        "value_dim": whole(fields, "v_head_dim"),
    }


def _num_kv_heads(fields: Fields) -> int | None:
    if fields.get("multi_query_attention"):
        return whole(fields, _GROUPS)
    if fields.get("multi_query") and not fields.get("new_decoder_architecture"):
        return 1
    return whole(fields, *KV_HEADS)


def _head_dim(fields: Fields, num_q_heads: int) -> int:
    key = key_of(fields, *_HEAD_DIM, *HIDDEN)
    size = whole(fields, key)
    if size is None:
        raise missing("head_dim or hidden_size", "n_embd")
    if key in HIDDEN:
        if size % num_q_heads:
            raise ConfigError(
                f"{key}: expected a multiple of the {num_q_heads} attention heads, got {size}; "
                "or give head_dim"
            )
        size //= num_q_heads
    if size > MAX_HEAD_DIM:
        raise ConfigError(f"{key}: heads of {size} columns; irattn has at most {MAX_HEAD_DIM}")
    return size


def _softmax_scale(fields: Fields) -> float | None:
    scale = positive(fields, "attention_multiplier", "softmax_scale")
    if scale:
        return scale
    scalar = positive(fields, "query_pre_attn_scalar")
    if scalar:
        return 1 / math.sqrt(scalar)
    return 1.0 if fields.get("scale_attn_weights") is False else None


def _has_alibi(fields: Fields) -> bool:
    if fields.get("alibi") or fields.get("use_alibi"):
        return True
    if _position_embedding(fields) == "alibi":
        return True
    # Baichuan 7B rotates, 13B has slopes; nothing but the size tells them apart.
    return text(fields, "model_type") == "baichuan" and whole(fields, *HIDDEN) != 4096


def _position_embedding(fields: Fields) -> str:
    embedding = text(fields, "position_embedding_type") or "absolute"
    if embedding not in _POSITION_EMBEDDINGS:
        raise ConfigError(
            f"position_embedding_type: {embedding} is not known to leave the logits alone; "
            f"expected one of {', '.join(_POSITION_EMBEDDINGS)}"
        )
    return embedding


def _io_dtype(fields: Fields) -> str:
    key = key_of(fields, *_DTYPE)
    given = fields.get(key) or "float32"
    name = float_name(given)
    if name is None:
        known = ", ".join(dtype(known).numpy.name for known in FLOAT_NAMES)
        got = given if isinstance(given, str) else shown(given)
        raise ConfigError(f"{key}: expected one of {known}, got {got}")
    return name


def dtype_said(fields: Fields) -> str:
    """The dtype as the file states it, to be quoted."""
    key = key_of(fields, *_DTYPE)
    return f"{key}: {fields.get(key) or 'missing, taken as float32'}"


def is_causal(fields: Fields, family: ModelFamily) -> bool:
    """Whether no token sees later ones; ConfigError where neither type nor file tells."""
    if fields.get("use_bidirectional_attention"):
        return False
    if family.causal is not None:
        return family.causal or (family.decodes and bool(fields.get("is_decoder")))
    architectures = texts(fields, "architectures")
    if any(name.endswith(_DECODER_SUFFIXES) for name in architectures):
        return True
    if fields.get("is_decoder") or fields.get("num_key_value_heads"):
        return True
    raise ConfigError(
        "model_type: missing, so that irattn cannot tell whether the model is causal; say "
        "bidirectional (--bidirectional) if it looks both ways; for a decoder expected "
        f"architectures with a name that ends in {' or '.join(_DECODER_SUFFIXES)}"
    )
