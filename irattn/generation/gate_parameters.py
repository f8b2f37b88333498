"""The projection into queries, keys, values and gates, where files have a gate for each head."""

from functools import partial

import numpy as np

from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.specs.decoder_layer import DecoderLayerSpec


def gate_pieces(before: str, spec: DecoderLayerSpec, names: TensorNames) -> dict[str, Pieces]:
    """The tensors of the weight, whose gates are repeated for the columns of heads, and the bias.

    None where gates are the files' own, or have biases like the rest.
    """
    if names.gates_heads is None:
        return {}
    attention, size = spec.attention, spec.hidden_size
    heads, columns = attention.num_q_heads, attention.head_dim
    times = columns if names.gates_heads else 1
    keys = attention.num_kv_heads * columns
    rows = (heads * columns, keys, keys, heads * columns // times)
    shapes: dict[str, tuple[int, ...]] = {
        f"{before}{name}.weight": (count, size) for name, count in zip(names.qkv, rows, strict=True)
    }
    made = {"qkv_weight": Pieces(shapes, made=partial(_with_gates, times))}
    if spec.qkv_bias:
        given = zip(names.qkv[:3], rows, strict=False)
        shapes = {f"{before}{name}.bias": (count,) for name, count in given}
        made["qkv_bias"] = Pieces(shapes, made=partial(_without_gates, heads * columns))
    return made


def _with_gates(times: int, *tensors: np.ndarray) -> np.ndarray:
    """The rows of all, those of the last repeated."""
    *others, gates = tensors
    return np.concatenate([*others, gates.repeat(times, axis=0)])


def _without_gates(gates: int, *tensors: np.ndarray) -> np.ndarray:
    """The biases of all but so many gates, which have zeros."""
    return np.concatenate([*tensors, np.zeros(gates, tensors[0].dtype)])
