"""Layers: how a model that `decoder_layer` fits fills it in."""

from irattn.core.errors import ConfigError
from irattn.models.families import LayerStyle
from irattn.models.mlp import mlp_fields
from irattn.models.names import POSITIONS
from irattn.models.rope import rope_fields
from irattn.models.values import Fields, flag, positive, whole
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.paged_attention import PagedAttentionSpec


def layer_of(
    attention: PagedAttentionSpec, fields: Fields, style: LayerStyle, kind: str
) -> DecoderLayerSpec:
    """The layer around an attention, of a model that gets layers."""
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
        qkv_bias=flag(fields, style.qkv_bias),
        output_bias=flag(fields, style.output_bias),
        post_norm=style.post_norm,
        **mlp_fields(fields, style),
        **rope_fields(fields, kind, attention.head_dim, context),
    )
