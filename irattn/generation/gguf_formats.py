"""Which weights of a GGUF file a model's graphs read in the blocks that the file has."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from irattn.core.weight_formats import WEIGHT_FORMATS, weight_format
from irattn.generation.folder import ModelFolder
from irattn.generation.gguf_model import GgufModel
from irattn.models.families.state_tensor_names import ConvolutionNames, DeltaNames, StateSpaceNames
from irattn.models.families.tensor_names import TensorNames
from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.delta_layer import DeltaLayerSpec
from irattn.specs.experts import Experts
from irattn.specs.latent_sizes import LatentSizes
from irattn.specs.state_space_layer import StateSpaceLayerSpec

# The layers that take weights in blocks.
TakesBlocks: TypeAlias = (
    DecoderLayerSpec | ConvolutionLayerSpec | DeltaLayerSpec | StateSpaceLayerSpec
)
# What gives the formats of a layer's tensors by their names; none where one of them has numbers.
FormatsOf: TypeAlias = Callable[..., list[str]]

# Queries, keys, values and gates of blocks of their own.
_APART = ("qkv_query", "qkv_key", "qkv_value", "qkv_gate")
# What Mamba 2's projection makes.
_OF_STEPS = ("gate", "channels", "steps")
# Layers whose gate is that of their output, and not an MLP's.
_OWN_GATES = (DeltaLayerSpec, StateSpaceLayerSpec)
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
        bare = (f"{before}{_whole(name)}.weight" for name in own)
        return _formats(model, [names.in_files(name, number) for name in bare])

    found = {
        **_of_rows(model, before, layer, formats),
        **_of_own_mlp(names, layer, formats),
    }
    if layer.experts is None:
        return layer.replace(weight_format=found or None)
    of_experts = _of_experts(names, layer.experts, formats)
    experts = replace(layer.experts, weight_format=tuple(of_experts.items()) or None)
    return layer.replace(weight_format=found or None, experts=experts)


def _whole(name: str) -> str:
    """The name of one tensor, which is that of all experts, without its ending."""
    return name.replace(".{expert}", "").removesuffix(".weight")


def _of_own_mlp(names: TensorNames, layer: TakesBlocks, formats: FormatsOf) -> dict[str, str]:
    """The formats of an MLP's weights, where the layer has one."""
    if layer.intermediate_size is None:
        return {}
    if not layer.gated if isinstance(layer, DecoderLayerSpec) else layer.plain_mlp:
        return dict(zip(_UNGATED, formats(names.up, names.down), strict=False))
    apart = None if isinstance(layer, _OWN_GATES) else ("gate", "up")
    return _of_mlp(formats(*names.gate_up, names.down), apart)


def _of_experts(names: TensorNames, experts: Experts, formats: FormatsOf) -> dict[str, str]:
    """The formats of experts' weights, and of what they share; those without gates have none."""
    if experts.is_plain:
        return {}
    of_gate = None if experts.has_bias else ("gate", "up")
    found = _of_mlp(formats(*names.expert_gate_up, names.expert_down), of_gate)
    if not found or not experts.shared_size:
        return found
    shared = _of_mlp(formats(*names.shared_gate_up, names.shared_down), None)
    return {**found, **{f"shared_{name}": one for name, one in shared.items()}}


def _of_rows(
    model: GgufModel,
    before: str,
    layer: TakesBlocks,
    formats: FormatsOf,
) -> dict[str, str]:
    """The formats of the projections around attention, a convolution or a delta rule."""
    names = model.tensors
    if isinstance(layer, DeltaLayerSpec):
        return _of_delta(model, layer, formats)
    if isinstance(layer, StateSpaceLayerSpec):
        steps = names.state_space or StateSpaceNames()
        # One tensor has the rows of three weights.
        into, out = formats(steps.into), formats(steps.output)
        return {**dict.fromkeys(_OF_STEPS if into else (), *into), **_named(out, "output", ())}
    if isinstance(layer, DecoderLayerSpec) and layer.latent:
        return _of_latents(names, layer.latent, formats)
    if isinstance(layer, ConvolutionLayerSpec):
        theirs = names.convolution or ConvolutionNames()
        into, out = formats(theirs.into), formats(theirs.out)
        return {**_named(into, "in", ()), **_named(out, "out", ())}
    qkv, output = formats(*_given(model, before, layer)), formats(names.output)
    # Gates among queries have the rows of one tensor with them.
    gates = qkv[:1] if names.has_gates else []
    return {
        **_named([*qkv, *gates], "qkv", _APART),
        **_named(output, "output", ()),
    }


def _of_latents(names: TensorNames, latent: LatentSizes, formats: FormatsOf) -> dict[str, str]:
    """The formats of the projections into latents and out of heads."""
    weights = {"query": names.query, "latent": names.latent, "output": names.output}
    if latent.q_lora_rank is not None:
        weights["query_down"] = names.query_down
    found: dict[str, str] = {}
    for ours, theirs in weights.items():
        found |= _named(formats(theirs), ours, ())
    return found


def _of_delta(model: GgufModel, layer: DeltaLayerSpec, formats: FormatsOf) -> dict[str, str]:
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
