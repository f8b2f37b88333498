"""The projections of layers whose values have fewer columns than keys.

irattn's layers have values as wide as keys: the columns that are missing are zeros, which nothing
of the output is made of.
"""

from functools import partial

import numpy as np

from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.specs.decoder_layer import DecoderLayerSpec


def narrow_value_pieces(
    before: str, spec: DecoderLayerSpec, names: TensorNames
) -> dict[str, Pieces]:
    """The tensors of both projections, whose values get zeros; none where values are wide."""
    columns = names.value_columns
    if columns is None:
        return {}
    attention, size = spec.attention, spec.hidden_size
    heads, kv_heads, wide = attention.num_q_heads, attention.num_kv_heads, attention.head_dim
    rows = (heads * wide, kv_heads * wide, kv_heads * columns)
    into = partial(_with_wide_rows, kv_heads, wide)
    output = {f"{before}{names.output}.weight": (size, heads * columns)}
    made = {"output_weight": Pieces(output, made=partial(_with_wide_columns, names, heads, wide))}
    for kind, rest in {"weight": (size,), **({"bias": ()} if spec.qkv_bias else {})}.items():
        shapes = {
            f"{before}{name}.{kind}": (count, *rest)
            for name, count in zip(names.qkv, rows, strict=True)
        }
        made[f"qkv_{kind}"] = Pieces(shapes, made=into)
    return made


def _with_wide_rows(
    heads: int, wide: int, query: np.ndarray, key: np.ndarray, value: np.ndarray
) -> np.ndarray:
    """The rows of queries, keys and values, each head of which has zeros at its end."""
    by_head = value.reshape(heads, -1, *value.shape[1:])
    rows = np.zeros((heads, wide, *value.shape[1:]), value.dtype)
    rows[:, : by_head.shape[1]] = by_head
    return np.concatenate([query, key, rows.reshape(-1, *value.shape[1:])])


def _with_wide_columns(names: TensorNames, heads: int, wide: int, weight: np.ndarray) -> np.ndarray:
    """The columns of the output projection, those of each head with zeros at their end."""
    by_head = weight.reshape(len(weight), heads, -1)
    columns = np.zeros((len(weight), heads, wide), weight.dtype)
    columns[..., : by_head.shape[-1]] = by_head * np.float32(names.value_scale)
    return columns.reshape(len(weight), -1)
