"""The gradient of packed attention, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.attention_backward import attention_backward
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec

Tensors = Mapping[str, np.ndarray]

# Tensors by whose tokens they have, tokens before heads.
_OF_QUERIES = ("query", "output", "output_gradient")
_OF_KEYS = ("key", "value")


def packed_attention_backward(
    spec: PackedAttentionBackwardSpec, tensors: Tensors
) -> tuple[np.ndarray, ...]:
    """The meaning of PackedAttentionBackwardSpec: cut out each sequence, and take its gradient."""
    made = [np.zeros(tensor.largest_shape) for tensor in spec.outputs]
    for s in range(spec.batch):
        rows = slice(*tensors["cu_seqlens_q"][s : s + 2])
        tokens = slice(*tensors["cu_seqlens_k"][s : s + 2])
        if rows.start == rows.stop or tokens.start == tokens.stop:
            continue
        cut = {name: _heads_first(tensors[name][rows]) for name in _OF_QUERIES}
        cut |= {name: _heads_first(tensors[name][tokens]) for name in _OF_KEYS}
        cut["lse"] = tensors["lse"][None, :, rows]
        cut |= {name: tensors[name] for name in ("sinks",) if name in tensors}
        of_query, of_key, of_value, *of_sinks = attention_backward(_alone(spec, cut), cut)
        made[0][rows] = of_query[0].swapaxes(0, 1)
        made[1][tokens] = of_key[0].swapaxes(0, 1)
        made[2][tokens] = of_value[0].swapaxes(0, 1)
        for whole, one in zip(made[3:], of_sinks, strict=True):
            whole += one
    return tuple(made)


def _heads_first(tokens: np.ndarray) -> np.ndarray:
    return tokens.swapaxes(0, 1)[None]


def _alone(spec: PackedAttentionBackwardSpec, tensors: Tensors) -> AttentionBackwardSpec:
    """The spec of one sequence by itself."""
    shared = {
        name: getattr(spec, name)
        for name in AttentionBackwardSpec.field_names()
        if name not in ("q_len", "kv_len")
    }
    lengths = {"q_len": tensors["query"].shape[2], "kv_len": tensors["key"].shape[2]}
    return AttentionBackwardSpec(**shared | lengths | {"batch": 1})
