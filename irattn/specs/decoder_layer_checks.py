"""The checks of a decoder layer, which store each field in one form."""

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import real, whole
from irattn.specs.activation_formats import check_activation_format
from irattn.specs.base import check_flag, check_positive
from irattn.specs.block_cache import check_block_rows
from irattn.specs.decoder_layer_fields import DecoderLayerFields
from irattn.specs.decoder_layer_parts import QKV_WEIGHTS, DecoderLayerParts
from irattn.specs.experts import stored_experts
from irattn.specs.latent_projection import LATENT_WEIGHTS
from irattn.specs.latent_sizes import stored_latent
from irattn.specs.layer_attention import stored_attention
from irattn.specs.layer_input import stored_layer_input
from irattn.specs.layer_streams import stored_streams
from irattn.specs.row_norm import check_eps, check_offset
from irattn.specs.weight_formats import MLP_WEIGHTS, check_formats_of_layer, stored_some

NORM_KINDS = ("rms", "layer")
PARALLEL_MLPS = ("own_norm", "shared_norm")

_FLAGS = (
    *("use_rope", "qk_norm", "joint_qk_norm", "qkv_bias", "output_bias", "pre_norm", "post_norm"),
    *(
        "norm_bias",
        "scales_output",
        "gated",
        "mlp_bias",
        "qk_norm_weights",
        "norms_after_rope",
        "value_norm",
        "shares_kv",
        "output_gate",
        "mlp_post_norm",
        "softplus_gate",
        "layer_qk_norm",
        "norms_residual",
        "reads_embedded",
        "subtracts_heads",
    ),
)
_QKV = ("qkv", *QKV_WEIGHTS)
_OF_MLPS = ("activation", "gated", "mlp_bias", "sparsity")
# What experts beside an MLP need.
_BESIDE = {
    **{"norm_kind": "rms", "pre_norm": True, "post_norm": True, "parallel_mlp": None},
    "norms_residual": False,
}
# What a learned residual needs, and what goes by no streams.
_BESIDE_LAUREL = {"norm_kind": "rms", "parallel_mlp": None, "residual_scale": 1.0}
# What layers that read the embedding need.
_BESIDE_EMBEDDED = {
    **{"norm_kind": "rms", "pre_norm": True, "post_norm": False, "mlp_post_norm": False},
    **{"parallel_mlp": None, "latent": None, "layer_input": None, "laurel_rank": None},
    "streams": None,
}
_NOT_OF_STREAMS = ("parallel_mlp", "scales_output", "experts")
_NOT_OF_LATENTS = (
    *("rotary_dim", "qk_norm", "value_norm", "shares_kv", "output_gate", "qkv_bias"),
    *("qkv_clip", "subtracts_heads"),
)
# Residuals without norms.
_OF_PLAIN_RESIDUALS = ("parallel_mlp", "layer_input", "laurel_rank", "streams")
_SCALE_WORDS = "a number from 1e-6 to 1e6"
_TEMPERATURE_WORDS = "a number from 1e-6 to 1000"


