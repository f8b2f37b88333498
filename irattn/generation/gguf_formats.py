"""Which weights of a GGUF file a model's graphs read in the blocks that the file has."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from irattn.core.weight_formats import WEIGHT_FORMATS, weight_format
from irattn.generation.folder import ModelFolder
from irattn.generation.gguf_model import GgufModel
from irattn.models.families.tensor_names import ConvolutionNames, DeltaNames
from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.delta_layer import DeltaLayerSpec

# The layers that take weights in blocks.
TakesBlocks: TypeAlias = DecoderLayerSpec | ConvolutionLayerSpec | DeltaLayerSpec

# Queries, keys and values of blocks of their own; gates among queries are never apart.
_APART = ("qkv_query", "qkv_key", "qkv_value")
# The weights of an MLP without a gate.
_UNGATED = ("up", "down")


def with_formats(model: ModelFolder, number: int, layer: TakesBlocks) -> TakesBlocks:
    """The layer, with the formats that its weights have in the file.

    Tensors of one format are one weight, the rows of one below those of the other. Queries, keys
    and values have blocks together or not at all, and so have an MLP and experts.
    """
    if not isinstance(model, GgufModel) or model.widens:
        return layer
    names, before = model.tensors, model.tensors.before(number)

    def formats(*own: str) -> list[str]:
        # Of all experts there is one tensor.
        bare = (f"{before}{name.replace('.{expert}', '')}.weight" for name in own)
        return _formats(model, [names.in_files(name, number) for name in bare])

    has_latent = isinstance(layer, DecoderLayerSpec) and layer.latent is not None
    # Nothing but experts takes blocks beside latents.
    found = {} if has_latent else _of_rows(model, before, layer, formats)
    if isinstance(layer, DecoderLayerSpec) and not layer.gated:
        both = formats(names.up, names.down)
        ours = {**found, **dict(zip(_UNGATED, both, strict=False))}
        return layer.replace(weight_format=ours or None)
    if layer.experts is None:
        if not has_latent:
            # The gate of a delta net is that of its output.
            apart = None if isinstance(layer, DeltaLayerSpec) else ("gate", "up")
            found |= _of_mlp(formats(*names.gate_up, names.down), apart)
        return layer.replace(weight_format=found or None)
    of_gate = None if layer.experts.has_bias else ("gate", "up")
    of_experts = _of_mlp(formats(*names.expert_gate_up, names.expert_down), of_gate)
    if of_experts and layer.experts.shared_size:
        shared = _of_mlp(formats(*names.shared_gate_up, names.shared_down), None)
        of_experts |= {f"shared_{name}": one for name, one in shared.items()}
    experts = replace(layer.experts, weight_format=tuple(of_experts.items()) or None)
    return layer.replace(weight_format=found or None, experts=experts)


def _of_rows(
    model: GgufModel,
    before: str,
    layer: TakesBlocks,
    formats: Callable[..., list[str]],
) -> dict[str, str]:
    """The formats of the projections around attention, a convolution or a delta rule."""
    names = model.tensors
    if isinstance(layer, DeltaLayerSpec):
        return _of_delta(model, layer, formats)
    if isinstance(layer, ConvolutionLayerSpec):
        theirs = names.convolution or ConvolutionNames()
        into, out = formats(theirs.into), formats(theirs.out)
        return {**_named(into, "in", ()), **_named(out, "out", ())}
    qkv, output = formats(*_given(model, before, layer)), formats(names.output)
    return {
        **_named(qkv, "qkv", () if names.has_gates else _APART),
        **_named(output, "output", ()),
    }


def _of_delta(
    model: GgufModel, layer: DeltaLayerSpec, formats: Callable[..., list[str]]
) -> dict[str, str]:
    """The formats of a delta net's weights, but of blocks that columns of two heads share."""
    theirs = model.tensors.delta or DeltaNames()
    weights = {"qkv": theirs.qkv, "gate": theirs.gate, "rates": theirs.rates}
    found: dict[str, str] = {}
    for ours, names in weights.items():
        found |= _named(formats(*names), ours, ())
    output = _named(formats(theirs.output), "output", ())
    is_whole = all(not layer.value_dim % weight_format(one).elements for one in output.values())
    return found | output if is_whole or not model.tiles_heads else found


def _given(model: GgufModel, before: str, layer: DecoderLayerSpec) -> tuple[str, ...]:
    """The names of queries, keys and values that a layer has weights of."""
    names = model.tensors.qkv
    if layer.shares_kv:
        return names[:1]
    has_values = f"{before}{names[-1]}.weight" in model.gguf.tensors
    return names if has_values or not model.tensors.values_are_keys else names[:2]


def _of_mlp(formats: Sequence[str], apart: Sequence[str] | None) -> dict[str, str]:
    """The formats of gate, up and down; none where gate and up differ and cannot be apart."""
    if apart is None and len({*formats[:-1]}) > 1:
        return {}
    return {
        **_named(formats[:-1], "gate_up", apart or ()),
        **_named(formats[-1:], "down", ()),
    }


def _named(formats: Sequence[str], together: str, apart: Sequence[str]) -> dict[str, str]:
    """Formats by the name of one weight of all, or by those of one weight each."""
    if len({*formats}) == 1:
        return {together: formats[0]}
    return dict(zip(apart, formats, strict=False))


def format_of_table(model: ModelFolder, *, of_head: bool) -> str | None:
    """The format of the embedding, or of the head's weight, which may be the same."""
    if not isinstance(model, GgufModel) or model.widens:
        return None
    is_own = of_head and not model.shares_embedding
    name = model.tensors.head if is_own else model.tensors.embedding
    return next(iter(_formats(model, [f"{name}.weight"])), None)


def _formats(model: GgufModel, names: Sequence[str]) -> list[str]:
    """The format of each tensor; none where one of them has numbers, or blocks of another type."""
    tensors = [model.gguf.tensors.get(name) for name in names]
    formats = [tensor.type.lower() if tensor else "" for tensor in tensors]
    return formats if all(one in WEIGHT_FORMATS for one in formats) else []
