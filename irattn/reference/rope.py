"""Rotary position embedding, in float64."""

import numpy as np

from irattn.reference.attention import Tensors
from irattn.reference.rope_frequencies import attention_factor, frequencies
from irattn.specs.rope import RopeSpec


def rope(spec: RopeSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of RopeSpec: all tensors turned by the same angles."""
    cos, sin = _tables(spec, tensors)
    first, second = _columns(spec)
    outputs = []
    for name in ("query", "key") if spec.num_kv_heads else ("query",):
        given = tensors[name].astype(np.float64)
        x, y = given[..., first], given[..., second]
        output = given.copy()
        output[..., first] = x * cos - y * sin
        output[..., second] = y * cos + x * sin
        outputs.append(output)
    return tuple(outputs)


def _tables(spec: RopeSpec, tensors: Tensors) -> tuple[np.ndarray, np.ndarray]:
    """cos and sin `[batch, 1, q_len, pairs]`: the same for every head."""
    positions = tensors["positions"][:, None]
    if spec.given_tables:
        cos, sin = (tensors[name].astype(np.float64)[positions] for name in ("cos", "sin"))
        return cos, sin
    angles = positions[..., None].astype(np.float64) * frequencies(spec)
    factor = attention_factor(spec)
    return factor * np.cos(angles), factor * np.sin(angles)


def _columns(spec: RopeSpec) -> tuple[slice, slice]:
    """The first and the second column of every pair."""
    d = spec.rotary_columns
    if spec.rope_style == "interleaved":
        return slice(0, d, 2), slice(1, d, 2)
    return slice(0, d // 2), slice(d // 2, d)
