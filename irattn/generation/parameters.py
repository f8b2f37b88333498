"""A model's tensors, by Hugging Face's names, as the parameters of our ops."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from irattn.core.tensors import TensorType
from irattn.generation.activation_parameters import activation_pieces
from irattn.generation.difference_parameters import difference_pieces
from irattn.generation.expert_parameters import as_stored, expert_pieces, pieces_beside
from irattn.generation.folder import ModelFolder
from irattn.generation.gate_parameters import gate_pieces
from irattn.generation.graphs import Graphs
from irattn.generation.head_orders import order_of_heads, queries_and_gates
from irattn.generation.layer_input_parameters import layer_input_pieces
from irattn.generation.part_pieces import (
    named,
    output_bias_pieces,
    part_pieces,
    parts_of_mlp,
    rows_of,
)
from irattn.generation.pieces import HeadRows, Pieces
from irattn.generation.shared_parameters import shared_pieces
from irattn.generation.state_parameters import state_layer_pieces
from irattn.generation.stream_parameters import layer_stream_pieces, streams_pieces
from irattn.generation.table_parameters import embedding_pieces, head_pieces
from irattn.generation.value_parameters import narrow_value_pieces
from irattn.generation.weights import Weights
from irattn.models.families import TensorNames
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.decoder_layer_parts import NormSpec
from irattn.specs.latent_sizes import LatentSizes
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.state_layer import StateLayer

# Norms of the hidden state and of heads, by the names of ours and of `TensorNames`.
_NORMS = {
    "norm": "attention_norm",
    "post_norm": "post_norm",
    "query_norm": "query_norm",
    "key_norm": "key_norm",
    "mlp_norm": "mlp_norm",
    "mlp_post_norm": "mlp_post_norm",
}


# Weights that are apart where their formats differ.
_QKV = ("query", "key", "value", "gate")


@dataclass(frozen=True)
class Parameters:
    """The tensors of each parameter of a model's graphs.

    `layers`, `norm` and `embedding_norm` are by the names of their inputs; `positions` are those
    of a table, `split` and `join` the weights around layers of several hidden states.
    """

    embedding: Pieces
    positions: Pieces | None
    split: Pieces | None
    join: Pieces | None
    layers: tuple[Mapping[str, Pieces], ...]
    norm: Mapping[str, Pieces]
    head: Pieces
    head_bias: Pieces | None = None
    embedding_norm: Mapping[str, Pieces] = field(default_factory=dict)

    def check(self, weights: Weights) -> None:
        """ModelError, naming the tensor, where the files do not have all in these shapes."""
        inputs = [pieces for layer in self.layers for pieces in layer.values()]
        head = (self.head, self.head_bias)
        around = (self.embedding, self.positions, self.split, self.join, *head)
        norms = (*self.norm.values(), *self.embedding_norm.values())
        for pieces in (*around, *inputs, *norms):
            if pieces is None:
                continue
            for name, shape in pieces.shapes.items():
                weights.check(name, shape, pieces.dtype if pieces.is_packed else None)
        weights.check_rest()


def parameters_of(folder: ModelFolder, graphs: Graphs, weights: Weights) -> Parameters:
    """The tensors that make up a model's parameters."""
    there = weights.names
    names = folder.tensors.stored_in(there)
    base = names.base_in(there)
    names = _with_experts_as_stored(names, base, graphs, weights)
    name = f"{base}{names.embedding}.weight"
    embedding = embedding_pieces(name, graphs.phases[0].embedding.inputs[-1], base, names)
    own, own_bias = (f"{names.head_in(there)}.{kind}" for kind in ("weight", "bias"))
    is_shared = folder.shares_embedding and _is_shared(weights, name, own)
    head = head_pieces(name if is_shared else own, graphs.head.inputs[1], base, names)
    positions = None
    if places := graphs.phases[0].places:
        shape = (places.max_positions, places.hidden_size)
        positions = Pieces({f"{base}{names.positions}.weight": shape})
        if names.position_table:
            positions = Pieces({}, made=partial(names.position_table, *shape))
    return Parameters(
        embedding,
        positions,
        *streams_pieces(base, graphs, names),
        tuple(
            _of_files(_all_of_layer(base, number, spec, names, folder), base, names, number)
            for number, spec in enumerate(graphs.phases[0].layers)
        ),
        _norm_pieces(f"{base}{names.norm}", graphs.norm, names),
        head,
        Pieces({own_bias: (graphs.head.vocab_size,)}) if graphs.head.has_bias else None,
        _norm_pieces(f"{base}{names.embedding_norm}", graphs.phases[0].normed, names),
    )