def check_decoder_layer(layer: DecoderLayerParts) -> None:
    """Check all fields of a decoder layer, and store each in one form."""
    object.__setattr__(layer, "latent", stored_latent(layer.latent))
    object.__setattr__(layer, "experts", stored_experts(layer.experts))
    object.__setattr__(layer, "layer_input", stored_layer_input(layer.layer_input))
    object.__setattr__(layer, "streams", stored_streams(layer.streams))
    object.__setattr__(layer, "attention", stored_attention(layer.attention, layer.latent))
    weights = (*(LATENT_WEIGHTS if layer.latent else _QKV), "output", *MLP_WEIGHTS)
    object.__setattr__(layer, "weight_format", stored_some(layer.weight_format, weights))
    check_positive(layer, "hidden_size", "max_positions")
    for flag in _FLAGS:
        check_flag(flag, getattr(layer, flag))
    check_eps(layer, "norm_eps")
    check_offset(layer, "norm_offset")
    _check_norms(layer)
    _check_latent(layer)
    _check_subtracted(layer)
    _check_temperature(layer)
    if layer.qkv_clip is not None:
        clip = real("qkv_clip", layer.qkv_clip, 1e-6, 1e6, expected=_SCALE_WORDS)
        object.__setattr__(layer, "qkv_clip", clip)
    scale = real("residual_scale", layer.residual_scale, 1e-6, 1e6, expected=_SCALE_WORDS)
    object.__setattr__(layer, "residual_scale", scale)
    # The parts check what is theirs, and store it in one form.
    if layer.use_rope:
        rope = layer.rope
        for name in ("rotary_dim", "theta", "scaling"):
            object.__setattr__(layer, name, getattr(rope, name))
    else:
        _store_defaults(
            layer, *("use_rope", "rope_style", "rotary_dim", "theta", "scaling", "norms_after_rope")
        )
    # Made to be checked.
    if layer.mlp is None:
        _store_defaults(
            layer,
            *("intermediate_size", "activation", "gated", "mlp_bias", "parallel_mlp"),
            *("layer_input", "sparsity", "laurel_rank", "mlp_post_norm", "reads_embedded"),
        )
    _check_layer_input(layer)
    _check_laurel(layer)
    _check_streams(layer)
    _check_embedded(layer)
    _check_experts(layer)
    check_block_rows(layer.cached_attention)
    _check_weights(layer)


def _check_experts(layer: DecoderLayerParts) -> None:
    """Refuse fields of an MLP that is not there, and experts beside one that go another way."""
    if layer.experts is None:
        return
    is_beside = layer.intermediate_size is not None
    for name in () if is_beside else _OF_MLPS:
        if getattr(layer, name) != getattr(DecoderLayerFields, name):
            raise SpecError(f"{name}: experts have their own; leave it out")
    if layer.experts.has_router_input != is_beside:
        raise SpecError(
            "experts.has_router_input: experts beside an MLP have it, and no others; give "
            "intermediate_size with it"
        )
    for name, needed in _BESIDE.items() if is_beside else ():
        if getattr(layer, name) != needed:
            raise SpecError(f"{name}: with experts beside an MLP it is {shown(needed)}")


def _check_weights(layer: DecoderLayerParts) -> None:
    """Parts have the formats of their weights, and check them."""
    check_activation_format(layer)
    if layer.weight_format is None:
        return
    _ = layer.first_projection, layer.projection
    check_formats_of_layer(
        layer.weight_format,
        f"{', '.join(LATENT_WEIGHTS) if layer.latent else 'qkv'} and output",
        has_mlp=layer.intermediate_size is not None,
        has_experts=layer.experts is not None,
    )


def _check_norms(layer: DecoderLayerParts) -> None:
    if layer.norm_kind not in NORM_KINDS:
        raise SpecError(
            f"norm_kind: expected {' or '.join(NORM_KINDS)}, got {shown(layer.norm_kind)}"
        )
    if layer.norm_kind == "rms":
        _store_defaults(layer, "norm_kind layer", "norm_bias")
    if not layer.output_gate:
        _store_defaults(layer, "output_gate", "softplus_gate")
    if not layer.qk_norm:
        _store_defaults(
            layer,
            *("qk_norm", "joint_qk_norm", "qk_norm_weights", "norms_after_rope", "layer_qk_norm"),
        )
    for flag in ("joint_qk_norm", "layer_qk_norm"):
        if getattr(layer, flag) and not layer.qk_norm_weights:
            raise SpecError(f"qk_norm_weights: {flag} has weights; leave it out")
    if layer.shares_kv and layer.value_norm:
        raise SpecError("value_norm: with shares_kv there are no new values; leave it out")
    if not layer.post_norm:
        _store_defaults(layer, "post_norm", "norms_residual")
    for name in _OF_PLAIN_RESIDUALS if layer.norms_residual else ():
        if getattr(layer, name) is not None:
            raise SpecError(f"{name}: layers with norms_residual have none; leave it out")
    if layer.post_norm and layer.mlp_post_norm:
        raise SpecError("mlp_post_norm: layers with post_norm have it; leave it out")
    if layer.parallel_mlp not in (None, *PARALLEL_MLPS):
        raise SpecError(
            f"parallel_mlp: expected {' or '.join(PARALLEL_MLPS)} or none, got "
            f"{shown(layer.parallel_mlp)}"
        )
    if layer.parallel_mlp == "own_norm" and not layer.pre_norm:
        raise SpecError("parallel_mlp: own_norm needs pre_norm; give shared_norm")


