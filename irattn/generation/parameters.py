"""A model's tensors, by Hugging Face's names, as the parameters of our ops."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from irattn.core.dtypes import dtype
from irattn.generation.folder import ModelFolder
from irattn.generation.graphs import Graphs
from irattn.generation.weights import Weights
from irattn.models.families import TensorNames
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.latent_sizes import LatentSizes

# Norms of the hidden state and of heads, by the names of ours and of `TensorNames`.
_NORMS = {
    "norm": "attention_norm",
    "post_norm": "post_norm",
    "query_norm": "query_norm",
    "key_norm": "key_norm",
    "mlp_norm": "mlp_norm",
    "mlp_post_norm": "mlp_post_norm",
}


@dataclass(frozen=True)
class HeadRows:
    """So many rows of each of `heads`, from its row `first` on; columns first if `turned`."""

    heads: int
    first: int
    count: int
    turned: bool = False

    def taken(self, rows: np.ndarray) -> np.ndarray:
        """The rows by head, `[heads, count, columns]`."""
        by_head = rows.reshape(self.heads, -1, rows.shape[-1])
        own = by_head[:, self.first : self.first + self.count]
        return np.ascontiguousarray(own.swapaxes(1, 2) if self.turned else own)


@dataclass(frozen=True)
class Pieces:
    """The tensors that one parameter is made of, one below the other.

    `shapes` are by their names in the files, where they are the other way round if they are
    `turned`. `grouped`: the query heads of a KV head, and the columns of a head, of rows that go by
    KV heads. `of_heads`: what each head has of rows that go by heads.
    """

    shapes: Mapping[str, tuple[int, ...]]
    turned: bool = False
    grouped: tuple[int, int] | None = None
    of_heads: HeadRows | None = None

    def read(self, weights: Weights, io_dtype: str) -> np.ndarray:
        """The parameter from the files."""
        first, *_ = self.shapes.values()
        count = sum(shape[0] for shape in self.shapes.values())
        shape = (count, *first[1:])
        array = np.empty(shape[::-1] if self.turned else shape, dtype(io_dtype).numpy)
        # In place, as a copy of the largest would be most of what the host needs.
        rows, begin = array.T if self.turned else array, 0
        for name, (size, *_) in self.shapes.items():
            weights.read_into(rows[begin : begin + size], name)
            begin += size
        if self.of_heads:
            return self.of_heads.taken(array)
        return array if self.grouped is None else _by_kind(array, *self.grouped)


@dataclass(frozen=True)
class Parameters:
    """The tensors of each parameter of a model's graphs.

    `layers` and `norm` are by the names of their inputs; `positions` are those that are learned.
    """

    embedding: Pieces
    positions: Pieces | None
    layers: tuple[Mapping[str, Pieces], ...]
    norm: Mapping[str, Pieces]
    head: Pieces

    def check(self, weights: Weights) -> None:
        """ModelError, naming the tensor, where the files do not have all in these shapes."""
        inputs = [pieces for layer in self.layers for pieces in layer.values()]
        for pieces in (self.embedding, self.positions, *inputs, *self.norm.values(), self.head):
            for name, shape in pieces.shapes.items() if pieces else ():
                weights.check(name, shape)


def parameters_of(folder: ModelFolder, graphs: Graphs, there: Collection[str]) -> Parameters:
    """The tensors that make up a model's parameters; `there` are the names in its files."""
    names, table = folder.tensors, graphs.head.inputs[1].largest_shape
    base = names.base_in(there)
    embedding = Pieces({f"{base}{names.embedding}.weight": table})
    head = Pieces({f"{names.head_in(there)}.weight": table})
    positions = None
    if places := graphs.phases[0].places:
        shape = (places.max_positions, places.hidden_size)
        positions = Pieces({f"{base}{names.positions}.weight": shape})
    return Parameters(
        embedding,
        positions,
        tuple(
            _of_layer(f"{base}{names.layer.format(number=number)}", spec, names)
            for number, spec in enumerate(graphs.phases[0].layers)
        ),
        {
            tensor.name: Pieces({f"{base}{names.norm}.{tensor.name}": tensor.largest_shape})
            for tensor in graphs.norm.inputs[1:]
        },
        embedding if folder.shares_embedding else head,
    )


