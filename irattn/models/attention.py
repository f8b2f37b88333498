"""The attention of a configuration: heads, scale, features and which way it looks."""

import math
from typing import Any

from irattn.dtypes import FLOAT_NAMES, dtype, float_name
from irattn.errors import ConfigError
from irattn.models.layer import STYLES
from irattn.models.values import Fields, positive, text, texts, whole

# Model types whose attention looks both ways unless `is_decoder` is set.
_ENCODERS = frozenset(
    {
        "albert",
        "bert",
        "camembert",
        "distilbert",
        "electra",
        "modernbert",
        "nomic_bert",
        "roberta",
        "xlm-roberta",
    }
)

_DECODER_SUFFIXES = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")


def attention_fields(fields: Fields) -> dict[str, Any]:
    """The fields of a spec that are the same in all layers and at all lengths."""
    return {
        **_heads(fields),
        "softmax_scale": _softmax_scale(fields),
        "logits_soft_cap": positive(fields, "attn_logit_softcapping"),
        "alibi": _has_alibi(fields),
        "sinks": text(fields, "model_type") == "gpt_oss",
        "io_dtype": _io_dtype(fields),
    }


def hidden_size(fields: Fields) -> int | None:
    """Columns of the hidden state, if the file says so."""
    return whole(fields, "hidden_size", "n_embd", "n_embed", "d_model", "dim")


def _heads(fields: Fields) -> dict[str, Any]:
    num_q_heads = whole(fields, "num_attention_heads", "n_head", "n_heads", "num_heads")
    if num_q_heads is None:
        raise ConfigError("num_attention_heads: missing (also known as n_head or n_heads)")
    num_kv_heads = whole(fields, "num_key_value_heads", "num_kv_heads", "n_head_kv", "kv_n_heads")
    if fields.get("multi_query_attention"):
        num_kv_heads = whole(fields, "multi_query_group_num")
    elif fields.get("multi_query") and not fields.get("new_decoder_architecture"):
        num_kv_heads = 1
    return {
        "num_q_heads": num_q_heads,
        "num_kv_heads": num_kv_heads or num_q_heads,
        "head_dim": _head_dim(fields, num_q_heads),
    }


def _head_dim(fields: Fields, num_q_heads: int) -> int:
    head_dim = whole(fields, "head_dim", "kv_channels", "attention_head_dim")
    if head_dim is not None:
        return head_dim
    hidden = hidden_size(fields)
    if hidden is None:
        raise ConfigError("head_dim: missing, and so is hidden_size (also known as n_embd)")
    if hidden % num_q_heads:
        raise ConfigError(
            f"hidden_size: expected a multiple of the {num_q_heads} attention heads, "
            f"got {hidden}; or give head_dim"
        )
    return hidden // num_q_heads


def _softmax_scale(fields: Fields) -> float | None:
    scale = positive(fields, "attention_multiplier", "softmax_scale")
    if scale:
        return scale
    scalar = positive(fields, "query_pre_attn_scalar")
    if scalar:
        return 1 / math.sqrt(scalar)
    unscaled = fields.get("scale_attn_weights") is False or fields.get("model_type") == "gpt_neo"
    return 1.0 if unscaled else None


def _has_alibi(fields: Fields) -> bool:
    model_type = text(fields, "model_type")
    if fields.get("alibi") or fields.get("use_alibi"):
        return True
    if text(fields, "position_embedding_type") == "alibi" or model_type == "bloom":
        return True
    # Baichuan 7B rotates, 13B has slopes; nothing but the size tells them apart.
    return model_type == "baichuan" and hidden_size(fields) != 4096


def _io_dtype(fields: Fields) -> str:
    key = "dtype" if fields.get("dtype") else "torch_dtype"
    given = fields.get(key) or "float32"
    name = float_name(given)
    if name is None:
        known = ", ".join(dtype(known).numpy.name for known in FLOAT_NAMES)
        raise ConfigError(f"{key}: expected one of {known}, got {given}")
    return name


def is_causal(fields: Fields) -> bool:
    """Encoders look both ways; ConfigError where the file does not tell what the model is."""
    model_type = text(fields, "model_type")
    if fields.get("use_bidirectional_attention"):
        return False
    if model_type in _ENCODERS:
        return bool(fields.get("is_decoder"))
    architectures = texts(fields, "architectures")
    if any(name.endswith(_DECODER_SUFFIXES) for name in architectures) or model_type in STYLES:
        return True
    if fields.get("is_decoder") or fields.get("num_key_value_heads"):
        return True
    raise ConfigError(
        f"model_type: cannot tell whether {model_type} is causal; expected architectures with a "
        f"name that ends in {' or '.join(_DECODER_SUFFIXES)}, or one of the encoders "
        f"{', '.join(sorted(_ENCODERS))}"
    )
