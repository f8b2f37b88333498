"""Layers: how a model that `decoder_layer` fits fills it in."""

from typing import Any

from irattn.core.errors import ConfigError
from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind
from irattn.models.mlp import mlp_fields
from irattn.models.names import HIDDEN, NORM_EPS, POSITIONS
from irattn.models.rope import rope_fields, temperature_fields
from irattn.models.values import Fields, flag, missing, positive, positive_or_off, whole
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.latent_sizes import LatentSizes
from irattn.specs.paged_attention import PagedAttentionSpec


def layer_of(
    attention: PagedAttentionSpec,
    fields: Fields,
    style: LayerStyle,
    kind: LayerKind,
    latent: LatentSizes | None,
    tokens: int,
) -> DecoderLayerSpec:
    """The layer around an attention, of a model that gets layers and sequences of `tokens`."""
    size = whole(fields, *HIDDEN)
    if size is None:
        raise missing("hidden_size")
    context = min(tokens, whole(fields, *POSITIONS) or tokens)
    has_qk_norm = flag(fields, style.qk_norm) and (kind.rotates or not style.norms_rotated_alone)
    return DecoderLayerSpec(
        # Narrow values get zeros: generation/value_parameters.py.
        attention=attention if latent else attention.replace(value_dim=None),
        hidden_size=size,
        max_positions=context,
        norm_kind=style.norm_kind,
        norm_eps=positive(fields, *NORM_EPS) or 1e-6,
        norm_offset=style.norm_offset,
        norm_bias=style.norm_bias,
        pre_norm=style.pre_norm,
        qk_norm=has_qk_norm,
        joint_qk_norm=style.joint_qk_norm,
        qk_norm_weights=style.qk_norm_weights or not has_qk_norm,
        norms_after_rope=style.norms_after_rope,
        layer_qk_norm=style.layer_qk_norm and has_qk_norm,
        value_norm=style.value_norm and kind.source is None,
        shares_kv=kind.source is not None,
        output_gate=style.output_gate,
        softplus_gate=style.softplus_gate,
        reads_embedded=style.reads_embedded,
        subtracts_heads=style.subtracts_heads,
        scales_output=style.scales_output,
        qkv_bias=flag(fields, style.qkv_bias),
        output_bias=flag(fields, style.output_bias),
        post_norm=style.post_norm,
        norms_residual=style.norms_residual,
        **mlp_fields(fields, style, kind),
        residual_scale=(style.residual_scale and positive(fields, style.residual_scale)) or 1.0,
        **temperature_fields(fields, kind.rotates),
        latent=latent,
        qkv_clip=None if latent else positive_or_off(fields, "clip_qkv"),
        **_rotation(attention, fields, style, kind, latent, context),
    )


def _rotation(
    attention: PagedAttentionSpec,
    fields: Fields,
    style: LayerStyle,
    kind: LayerKind,
    latent: LatentSizes | None,
    context: int,
) -> dict[str, Any]:
    if not (kind.rotates and style.rotates):
        return {"use_rope": False}
    head_dim = attention.head_dim
    if latent:
        head_dim = whole(fields, "head_dim") or latent.rope_dim
    rope = rope_fields(fields, style, kind, head_dim, context)
    if latent:
        _check_rotated(rope.pop("rotary_dim") or head_dim, latent)
    return {"rope_style": style.rope_style, **rope}


def _check_rotated(columns: int, latent: LatentSizes) -> None:
    """ConfigError where other columns are rotated than those that latents have for it."""
    if columns != latent.rope_dim:
        raise ConfigError(
            f"partial_rotary_factor: expected as many rotated columns as qk_rope_head_dim = "
            f"{latent.rope_dim}, got {columns}"
        )
