"""The parameters of layers whose heads are subtracted from others: DiffLlama's."""

import math
from functools import partial

import numpy as np

from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.specs.decoder_layer import DecoderLayerSpec


def difference_pieces(
    before: str, number: int, spec: DecoderLayerSpec, names: TensorNames
) -> dict[str, Pieces]:
    """The tensors of what such a layer has of its own; none of another.

    Heads of the files are half as wide as irattn's.
    """
    if names.difference is None:
        return {}
    attention, size = spec.attention, spec.hidden_size
    columns, heads = attention.head_dim // 2, (attention.num_q_heads, attention.num_kv_heads)
    rows = (heads[0] * columns, *[heads[1] * columns] * 2)
    made = {}
    for kind, rest in {"weight": (size,), **({"bias": ()} if spec.qkv_bias else {})}.items():
        shapes = {
            f"{before}{name}.{kind}": (count, *rest)
            for name, count in zip(names.qkv, rows, strict=True)
        }
        made[f"qkv_{kind}"] = Pieces(shapes, made=partial(_wide_heads, columns))
    factors = {f"{before}{name}": (columns,) for name in names.difference.factors}
    first = _first_share(number)
    made["difference_share"] = Pieces(factors, dtype="f32", made=partial(_share, first))
    made["difference_norm_weight"] = Pieces({}, shape=(attention.head_dim,), fill=1 - first)
    return made


def _first_share(number: int) -> float:
    """The share that a layer begins its training with."""
    return 0.8 - 0.6 * math.exp(-0.3 * number)


def _share(first: float, *factors: np.ndarray) -> np.ndarray:
    """The share of heads that is subtracted, of the factors of two queries and keys."""
    query, key, other_query, other_key = (one.astype(np.float64) for one in factors)
    share = np.exp(query @ key) - np.exp(other_query @ other_key) + first
    return np.asarray([share])


def _wide_heads(columns: int, query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The rows of queries and keys, each head of which has zeros behind it, and of values.

    The KV heads of either half have the values of both: those with their place in each.
    """
    rest = query.shape[1:]
    with_zeros = [
        np.concatenate([one, np.zeros_like(one)], axis=1)
        for one in (rows.reshape(-1, columns, *rest) for rows in (query, key))
    ]
    pairs = np.concatenate(np.split(value.reshape(-1, columns, *rest), 2), axis=1)
    wide = [*with_zeros, pairs, pairs]
    return np.concatenate([one.reshape(-1, *rest) for one in wide])