def _all_of_layer(
    base: str,
    number: int,
    spec: DecoderLayerSpec | StateLayer,
    names: TensorNames,
    folder: ModelFolder,
) -> dict[str, Pieces]:
    """The tensors of each parameter of a layer, and of what is around it."""
    before = f"{base}{names.before(number)}"
    values_are_keys = names.values_are_keys and number in folder.full_layers
    return {
        **_of_layer(before, spec, names, (number, folder.num_layers), values_are_keys),
        **shared_pieces(base, number, spec, names),
        **output_bias_pieces(before, spec, names, number + 1 == folder.num_layers),
        **layer_input_pieces(base, number, folder.num_layers, spec, names),
        **layer_stream_pieces(before, spec, names),
    }


def _of_files(
    layer: Mapping[str, Pieces], base: str, names: TensorNames, number: int
) -> Mapping[str, Pieces]:
    """The tensors of a layer by the names that files have, with the factors of their rows."""
    before = f"{base}{names.before(number)}"
    factors = tuple((f"{before}{name}.weight", rows) for name, rows in names.row_factors)
    return {
        ours: replace(
            pieces,
            shapes={names.in_files(name, number): shape for name, shape in pieces.shapes.items()},
            row_factors=factors,
        )
        for ours, pieces in layer.items()
    }


def _norm_pieces(name: str, norm: NormSpec | None, names: TensorNames) -> dict[str, Pieces]:
    """The parameters of a norm outside of layers, of that name, where there is one."""
    if norm is None:
        return {}
    return {
        tensor.name: _of_norm(
            Pieces({f"{name}.{tensor.name}": tensor.largest_shape}), tensor, tensor.name, names
        )
        for tensor in norm.inputs[1:]
    }


def _with_experts_as_stored(
    names: TensorNames, base: str, graphs: Graphs, weights: Weights
) -> TensorNames:
    """The names as the files have them where these have experts either way."""
    for number, spec in enumerate(graphs.phases[0].layers):
        if isinstance(spec, DecoderLayerSpec) and isinstance(spec.mlp, MixtureOfExpertsSpec):
            before = f"{base}{names.before(number)}"
            return as_stored(names, before, spec.mlp, weights)
    return names


def _is_shared(weights: Weights, embedding: str, head: str) -> bool:
    """Whether the head has the embedding's weight, of files that say so.

    Files may have one of its own all the same, and transformers goes by it.
    """
    both = embedding in weights.names and head in weights.names
    return not both or weights.are_same(embedding, head)


def _of_norm(pieces: Pieces, tensor: TensorType, kind: str, names: TensorNames) -> Pieces:
    """The weight or the bias of a norm, as the code makes it of what files have."""
    if kind != "weight":
        return pieces
    if not names.has_norm_weights:
        return Pieces({}, shape=tensor.largest_shape)
    return replace(pieces, plus=names.norm_plus)


def _of_layer(
    before: str,
    spec: DecoderLayerSpec | StateLayer,
    names: TensorNames,
    place: tuple[int, int],
    values_are_keys: bool,
) -> dict[str, Pieces]:
    """The tensors of each parameter of a layer, whose names begin like that in the files.

    `place` is its number, and how many layers there are.
    """
    if isinstance(spec, StateLayer):
        return state_layer_pieces(before, spec, names, place)
    made_of = _parts(spec, names, values_are_keys)
    layer: dict[str, Pieces] = {}
    for tensor in spec.inputs:
        if tensor.name == "activation_weight":
            layer[tensor.name] = activation_pieces(before, tensor, names.activation)
            continue
        ours, kind = named(tensor.name)
        pieces = part_pieces(before, tensor, made_of[ours]) if ours in made_of else None
        if pieces is None:
            continue
        if names.are_turned and kind == "weight" and len(tensor.shape) == 2:
            pieces = pieces.other_way_round
        is_norm = ours in _NORMS
        layer[tensor.name] = _of_norm(pieces, tensor, kind, names) if is_norm else pieces
    if spec.latent:
        layer |= _of_latents(before, spec.attention.num_q_heads, spec.latent, names)
    if isinstance(spec.mlp, MixtureOfExpertsSpec):
        layer |= expert_pieces(before, spec.mlp, names)
    if spec.experts_beside:
        layer |= pieces_beside(before, spec.experts_beside, names)
    if spec.attention.sinks:
        shape = (spec.attention.num_q_heads,)
        layer["sinks"] = Pieces({f"{before}{names.sinks}": shape}, dtype="f32")
    if names.is_grouped:
        sizes = (spec.attention.group_size, spec.attention.head_dim)
        for name in {"qkv_weight", "qkv_bias"} & layer.keys():
            layer[name] = replace(layer[name], grouped=sizes)
    if spec.attention.alibi and names.slopes:
        made = partial(names.slopes, spec.attention.num_q_heads, spec.attention.head_dim)
        layer["alibi_slopes"] = Pieces({}, dtype="f32", made=made)
    order = order_of_heads(spec, names)
    if order:
        for name in {"qkv_weight", "qkv_bias"} & layer.keys():
            layer[name] = replace(layer[name], order=order)
    if "qkv_gate_weight" in layer and names.has_gates:
        for name, runs in zip(("query", "gate"), queries_and_gates(spec), strict=True):
            layer[f"qkv_{name}_weight"] = replace(layer[f"qkv_{name}_weight"], order=runs)
    if values_are_keys and not spec.shares_kv:
        size, queries = spec.attention.head_dim, spec.attention.num_q_heads
        keys = (queries * size, (queries + spec.attention.num_kv_heads) * size)
        for name in {"qkv_weight", "qkv_bias"} & layer.keys():
            layer[name] = replace(layer[name], order=((0, keys[0]), keys, keys))
    layer |= narrow_value_pieces(before, spec, names) | gate_pieces(before, spec, names)
    layer |= difference_pieces(before, place[0], spec, names)
    if spec.scales_output:
        layer["output_scale"] = Pieces({f"{before}{names.output_scale}": (1,)})
    return layer


