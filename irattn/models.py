"""A Hugging Face `config.json` to the specs of that model's attention."""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irattn.errors import ConfigError
from irattn.specs import AttentionSpec, PagedAttentionSpec, Spec

# Where multimodal configurations keep their language model.
_NESTED = ("text_config", "language_config", "llm_config")

_DTYPES = {"float32": "f32", "float16": "f16", "bfloat16": "bf16"}

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

# Features that change attention: the key, what it means, and the values that switch it off.
_UNSUPPORTED_KEYS: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("kv_lora_rank", "latent attention", (None, 0)),
    ("attn_logit_softcapping", "a soft cap on the logits", (None, 0)),
    ("alibi", "ALiBi slopes", (None, False)),
    ("use_alibi", "ALiBi slopes", (None, False)),
    ("attention_chunk_size", "chunked attention", (None, 0)),
    ("attention_sink_size", "attention sinks", (None, 0)),
    ("is_encoder_decoder", "encoder-decoder attention", (None, False)),
    ("scale_attn_by_inverse_layer_idx", "a softmax scale per layer", (None, False)),
    ("global_attn_every_n_layers", "local attention in some layers", (None, 0, 1)),
    ("relative_attention_num_buckets", "relative positions in the logits", (None, 0)),
    ("attention_types", "local attention in some layers", (None,)),
    ("attn_config", "attention settings of its own kind", (None,)),
)

# Model types with a feature that no key of their configuration names.
_UNSUPPORTED_TYPES = {"bloom": "ALiBi slopes", "gpt_oss": "attention sinks"}

# Position embeddings that are added before attention or rotate its inputs.
_POSITION_EMBEDDINGS = ("absolute", "learned", "none", "rope", "rotary", "sinusoidal")

_LAYER_TYPES = ("full_attention", "sliding_attention")

DEFAULT_CONTEXT = 2048
DEFAULT_PROMPT = 512
BLOCK_SIZE = 16


