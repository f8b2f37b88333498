"""The specs of a stack of layers: one for each phase of its work and each kind of layer."""

from typing import Any

from irattn.models.attention import attention_fields, is_causal
from irattn.models.config import Stack
from irattn.models.families import LayerStyle
from irattn.models.kinds import LayerKind, layer_kinds
from irattn.models.layer import layer_of
from irattn.models.lengths import AskedSizes, Lengths, with_cache, without_cache
from irattn.models.mlp import half_because
from irattn.models.model import AttentionOrLayer, Part
from irattn.models.structure import attention_only
from irattn.specs.attention import AttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec


def parts_of(stack: Stack, asked: AskedSizes, bidirectional: bool) -> tuple[list[Part], str | None]:
    """The parts of a stack, phase after phase, and why no or no whole layer is among them."""
    fields, family = stack.fields, stack.family
    shared = {"batch": asked.batch, **attention_fields(fields, family)}
    causal = not bidirectional and is_causal(fields, family)
    cached = causal and family.cached
    if cached:
        lengths = with_cache(fields, asked)
    else:
        lengths = without_cache(fields, asked, causal, family.extra_tokens)
    no_layer = attention_only(fields, family, cached)
    style = family.style_of(fields) if no_layer is None else None
    phases_of: list[tuple[LayerKind, dict[str, AttentionOrLayer]]] = []
    for kind in layer_kinds(fields, causal, style):
        phases: dict[str, AttentionOrLayer] = {}
        if cached:
            phases |= _decoder_phases(stack, kind, shared, lengths, style)
        else:
            phases["encode"] = _attention(kind, shared, lengths, causal)
        phases_of.append((kind, phases))
    return [
        Part(stack.name, kind.label, phase, phases[phase], kind.layers)
        for phase in phases_of[0][1]
        for kind, phases in phases_of
    ], no_layer or (half_because(fields, style) if style else None)


def _decoder_phases(
    stack: Stack,
    kind: LayerKind,
    shared: dict[str, Any],
    lengths: Lengths,
    style: LayerStyle | None,
) -> dict[str, AttentionOrLayer]:
    decode = _paged(kind, shared, lengths, 1, lengths.context)
    phases: dict[str, AttentionOrLayer] = {
        "prefill": _attention(kind, shared, lengths, True),
        "paged_decode": decode,
    }
    if encoded := stack.encoded:
        cross = AttentionSpec(q_len=lengths.q_len, kv_len=encoded, **shared)
        phases |= {"cross_prefill": cross, "cross_decode": cross.replace(q_len=1)}
    if style:
        prefill = _paged(kind, shared, lengths, lengths.q_len, lengths.kv_len)
        phases |= {
            "layer_prefill": layer_of(prefill, stack.fields, style, kind),
            "layer_decode": layer_of(decode, stack.fields, style, kind),
        }
    return phases


def _attention(
    kind: LayerKind, shared: dict[str, Any], lengths: Lengths, causal: bool
) -> AttentionSpec:
    return AttentionSpec(
        q_len=lengths.q_len,
        kv_len=lengths.kv_len,
        causal=causal,
        window=kind.window_within(max(lengths.q_len, lengths.kv_len)),
        **shared,
    )


def _paged(
    kind: LayerKind, shared: dict[str, Any], lengths: Lengths, q_len: int, context: int
) -> PagedAttentionSpec:
    blocks = -(-context // lengths.block_size)
    return PagedAttentionSpec(
        q_len=q_len,
        block_size=lengths.block_size,
        num_blocks=lengths.num_blocks or shared["batch"] * blocks,
        max_blocks=blocks,
        window=kind.window_within(blocks * lengths.block_size),
        **shared,
    )
