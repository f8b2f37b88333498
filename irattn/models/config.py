"""A configuration as it is read: flat mappings, with what its file leaves to the defaults."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irattn.errors import ConfigError, shown
from irattn.models.values import Fields, positive, section, text, whole
from irattn.strict_json import loads

# Where multimodal configurations keep their language model.
_NESTED = ("text_config", "language_config", "llm_config")

# Models of two encoders, which know nothing of each other.
_TWO_ENCODERS = ("clip", "siglip")

# What transformers' configuration classes fill in where a published file leaves a key out.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "clip_text_model": {
        "hidden_size": 512,
        "max_position_embeddings": 77,
        "num_attention_heads": 8,
        "num_hidden_layers": 12,
    },
    "clip_vision_model": {
        "hidden_size": 768,
        "image_size": 224,
        "num_attention_heads": 12,
        "num_hidden_layers": 12,
        "patch_size": 32,
    },
    "dinov2_with_registers": {"num_register_tokens": 4},
    "falcon": {"multi_query": True},
    "gemma": {"head_dim": 256, "hidden_act": "gelu_pytorch_tanh"},
    "gemma2": {
        "hidden_activation": "gelu_pytorch_tanh",
        "head_dim": 256,
        "query_pre_attn_scalar": 256,
        "attn_logit_softcapping": 50.0,
        "sliding_window": 4096,
        "sliding_window_pattern": 2,
    },
    "gemma3_text": {
        "hidden_activation": "gelu_pytorch_tanh",
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
        "sliding_window_pattern": 2,
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
    "siglip_text_model": {
        "hidden_size": 768,
        "max_position_embeddings": 64,
        "num_attention_heads": 12,
        "num_hidden_layers": 12,
    },
    "siglip_vision_model": {
        "hidden_size": 768,
        "image_size": 224,
        "num_attention_heads": 12,
        "num_hidden_layers": 12,
        "patch_size": 16,
    },
}


@dataclass(frozen=True)
class Stack:
    """A stack of layers that are alike but for their kinds: most models have just one.

    `name` begins the names of its specs. `encoded` counts the tokens that cross attention reads,
    where the layers have it.
    """

    name: str
    fields: Fields
    encoded: int | None = None


def read(config: Fields | str | Path) -> list[Stack]:
    """The stacks of layers of a model, whose defaults and old names are resolved."""
    fields = _load(config)
    model_type = text(fields, "model_type")
    if model_type in _TWO_ENCODERS:
        kinds = ("text", "vision")
        return [_stack(_encoder(fields, kind, f"{model_type}_{kind}_model")) for kind in kinds]
    if model_type == "whisper":
        return _whisper(fields)
    return [_stack(_language_model(fields))]


def _stack(fields: Fields) -> Stack:
    model_type = text(fields, "model_type")
    if model_type == "chatglm":
        fields = _like_glm(fields)
    if model_type == "mpt":
        fields = _flat_mpt(fields)
    return Stack(model_type or "model", {**_DEFAULTS.get(model_type or "", {}), **fields})


def _load(config: Fields | str | Path) -> Fields:
    if isinstance(config, Mapping):
        return config
    if not isinstance(config, str | Path):
        raise ConfigError(
            f"config: expected a config file, its folder or its fields, got {shown(config)}"
        )
    path = Path(config)
    if path.is_dir():
        path /= "config.json"
    try:
        fields = loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"config: {path} is not readable: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"config: {path} is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise ConfigError(f"config: {path}: expected a JSON object, got {type(fields).__name__}")
    return fields


def _language_model(fields: Fields) -> Fields:
    for key in _NESTED:
        if isinstance(fields.get(key), Mapping):
            return _flat(fields, key)
    return fields


def _flat(fields: Fields, key: str) -> Fields:
    """A nested part, and of the whole what the part leaves out or null, often the dtype."""
    shared = {name: value for name, value in fields.items() if not name.endswith("_config")}
    own = section(fields, key)
    unsaid = [name for name in ("dtype", "torch_dtype") if own.get(name) is None]
    return {**shared, **{name: value for name, value in own.items() if name not in unsaid}}


def _encoder(fields: Fields, kind: str, model_type: str) -> Fields:
    """One of two encoders; a file may leave out all that its code knows."""
    return {**_flat(fields, f"{kind}_config"), "model_type": model_type}


def _whisper(fields: Fields) -> list[Stack]:
    """Encoder and decoder, each with the keys that are its own."""
    frames = whole(fields, "max_source_positions") or 1500
    encoder = {
        **_without(fields, "decoder_", "max_target_"),
        "max_source_positions": frames,
        "use_bidirectional_attention": True,
    }
    # `num_hidden_layers` counts the encoder's.
    decoder = {**_without(fields, "encoder_", "max_source_", "num_hidden_"), "is_decoder": True}
    return [Stack("whisper-encoder", encoder), Stack("whisper-decoder", decoder, frames)]


def _without(fields: Fields, *prefixes: str) -> dict[str, Any]:
    other = (*prefixes, "is_encoder_decoder")
    return {key: value for key, value in fields.items() if not key.startswith(other)}


def _like_glm(fields: Fields) -> Fields:
    """ChatGLM2 to GLM-4 by the keys of their own code: half of each head is rotated."""
    return {
        "rms_norm_eps": positive(fields, "layernorm_epsilon") or 1e-05,
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
