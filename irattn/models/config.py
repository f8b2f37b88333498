"""A configuration as it is read: one flat mapping, with what its file leaves to the defaults."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irattn.errors import ConfigError
from irattn.models.values import Fields, positive, section, text

# Where multimodal configurations keep their language model.
_NESTED = ("text_config", "language_config", "llm_config")

# What transformers' configuration classes fill in where a published file leaves a key out.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "gemma": {"head_dim": 256},
    "gemma2": {
        "head_dim": 256,
        "query_pre_attn_scalar": 256,
        "attn_logit_softcapping": 50.0,
        "sliding_window": 4096,
    },
    "gemma3_text": {
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "hidden_size": 2304,
        "query_pre_attn_scalar": 256,
        "sliding_window": 4096,
        "sliding_window_pattern": 6,
        "rope_theta": 1000000.0,
        "rope_local_base_freq": 10000.0,
    },
    "glm": {"head_dim": 128, "partial_rotary_factor": 0.5, "rms_norm_eps": 1.5625e-07},
    "glm4": {"head_dim": 128, "partial_rotary_factor": 0.5, "rms_norm_eps": 1.5625e-07},
    "gpt_oss": {
        "head_dim": 64,
        "sliding_window": 128,
        "attention_bias": True,
        "rope_theta": 150000.0,
        "rms_norm_eps": 1e-05,
        # Its weights outside of the experts; the files do not say.
        "torch_dtype": "bfloat16",
    },
    "mistral": {"sliding_window": 4096},
    "mixtral": {"rope_theta": 1000000.0, "rms_norm_eps": 1e-05},
    "modernbert": {"local_attention": 128, "global_attn_every_n_layers": 3},
    "phi3": {"rms_norm_eps": 1e-05},
    "qwen2": {"use_sliding_window": False, "sliding_window": 4096, "max_window_layers": 28},
    "qwen2_moe": {"use_sliding_window": False, "sliding_window": 4096, "max_window_layers": 28},
    "qwen3": {
        "head_dim": 128,
        "use_sliding_window": False,
        "sliding_window": 4096,
        "max_window_layers": 28,
    },
    "qwen3_moe": {
        "head_dim": 128,
        "use_sliding_window": False,
        "sliding_window": 4096,
        "max_window_layers": 28,
    },
}


def read(config: Fields | str | Path) -> Fields:
    """The fields of the language model, whose defaults and old names are resolved."""
    fields = _language_model(_load(config))
    model_type = text(fields, "model_type")
    if model_type == "chatglm":
        fields = _like_glm(fields)
    if model_type == "mpt":
        fields = _flat_mpt(fields)
    return {**_DEFAULTS.get(model_type or "", {}), **fields}


def _load(config: Fields | str | Path) -> Fields:
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


def _language_model(fields: Fields) -> Fields:
    for key in _NESTED:
        nested = fields.get(key)
        if isinstance(nested, Mapping):
            # The nested part leaves out what it shares with the whole, often the dtype.
            return {**{k: v for k, v in fields.items() if k not in _NESTED}, **nested}
    return fields


def _like_glm(fields: Fields) -> Fields:
    """ChatGLM2 to GLM-4 by the keys of their own code: half of each head is rotated."""
    return {
        "rms_norm_eps": fields.get("layernorm_epsilon", 1e-05),
        "partial_rotary_factor": 0.5,
        "rope_theta": 10000.0 * (positive(fields, "rope_ratio") or 1.0),
        **fields,
    }


def _flat_mpt(fields: Fields) -> Fields:
    """MPT keeps the settings of its attention in a part of its own."""
    settings = section(fields, "attn_config")
    return {
        **{key: value for key, value in fields.items() if key != "attn_config"},
        "alibi": settings.get("alibi", True),
        "kv_n_heads": settings.get("kv_n_heads"),
        "multi_query": settings.get("attn_type") == "multiquery_attention",
        "prefix_lm": settings.get("prefix_lm"),
        "softmax_scale": settings.get("softmax_scale"),
    }
