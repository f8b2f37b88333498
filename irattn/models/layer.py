"""Layers: the models that `decoder_layer` fits, and how each fills it in."""

from dataclasses import dataclass
from typing import Any

from irattn.errors import ConfigError
from irattn.models.mlp import mlp_fields
from irattn.models.rope import rope_fields
from irattn.models.values import Fields, positive, whole
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.paged_attention import PagedAttentionSpec


@dataclass(frozen=True)
class LayerStyle:
    """What a model's code says of its layers. Biases are fixed, or a key says whether they are."""

    qkv_bias: str | bool = False
    output_bias: str | bool = False
    qk_norm: bool = False
    post_norm: bool = False
    norm_offset: float = 0.0
    rope_style: str = "rotate_half"


_BIAS: dict[str, Any] = {"qkv_bias": "attention_bias", "output_bias": "attention_bias"}

# Models of RMSNorm, attention, residual, one after the other, with rotary positions.
STYLES = {
    "chatglm": LayerStyle(
        qkv_bias="add_qkv_bias", output_bias="add_bias_linear", rope_style="interleaved"
    ),
    "gemma": LayerStyle(**_BIAS, norm_offset=1.0),
    "gemma2": LayerStyle(**_BIAS, norm_offset=1.0, post_norm=True),
    "gemma3_text": LayerStyle(**_BIAS, norm_offset=1.0, post_norm=True, qk_norm=True),
    "glm": LayerStyle(qkv_bias="attention_bias", rope_style="interleaved"),
    "glm4": LayerStyle(qkv_bias="attention_bias", rope_style="interleaved", post_norm=True),
    "gpt_oss": LayerStyle(**_BIAS),
    "llama": LayerStyle(**_BIAS),
    "mistral": LayerStyle(),
    "mixtral": LayerStyle(),
    "phi3": LayerStyle(),
    "qwen2": LayerStyle(qkv_bias=True),
    "qwen2_moe": LayerStyle(qkv_bias=True),
    "qwen3": LayerStyle(**_BIAS, qk_norm=True),
    "qwen3_moe": LayerStyle(**_BIAS, qk_norm=True),
}

# What files call the most tokens that a model has positions for.
POSITIONS = (
    *("max_position_embeddings", "n_positions", "seq_length"),
    *("max_target_positions", "max_source_positions"),
)


def layer_of(attention: PagedAttentionSpec, fields: Fields, kind: str) -> DecoderLayerSpec:
    """The layer around an attention, of a model that gets layers."""
    style = STYLES[fields["model_type"]]
    size = whole(fields, "hidden_size")
    if size is None:
        raise ConfigError("hidden_size: missing")
    context = min(attention.max_context, whole(fields, *POSITIONS) or attention.max_context)
    return DecoderLayerSpec(
        attention=attention,
        hidden_size=size,
        max_positions=context,
        rope_style=style.rope_style,
        norm_eps=positive(fields, "rms_norm_eps") or 1e-6,
        norm_offset=style.norm_offset,
        qk_norm=style.qk_norm,
        qkv_bias=_flag(fields, style.qkv_bias),
        output_bias=_flag(fields, style.output_bias),
        post_norm=style.post_norm,
        **mlp_fields(fields),
        **rope_fields(fields, kind, attention.head_dim, context),
    )


def _flag(fields: Fields, value: str | bool) -> bool:
    return value if isinstance(value, bool) else bool(fields.get(value))
