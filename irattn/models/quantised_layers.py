"""Layers whose weights are quantised as a config says it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from irattn.core.weight_formats import weight_format
from irattn.models.families import TensorNames
from irattn.models.families.state_tensor_names import ConvolutionNames
from irattn.models.quantised import QuantisedWeights
from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.experts import Experts

Layer: TypeAlias = DecoderLayerSpec | ConvolutionLayerSpec


@dataclass(frozen=True)
class _Layer:
    """The request for the quantised weights of one layer, whose parts' names begin so."""

    quantised: QuantisedWeights
    before: str

    def takes(self, parts: Sequence[str], *columns: int) -> bool:
        """Whether all parts are quantised, and a graph takes rows of so many columns."""
        elements = weight_format(self.quantised.format).elements
        has_all = all(self.quantised.has(f"{self.before}{part}") for part in parts)
        return has_all and not any(count % elements for count in columns)

    def are_one(self, *rows: int) -> bool:
        """Whether weights of so many rows, one below the other, share no scale."""
        scaled = weight_format(self.quantised.format).scaled
        return scaled is None or not any(count % scaled[0] for count in rows)

    def named(self, *names: str) -> dict[str, str]:
        """The format of weights of those names."""
        return dict.fromkeys(names, self.quantised.format)


def with_quantised_weights(
    layer: Layer, quantised: QuantisedWeights, names: TensorNames, number: int
) -> Layer:
    """The layer of that number, with the formats of the weights that are quantised.

    What the graph has no quantised form of stays in the layer's type: all but experts in layers
    with latents, and rows that stand in another order in the files.
    """
    one = _Layer(quantised, f"{names.bases[0]}{names.layer.format(number=number)}")
    formats: dict[str, str] = {}
    if quantised.format == "mxfp4" or names.are_turned:
        pass
    elif isinstance(layer, ConvolutionLayerSpec):
        formats = _of_convolution(one, layer, names) | _of_mlp(one, layer, names)
    elif layer.latent is None:
        formats = _of_attention(one, layer, names) | _of_mlp(one, layer, names)
    experts = layer.experts and replace(
        layer.experts,
        weight_format=tuple(_of_experts(one, layer.experts, names, layer.hidden_size).items())
        or None,
    )
    return layer.replace(weight_format=formats or None, experts=experts)


def _of_attention(one: _Layer, layer: DecoderLayerSpec, names: TensorNames) -> dict[str, str]:
    attention, formats = layer.attention, {}
    is_moved = names.moves_qkv or layer.output_gate
    if not is_moved and not layer.shares_kv and one.takes(names.qkv, layer.hidden_size):
        heads = (attention.num_q_heads, attention.num_kv_heads)
        is_one = len(names.qkv) == 1 or one.are_one(*(n * attention.head_dim for n in heads))
        apart = ("qkv_query", "qkv_key", "qkv_value")
        formats = one.named("qkv") if is_one else one.named(*apart)
    # Narrow values have other columns in files.
    is_whole = names.value_columns is None
    if is_whole and one.takes([names.output], layer.projection.attended_size):
        formats |= one.named("output")
    return formats


def _of_convolution(one: _Layer, layer: ConvolutionLayerSpec, names: TensorNames) -> dict[str, str]:
    theirs = names.convolution or ConvolutionNames()
    parts = {"in": theirs.into, "out": theirs.out}
    return one.named(*(ours for ours in parts if one.takes([parts[ours]], layer.hidden_size)))


def _of_mlp(one: _Layer, layer: Layer, names: TensorNames) -> dict[str, str]:
    inner = layer.intermediate_size
    gated = isinstance(layer, ConvolutionLayerSpec) or layer.gated
    up = tuple(names.gate_up) if gated else (names.up,)
    if layer.experts or not inner or not one.takes([*up, names.down], layer.hidden_size, inner):
        return {}
    if not gated:
        return one.named("up", "down")
    is_one = len(up) == 1 or one.are_one(inner)
    return one.named(*(["gate_up"] if is_one else ["gate", "up"]), "down")


def _of_experts(one: _Layer, experts: Experts, names: TensorNames, size: int) -> dict[str, str]:
    if experts.is_plain:
        return {}
    inner, parts = experts.intermediate_size, [*names.expert_gate_up, names.expert_down]
    # Scales of 8 bits are those of one expert's tensors; MXFP4 are all experts in one.
    is_known = ("{expert}" in names.expert_down) == (one.quantised.format != "mxfp4")
    is_taken = one.takes([part.format(expert=0) for part in parts], size, inner)
    if not (is_known and is_taken and one.are_one(inner, size)):
        return {}
    formats, shared = one.named("gate_up", "down"), experts.shared_size
    parts = [*names.shared_gate_up, names.shared_down]
    if shared and one.takes(parts, size, shared) and one.are_one(shared):
        formats |= one.named("shared_gate_up", "shared_down")
    return formats