def specs_from_config(
    config: Mapping[str, Any] | str | Path,
    *,
    batch: int = 1,
    q_len: int | None = None,
    kv_len: int | None = None,
) -> dict[str, Spec]:
    """The specs of a model's attention, by name.

    `config` is a parsed `config.json` or its path. A decoder gives causal prefill (`q_len` queries,
    512 by default, against `kv_len` keys, `q_len` by default) and paged decode (contexts up to
    `kv_len`, 2048 by default, in blocks of 16); an encoder gives attention both ways. Lengths that
    are left out are cut to what the model's positions and window allow. Rotary and other position
    embeddings come before attention and are not part of it. A file without a dtype is taken as
    f32, which is what its weights are stored in.

    Raises ConfigError, naming the key, for a feature that irattn does not have.
    """
    fields = _text_fields(_read(config))
    _refuse_unsupported(fields)
    for name, length in (("batch", batch), ("q_len", q_len), ("kv_len", kv_len)):
        if length is not None and (type(length) is not int or length < 1):
            raise ConfigError(f"{name}: expected a whole number of at least 1, got {length!r}")
    heads = _heads(fields)
    longest = _longest(fields, q_len, kv_len)
    prompt = q_len or min(DEFAULT_PROMPT, longest, kv_len or longest)
    io_dtype = _io_dtype(fields)
    scale = _softmax_scale(fields)
    model = re.sub(r"[^A-Za-z0-9]+", "-", _text(fields, "model_type") or "model").strip("-")
    causal = _is_causal(fields)
    prefill = AttentionSpec(
        batch=batch,
        q_len=prompt,
        kv_len=kv_len or prompt,
        causal=causal,
        softmax_scale=scale,
        io_dtype=io_dtype,
        **heads,
    )
    if not causal:
        return {f"{model}_encode-{prefill.digest}": prefill}
    blocks = -(-(kv_len or min(DEFAULT_CONTEXT, longest)) // BLOCK_SIZE)
    decode = PagedAttentionSpec(
        batch=batch,
        q_len=1,
        block_size=BLOCK_SIZE,
        num_blocks=batch * blocks,
        max_blocks=blocks,
        softmax_scale=scale,
        io_dtype=io_dtype,
        **heads,
    )
    return {
        f"{model}_prefill-{prefill.digest}": prefill,
        f"{model}_paged_decode-{decode.digest}": decode,
    }


def _read(config: Mapping[str, Any] | str | Path) -> Mapping[str, Any]:
    if isinstance(config, Mapping):
        return config
    path = Path(config)
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"config: {path} is not readable: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"config: {path} is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise ConfigError(f"config: {path}: expected a JSON object, got {type(fields).__name__}")
    return fields


def _text_fields(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    for key in _NESTED:
        nested = fields.get(key)
        if isinstance(nested, Mapping):
            # The nested part leaves out what it shares with the whole, often the dtype.
            return {**{k: v for k, v in fields.items() if k not in _NESTED}, **nested}
    return fields


def _refuse_unsupported(fields: Mapping[str, Any]) -> None:
    for key, feature, off in _UNSUPPORTED_KEYS:
        value = fields.get(key)
        if value not in off:
            raise ConfigError(f"{key}: {value} asks for {feature}, which irattn does not have yet")
    model_type = _text(fields, "model_type")
    if model_type in _UNSUPPORTED_TYPES:
        raise ConfigError(
            f"model_type: {model_type} uses {_UNSUPPORTED_TYPES[model_type]}, "
            "which irattn does not have yet"
        )
    for kind in _texts(fields, "layer_types"):
        if kind not in _LAYER_TYPES:
            raise ConfigError(f"layer_types: {kind} is a kind of layer that irattn does not have")
    embedding = _text(fields, "position_embedding_type") or "absolute"
    if embedding not in _POSITION_EMBEDDINGS:
        raise ConfigError(
            f"position_embedding_type: {embedding} is not known to leave the logits alone; "
            f"expected one of {', '.join(_POSITION_EMBEDDINGS)}"
        )


def _heads(fields: Mapping[str, Any]) -> dict[str, Any]:
    num_q_heads = _whole(fields, "num_attention_heads", "n_head", "n_heads", "num_heads")
    if num_q_heads is None:
        raise ConfigError("num_attention_heads: missing (also known as n_head or n_heads)")
    num_kv_heads = _whole(fields, "num_key_value_heads", "num_kv_heads", "n_head_kv")
    if fields.get("multi_query_attention"):
        num_kv_heads = _whole(fields, "multi_query_group_num")
    elif fields.get("multi_query") and not fields.get("new_decoder_architecture"):
        num_kv_heads = 1
    head_dim = _whole(fields, "head_dim", "kv_channels", "attention_head_dim")
    if head_dim is None:
        hidden = _whole(fields, "hidden_size", "n_embd", "d_model", "dim")
        if hidden is None:
            raise ConfigError("head_dim: missing, and so is hidden_size (also known as n_embd)")
        if hidden % num_q_heads:
            raise ConfigError(
                f"hidden_size: expected a multiple of the {num_q_heads} attention heads, "
                f"got {hidden}; or give head_dim"
            )
        head_dim = hidden // num_q_heads
    return {
        "num_q_heads": num_q_heads,
        "num_kv_heads": num_kv_heads or num_q_heads,
        "head_dim": head_dim,
    }


def _whole(fields: Mapping[str, Any], *keys: str) -> int | None:
    """The first of these keys that is set; ConfigError unless it is a whole number."""
    for key in keys:
        value = fields.get(key)
        if value is None:
            continue
        if type(value) is not int or value < 1:
            raise ConfigError(f"{key}: expected a whole number of at least 1, got {value!r}")
        return value
    return None


def _text(fields: Mapping[str, Any], key: str) -> str | None:
    """A text value, if it is set."""
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"{key}: expected text, got {value!r}")
    return value


def _texts(fields: Mapping[str, Any], key: str) -> list[str]:
    """A list of texts, empty if it is not set."""
    value = fields.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{key}: expected a list of texts, got {value!r}")
    return value


def _positive(fields: Mapping[str, Any], key: str) -> float | None:
    """A number above zero, if it is set."""
    value = fields.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise ConfigError(f"{key}: expected a number above 0, got {value!r}")
    return float(value)


def _longest(fields: Mapping[str, Any], q_len: int | None, kv_len: int | None) -> int:
    """The longest context that needs no window; ConfigError where the lengths asked for do."""
    positions = _whole(fields, "max_position_embeddings", "n_positions", "seq_length")
    window = _window(fields)
    wanted = max(q_len or 0, kv_len or 0)
    if positions and wanted > positions:
        raise ConfigError(
            f"max_position_embeddings: {positions} is the model's longest context; "
            f"{wanted} tokens were asked for"
        )
    if window and wanted > window:
        raise ConfigError(
            f"sliding_window: {window} hides tokens from longer contexts, and irattn does not have "
            f"windows yet; ask for at most {window} tokens with --q-len and --kv-len"
        )
    if window and not wanted and window < DEFAULT_PROMPT:
        raise ConfigError(
            f"sliding_window: {window} asks for a window, which irattn does not have yet; contexts "
            f"of at most {window} tokens need none (--q-len, --kv-len)"
        )
    limits = [DEFAULT_CONTEXT, *(n for n in (positions, window) if n)]
    # Whole blocks only, so that the cache holds no token beyond the limit.
    return max(min(limits) // BLOCK_SIZE * BLOCK_SIZE, 1)


def _window(fields: Mapping[str, Any]) -> int | None:
    if fields.get("use_sliding_window") is False:
        return None
    return _whole(fields, "sliding_window")


def _io_dtype(fields: Mapping[str, Any]) -> str:
    key = "dtype" if fields.get("dtype") else "torch_dtype"
    name = str(fields.get(key) or "float32").removeprefix("torch.")
    if name not in _DTYPES:
        raise ConfigError(f"{key}: expected one of {', '.join(_DTYPES)}, got {name}")
    return _DTYPES[name]


def _softmax_scale(fields: Mapping[str, Any]) -> float | None:
    multiplier = _positive(fields, "attention_multiplier")
    if multiplier:
        return multiplier
    scalar = _positive(fields, "query_pre_attn_scalar")
    if scalar:
        return 1 / math.sqrt(scalar)
    return 1.0 if fields.get("scale_attn_weights") is False else None


def _is_causal(fields: Mapping[str, Any]) -> bool:
    """Encoders look both ways; ConfigError where the file does not tell what the model is."""
    model_type = _text(fields, "model_type")
    if fields.get("use_bidirectional_attention"):
        return False
    if model_type in _ENCODERS:
        return bool(fields.get("is_decoder"))
    architectures = _texts(fields, "architectures")
    if any(name.endswith(_DECODER_SUFFIXES) for name in architectures):
        return True
    if fields.get("is_decoder") or fields.get("num_key_value_heads"):
        return True
    raise ConfigError(
        f"model_type: cannot tell whether {model_type} is causal; expected architectures with a "
        f"name that ends in {' or '.join(_DECODER_SUFFIXES)}, or one of the encoders "
        f"{', '.join(sorted(_ENCODERS))}"
    )
