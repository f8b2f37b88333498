"""How exact attention's averages of values are, where logits are so large that f32 rounds them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from irattn.core.dtypes import dtype
from irattn.lab.verification.exponents import EPSILON, sums_off
from irattn.reference.attention import PlacedHead, attention_heads
from irattn.reference.features import Head, attend, masked_logits
from irattn.reference.layouts import heads_first
from irattn.reference.packed_attention import packed_heads
from irattn.reference.packed_paged_attention import packed_paged_heads
from irattn.reference.paged_attention import paged_heads

Tensors = Mapping[str, np.ndarray]


def averages_of(spec: Any, tensors: Tensors, expected: tuple[np.ndarray, ...]) -> np.ndarray | None:
    """The scale of each element of attention's output in f32; None of others.

    A weight is off by a share of it, which large logits make more than f32's tolerance, and the
    output by that times the weight times the value's distance from the output. What 16 bits are
    allowed is more than logits up to some ten thousands are rounded by.
    """
    heads_of = _BATCHED.get(spec.op) or _PACKED.get(spec.op)
    if heads_of is None or spec.io_dtype != "f32" or getattr(spec, "cascade", False):
        return None
    written = {
        tensor.name.removeprefix("updated_"): array
        for tensor, array in zip(spec.outputs, expected, strict=True)
        if tensor.name.startswith("updated_") and spec.cache_dtype is None
    }
    layout = spec.layout if spec.op in _BATCHED else "HND"
    scale = np.zeros_like(heads_first(layout, expected[0]))
    for at, _, head in heads_of(spec, {**tensors, **written}):
        if len(head.key):
            scale[at] = _scale(spec, head)
    return np.asarray(heads_first(layout, scale) / dtype("f32").tolerance)


_HeadsOf: TypeAlias = Callable[[Any, Tensors], Iterator[PlacedHead]]
_BATCHED: dict[str, _HeadsOf] = {
    "attention": attention_heads,
    "paged_attention": paged_heads,
    "paged_update_attention": paged_heads,
}
_PACKED: dict[str, _HeadsOf] = {
    "packed_attention": packed_heads,
    "packed_paged_attention": packed_paged_heads,
    "packed_paged_update_attention": packed_paged_heads,
}


def _scale(spec: Any, head: Head) -> np.ndarray:
    """The size of what rounded exponents change a head's output by: the root of squares."""
    output, lse = attend(spec, head)
    logits = masked_logits(spec, head, slice(0, len(head.query)))
    sees = lse != -np.inf
    weights = np.zeros_like(logits)
    weights[sees] = np.exp(logits[sees] - lse[sees, None])
    sizes = np.abs(np.where(weights, logits, 0.0))
    off = (weights * np.hypot(EPSILON * sizes, spec.scale * sums_off(head))) ** 2
    # The squares of off * (value - output), added up over keys.
    mean = off @ head.value
    squares = off @ head.value**2 - 2 * output * mean + output**2 * off.sum(axis=1, keepdims=True)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))