def _of_layer(before: str, spec: DecoderLayerSpec, names: TensorNames) -> dict[str, Pieces]:
    """The tensors of each parameter of a layer, whose names begin like that in the files."""
    made_of = _parts(spec, names)
    layer = {}
    for tensor in spec.inputs:
        ours, _, kind = tensor.name.rpartition("_")
        if kind in ("weight", "bias") and ours in made_of:
            shape, rows = tensor.largest_shape, made_of[ours]
            shapes = {f"{before}{name}.{kind}": (rows[name], *shape[1:]) for name in rows}
            turned = names.are_turned and len(shape) == 2
            if turned:
                shapes = {name: shape[::-1] for name, shape in shapes.items()}
            layer[tensor.name] = Pieces(shapes, turned)
    if spec.latent:
        layer |= _of_latents(before, spec.attention.num_q_heads, spec.latent, names)
    if names.is_grouped:
        sizes = (spec.attention.group_size, spec.attention.head_dim)
        for name in {"qkv_weight", "qkv_bias"} & layer.keys():
            layer[name] = replace(layer[name], grouped=sizes)
    return layer


def _of_latents(
    before: str, heads: int, latent: LatentSizes, names: TensorNames
) -> dict[str, Pieces]:
    """The parameters that make keys and values, of one tensor that has both for each head."""
    rows = heads * (latent.nope_dim + latent.value_dim)
    shapes = {f"{before}{names.from_latents}.weight": (rows, latent.kv_lora_rank)}
    # Queries are multiplied with what keys are made with, and so it lies by columns of latents.
    of_keys = HeadRows(heads, 0, latent.nope_dim, turned=True)
    of_values = HeadRows(heads, latent.nope_dim, latent.value_dim)
    return {
        "key_weight": Pieces(shapes, of_heads=of_keys),
        "value_weight": Pieces(shapes, of_heads=of_values),
    }


def _parts(spec: DecoderLayerSpec, names: TensorNames) -> dict[str, dict[str, int]]:
    """The tensors that the parameters of each part of a layer are made of, and the rows of each."""
    attention, size, inner = spec.attention, spec.hidden_size, spec.intermediate_size or 0
    queries, keys = (
        heads * attention.head_dim for heads in (attention.num_q_heads, attention.num_kv_heads)
    )
    rows_of_norms = {
        "query_norm": spec.query_norm.columns,
        "key_norm": spec.key_norm.columns,
    }
    return {
        **{
            ours: {getattr(names, theirs): rows_of_norms.get(ours, size)}
            for ours, theirs in _NORMS.items()
        },
        **(_parts_of_latents(attention.num_q_heads, spec.latent, names) if spec.latent else {}),
        "qkv": _rows(names.qkv, (queries, keys, keys)),
        "output": {names.output: size},
        "gate_up": _rows(names.gate_up, (inner, inner)),
        "up": {names.up: inner},
        "down": {names.down: size},
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


def _rows(names: tuple[str, ...], rows: tuple[int, ...]) -> dict[str, int]:
    """The rows of each tensor; one alone has all of them."""
    return {names[0]: sum(rows)} if len(names) == 1 else dict(zip(names, rows, strict=True))


def _by_kind(array: np.ndarray, group: int, head_dim: int) -> np.ndarray:
    """Rows of all queries, then of all keys and of all values, of rows that go by KV heads."""
    groups = array.reshape(-1, group + 2, head_dim, *array.shape[1:])
    kinds = (groups[:, :group], groups[:, group], groups[:, group + 1])
    return np.concatenate([kind.reshape(-1, *array.shape[1:]) for kind in kinds])
