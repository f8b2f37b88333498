"""A model's tensors, by Hugging Face's names, as the parameters of our ops."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from irattn.generation.folder import ModelFolder
from irattn.generation.graphs import Graphs
from irattn.generation.weights import Weights
from irattn.models.families import TensorNames
from irattn.specs.decoder_layer import DecoderLayerSpec

# The shapes of tensors in the files by their names, one below the other in ours.
Pieces = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Parameters:
    """The tensors of each parameter of a model's graphs; `layers` by the names of their inputs."""

    embedding: Pieces
    layers: tuple[Mapping[str, Pieces], ...]
    norm: Pieces
    head: Pieces

    def check(self, weights: Weights) -> None:
        """ModelError, naming the tensor, where the files do not have all in these shapes."""
        inputs = [pieces for layer in self.layers for pieces in layer.values()]
        for pieces in (self.embedding, *inputs, self.norm, self.head):
            for name, shape in pieces.items():
                weights.check(name, shape)


def parameters_of(folder: ModelFolder, graphs: Graphs) -> Parameters:
    """The tensors that make up a model's parameters."""
    table = graphs.head.inputs[1].largest_shape
    names = folder.tensors
    embedding = {f"{names.embedding}.weight": table}
    return Parameters(
        embedding,
        tuple(
            _of_layer(number, spec, names) for number, spec in enumerate(graphs.phases[0].layers)
        ),
        {f"{names.norm}.weight": table[1:]},
        embedding if folder.shares_embedding else {f"{names.head}.weight": table},
    )


def read(weights: Weights, pieces: Pieces, io_dtype: str) -> np.ndarray:
    """A parameter from the files."""
    arrays = [weights.read(name, io_dtype) for name in pieces]
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _of_layer(number: int, spec: DecoderLayerSpec, names: TensorNames) -> dict[str, Pieces]:
    made_of, before = _rows(spec, names), names.layer.format(number=number)
    return {
        tensor.name: {
            f"{before}{name}": (rows, *tensor.largest_shape[1:])
            for name, rows in made_of[tensor.name].items()
        }
        for tensor in spec.inputs
        if tensor.name in made_of
    }


def _rows(spec: DecoderLayerSpec, names: TensorNames) -> dict[str, dict[str, int]]:
    """The tensors that each parameter of a layer is made of, and the rows of each."""
    attention, size, inner = spec.attention, spec.hidden_size, spec.intermediate_size or 0
    queries, keys = (
        heads * attention.head_dim for heads in (attention.num_q_heads, attention.num_kv_heads)
    )
    linear = {
        "qkv": {names.query: queries, names.key: keys, names.value: keys},
        "output": {names.output: size},
        "gate_up": {names.gate: inner, names.up: inner},
        "down": {names.down: size},
    }
    return {
        "norm_weight": {f"{names.attention_norm}.weight": size},
        "query_norm_weight": {f"{names.query_norm}.weight": attention.head_dim},
        "key_norm_weight": {f"{names.key_norm}.weight": attention.head_dim},
        "mlp_norm_weight": {f"{names.mlp_norm}.weight": size},
        **{
            f"{ours}_{part}": {f"{theirs}.{part}": rows for theirs, rows in parts.items()}
            for ours, parts in linear.items()
            for part in ("weight", "bias")
        },
    }
