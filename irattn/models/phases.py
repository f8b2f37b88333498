"""The specs of a stack of layers: one for each phase of its work and each kind of layer."""

from collections.abc import Sequence
from typing import Any

from irattn.core.errors import ConfigError
from irattn.models.attention import attention_fields, has_sinks, is_causal
from irattn.models.config import Stack
from irattn.models.convolution import convolution_layer_of
from irattn.models.delta import delta_layer_of
from irattn.models.families import LayerStyle
from irattn.models.kinds import (
    CONVOLUTION,
    LIGHTNING,
    LINEAR,
    SCAN,
    STATE_SPACE,
    LayerKind,
    chunk_note,
    layer_kinds,
)
from irattn.models.latent import absorbed, latent_of
from irattn.models.layer import layer_of
from irattn.models.lengths import AskedSizes, Lengths, with_cache, without_cache
from irattn.models.lightning import lightning_layer_of
from irattn.models.mlp import half_because
from irattn.models.model import AttentionOrLayer, Part
from irattn.models.own_heads import own_heads
from irattn.models.quantised import quantised_weights
from irattn.models.quantised_layers import Layer, with_quantised_weights
from irattn.models.selective_scan import selective_scan_layer_of
from irattn.models.state_space import state_space_layer_of
from irattn.models.structure import attention_only
from irattn.models.values import Fields, whole
from irattn.specs.attention import AttentionSpec
from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.specs.paged_attention import PagedAttentionSpec

# What makes the layers of a kind that has states.
_STATE_LAYERS = {
    LINEAR: delta_layer_of,
    CONVOLUTION: convolution_layer_of,
    STATE_SPACE: state_space_layer_of,
    LIGHTNING: lightning_layer_of,
    SCAN: selective_scan_layer_of,
}


def parts_of(stack: Stack, asked: AskedSizes, bidirectional: bool) -> tuple[list[Part], list[str]]:
    """The parts of a stack, phase after phase, and notes, as why no whole layer is among them."""
    fields, family = stack.fields, stack.family
    of_all = {"batch": asked.batch, **attention_fields(fields, family)}
    causal = not bidirectional and is_causal(fields, family)
    cached = causal and family.cached
    if cached:
        lengths = with_cache(fields, asked)
    else:
        lengths = without_cache(fields, asked, causal, family.extra_tokens)
    _refuse_chosen_keys(fields, lengths)
    no_layer = attention_only(fields, family, cached)
    style = family.style_of(fields) if no_layer is None else None
    phases_of: list[tuple[LayerKind, dict[str, AttentionOrLayer]]] = []
    kinds = layer_kinds(fields, causal, style)
    for kind in kinds:
        shared = {**of_all, **own_heads(fields, kind), "sinks": has_sinks(family, kind)}
        phases: dict[str, AttentionOrLayer] = {}
        if kind.name in _STATE_LAYERS:
            phases |= _state_phases(stack, kind, shared, lengths, style)
        elif cached:
            phases |= _decoder_phases(stack, kind, shared, lengths, style)
        else:
            phases["encode"] = _attention(kind, shared, lengths, causal)
        phases_of.append((kind, phases))
    notes = [no_layer, _half_note(fields, style, kinds), chunk_note(kinds)]
    return [
        Part(stack.name, kind.label, phase, phases[phase], kind.layers)
        for phase in dict.fromkeys(phase for _, phases in phases_of for phase in phases)
        for kind, phases in phases_of
        if phase in phases
    ], [note for note in notes if note]


def _half_note(fields: Fields, style: LayerStyle | None, kinds: Sequence[LayerKind]) -> str | None:
    """The note that layers are halves, where they are not so in the model itself."""
    whole_ones = [kind for kind in kinds if not kind.own.is_missing]
    return half_because(fields, style, whole_ones[0]) if style and whole_ones else None