def _of_latents(
    before: str, heads: int, latent: LatentSizes, names: TensorNames
) -> dict[str, Pieces]:
    """The parameters that make keys and values, of a tensor each, or one of both for each head."""
    if names.keys_from_latents:
        of_head = {
            "key_weight": (names.keys_from_latents, latent.kv_lora_rank, latent.nope_dim),
            "value_weight": (names.values_from_latents, latent.value_dim, latent.kv_lora_rank),
        }
        return {
            ours: Pieces({f"{before}{name}.weight": (heads, *shape)})
            for ours, (name, *shape) in of_head.items()
        }
    rows = heads * (latent.nope_dim + latent.value_dim)
    shapes = {f"{before}{names.from_latents}.weight": (rows, latent.kv_lora_rank)}
    # Queries are multiplied with what keys are made with, and so it lies by columns of latents.
    of_keys = HeadRows(heads, 0, latent.nope_dim, turned=True)
    of_values = HeadRows(heads, latent.nope_dim, latent.value_dim)
    return {
        "key_weight": Pieces(shapes, of_heads=of_keys),
        "value_weight": Pieces(shapes, of_heads=of_values),
    }


def _parts(
    spec: DecoderLayerSpec, names: TensorNames, values_are_keys: bool
) -> dict[str, dict[str, int]]:
    """The tensors that the parameters of each part of a layer are made of, and the rows of each."""
    attention, size, inner = spec.attention, spec.hidden_size, spec.intermediate_size or 0
    queries, keys = (
        heads * attention.head_dim for heads in (attention.num_q_heads, attention.num_kv_heads)
    )
    if names.has_gates:
        queries *= 2
    # Of queries, keys and values, and gates beside them, those that the files have.
    given = 1 if spec.shares_kv else 2 if values_are_keys else max(len(names.qkv), 3)
    rows_of_norms = {
        "norm": spec.read_size,
        "query_norm": spec.query_norm.columns,
        "key_norm": spec.key_norm.columns,
    }
    return {
        **{
            ours: {getattr(names, theirs): rows_of_norms.get(ours, size)}
            for ours, theirs in _NORMS.items()
        },
        "qkv": rows_of(names.qkv[:given], (queries, keys, keys, queries)[:given]),
        **{
            f"qkv_{ours}": {theirs: rows}
            for ours, theirs, rows in zip(
                _QKV, names.qkv, (queries, keys, keys, queries), strict=False
            )
        },
        **({"qkv_gate": {names.qkv[0]: queries}} if names.has_gates else {}),
        **(_parts_of_latents(attention.num_q_heads, spec.latent, names) if spec.latent else {}),
        "output": {names.output: size},
        **({} if inner == 0 else parts_of_mlp(names, size, inner)),
    }


def _parts_of_latents(
    heads: int, latent: LatentSizes, names: TensorNames
) -> dict[str, dict[str, int]]:
    """The tensors of the projections into queries and latents, and their rows."""
    narrow = latent.q_lora_rank or 0
    return {
        "query_down": {names.query_down: narrow},
        "query_down_norm": {names.query_down_norm: narrow},
        "query": {names.query: heads * latent.head_dim},
        "latent": {names.latent: latent.cache_dim},
        "latent_norm": {names.latent_norm: latent.kv_lora_rank},
    }