def _check_latent(layer: DecoderLayerParts) -> None:
    for name in _NOT_OF_LATENTS if layer.latent else ():
        if getattr(layer, name) != getattr(DecoderLayerFields, name):
            raise SpecError(f"{name}: layers with latent have no such thing; leave it out")


def _check_subtracted(layer: DecoderLayerParts) -> None:
    if not layer.subtracts_heads:
        return
    if layer.attention.num_q_heads % 2:
        raise SpecError(
            f"num_q_heads: expected an even number with subtracts_heads, as heads of the second "
            f"half are subtracted from those of the first, got {layer.attention.num_q_heads}"
        )
    if layer.output_gate:
        raise SpecError("output_gate: layers with subtracts_heads have none; leave it out")


def _check_layer_input(layer: DecoderLayerParts) -> None:
    if layer.layer_input and layer.norm_kind != "rms":
        raise SpecError("norm_kind: with layer_input it is rms; leave it out")
    if layer.layer_input and layer.residual_scale != 1:
        raise SpecError("residual_scale: layers with layer_input have none; leave it out")
    # Made to be checked.
    _ = layer.layer_input_parts and layer.layer_input_parts.parameters


def _check_laurel(layer: DecoderLayerParts) -> None:
    if layer.laurel_rank is None:
        return
    check_positive(layer, "laurel_rank")
    for name, needed in _BESIDE_LAUREL.items():
        if getattr(layer, name) != needed:
            raise SpecError(f"{name}: with laurel_rank it is {shown(needed)}")


def _check_streams(layer: DecoderLayerParts) -> None:
    if layer.streams is None:
        return
    if layer.layer_input is None:
        raise SpecError("layer_input: missing; layers with streams have one")
    for name in _NOT_OF_STREAMS:
        if getattr(layer, name) != getattr(DecoderLayerFields, name):
            raise SpecError(f"{name}: layers with streams have no such thing; leave it out")


def _check_embedded(layer: DecoderLayerParts) -> None:
    """Refuse what stands between attention and MLP otherwise."""
    for name, needed in _BESIDE_EMBEDDED.items() if layer.reads_embedded else ():
        if getattr(layer, name) != needed:
            raise SpecError(f"{name}: with reads_embedded it is {shown(needed)}")


def _check_temperature(layer: DecoderLayerParts) -> None:
    whole("temperature_offset", layer.temperature_offset, least=0, error=SpecError)
    if layer.temperature is None:
        _store_defaults(layer, "temperature", "temperature_tokens", "temperature_offset")
        return
    if layer.temperature_tokens is None:
        raise SpecError("temperature_tokens: missing; temperature counts in so many tokens")
    check_positive(layer, "temperature_tokens")
    scale = real("temperature", layer.temperature, 1e-6, 1e3, expected=_TEMPERATURE_WORDS)
    object.__setattr__(layer, "temperature", scale)


def _store_defaults(layer: DecoderLayerFields, without: str, *names: str) -> None:
    """Refuse fields that have no effect where a part is not there."""
    for name in names:
        default = getattr(DecoderLayerFields, name)
        if getattr(layer, name) != default:
            raise SpecError(f"{name}: has no effect without {without}; leave it out")
        # Equal numbers can be different text.
        object.__setattr__(layer, name, default)