def _refuse_chosen_keys(fields: Fields, lengths: Lengths) -> None:
    """ConfigError for contexts of which a query of DeepSeek 3.2 sees only some keys."""
    most, longest = whole(fields, "index_topk"), max(lengths.context, lengths.kv_len)
    if most is not None and longest > most:
        raise ConfigError(
            f"index_topk: in contexts of more than {most} tokens queries see the {most} keys that "
            "an indexer chooses, which irattn does not have; expected contexts of at most "
            f"{most} tokens (kv_len, of generate context), got {longest}"
        )


def _decoder_phases(
    stack: Stack,
    kind: LayerKind,
    shared: dict[str, Any],
    lengths: Lengths,
    style: LayerStyle | None,
) -> dict[str, AttentionOrLayer]:
    latent = latent_of(stack.fields, stack.family)
    of_cache = absorbed(shared, latent)
    decode = _paged(kind, of_cache, lengths, 1, lengths.context)
    phases: dict[str, AttentionOrLayer] = {
        "prefill": _attention(kind, shared, lengths, True),
        "paged_decode": decode,
    }
    if encoded := stack.encoded:
        cross = AttentionSpec(q_len=lengths.q_len, kv_len=encoded, **shared)
        phases |= {"cross_prefill": cross, "cross_decode": cross.replace(q_len=1)}
    if style:
        prefill = _paged(kind, of_cache, lengths, lengths.q_len, lengths.kv_len)
        given = (stack.fields, style, kind, latent)
        layers = {
            "layer_prefill": layer_of(prefill, *given, lengths.in_blocks(lengths.kv_len)),
            "layer_decode": layer_of(decode, *given, lengths.in_blocks(lengths.context)),
        }
        phases |= {phase: _quantised(stack, kind, layer) for phase, layer in layers.items()}
    return phases


def _quantised(stack: Stack, kind: LayerKind, layer: Layer) -> Layer:
    """The layer with the weights that its config says, those of the first layer of its kind."""
    weights, names = quantised_weights(stack.fields), stack.family.tensors_of(stack.fields)
    if weights is None or weights.misfit or names is None or layer.mlp is None:
        return layer
    return with_quantised_weights(layer, weights, names, (kind.layers or (0,))[0])


def _state_phases(
    stack: Stack,
    kind: LayerKind,
    shared: dict[str, Any],
    lengths: Lengths,
    style: LayerStyle | None,
) -> dict[str, AttentionOrLayer]:
    """The phases of layers with states, which have no attention of their own."""
    if style is None:
        return {}
    batch, io_dtype = shared["batch"], shared["io_dtype"]
    tokens = {"layer_prefill": batch * lengths.q_len, "layer_decode": batch}
    phases: dict[str, AttentionOrLayer] = {}
    for phase, count in tokens.items():
        layer = _STATE_LAYERS[kind.name](stack.fields, style, kind, batch, count, io_dtype)
        phases[phase] = layer
        if isinstance(layer, ConvolutionLayerSpec):
            phases[phase] = _quantised(stack, kind, layer)
    return phases


def _attention(
    kind: LayerKind, shared: dict[str, Any], lengths: Lengths, causal: bool
) -> AttentionSpec:
    return AttentionSpec(
        q_len=kind.tokens_within(lengths.q_len),
        kv_len=kind.tokens_within(lengths.kv_len),
        causal=causal,
        window=kind.window_within(max(lengths.q_len, lengths.kv_len)),
        **shared,
    )


def _paged(
    kind: LayerKind, shared: dict[str, Any], lengths: Lengths, q_len: int, context: int
) -> PagedAttentionSpec:
    blocks = -(-kind.tokens_within(context) // lengths.block_size)
    return PagedAttentionSpec(
        q_len=kind.tokens_within(q_len),
        block_size=lengths.block_size,
        num_blocks=lengths.num_blocks or shared["batch"] * blocks,
        max_blocks=blocks,
        window=kind.window_within(blocks * lengths.block_size),
        **shared,
    )
