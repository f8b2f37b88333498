"""How large the terms are that outputs are summed from, where these may cancel."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from irattn.core.dtypes import dtype
from irattn.lab.verification.averages import averages_of
from irattn.lab.verification.exponents import EPSILON, sums_off
from irattn.reference.attention_backward import (
    Attended,
    GivenHead,
    HeadTerms,
    given_heads,
    head_terms,
)
from irattn.reference.features import Head
from irattn.reference.packed_attention_backward import given_packed_heads
from irattn.specs import Spec

Tensors = Mapping[str, np.ndarray]


class _Sizes(NamedTuple):
    """Sums of squares: of terms as they are in f32, and of those that are rounded to storage."""

    in_f32: np.ndarray
    stored: np.ndarray


def scales_of(
    spec: Spec, tensors: Tensors, expected: tuple[np.ndarray, ...]
) -> tuple[np.ndarray | None, ...]:
    """The scale of each element of each output; None of outputs whose own size is the scale.

    A gradient is what is left of sums, and may be nothing, as of the only key that a query sees,
    or of a bias along an axis that it has not. What rounding leaves then is no share of it, but of
    its terms: of those that are computed in f32, f32's tolerance, and of those that are rounded to
    the type of storage, that one's. Roundings are independent, so a scale is the root of a sum of
    squares: where nothing cancels that is about the size of the gradient itself, and a sum of
    magnitudes would be wider by the root of the number of terms. A term below the smallest normal
    number of its type is rounded as one of that size is.

    Weights are exponentials of logits less a log-sum-exp, each rounded to f32: a unit of it is a
    share of the weight, which from logits of about 40 on is more than f32's tolerance. The
    derivative of a soft cap is a difference from 1, which nothing is left of where it is flat.

    The averages that attention makes of values are as little exact as its weights.
    """
    heads_of = _HEADS.get(spec.op)
    if heads_of is None:
        return averages_of(spec, tensors, expected), *(None for _ in spec.outputs[1:])
    sizes = _gradients(spec, heads_of(spec, tensors), tensors)
    return tuple(
        _scale(one, tensor.tolerance) for one, tensor in zip(sizes, spec.outputs, strict=True)
    )


_HEADS: dict[str, Callable[[Any, Tensors], Iterator[GivenHead]]] = {
    "attention_backward": given_heads,
    "packed_attention_backward": given_packed_heads,
}


def _scale(sizes: _Sizes, tolerance: float) -> np.ndarray:
    """The scale in units of an output's own tolerance."""
    in_f32 = sizes.in_f32 * (dtype("f32").tolerance / tolerance) ** 2
    return np.asarray(np.sqrt(np.maximum(in_f32, sizes.stored)))


def _gradients(spec: Any, heads: Iterator[GivenHead], tensors: Tensors) -> list[_Sizes]:
    """The sizes of each gradient, those of heads together."""
    made = {
        tensor.name.removesuffix("_gradient"): _Sizes(*np.zeros((2, *tensor.largest_shape)))
        for tensor in spec.outputs
    }
    for one in heads:
        terms = _head_sizes(spec, one.head, one.made)
        places = {"query": one.at, "key": one.kv, "value": one.kv, "sinks": (one.number,)}
        for name, place in places.items():
            if name in made:
                for sum_of, size in zip(made[name], terms[name], strict=True):
                    sum_of[place] += size
        if "bias" in made:
            _add_logits(made["bias"], terms["logits"], one.at)
    return list(made.values())


def _add_logits(sums: _Sizes, logits: _Sizes, head: tuple[int, int]) -> None:
    """Add a head's logits, along the axes that the bias has."""
    shape = sums.in_f32.shape
    place = tuple(0 if size == 1 else n for n, size in zip(head, shape, strict=False))
    along = tuple(n for n, size in enumerate(shape[2:]) if size == 1)
    for sum_of, size in zip(sums, logits, strict=True):
        sum_of[place] += size.sum(axis=along, keepdims=True)


def _head_sizes(spec: Any, head: Head, made: Attended) -> dict[str, _Sizes]:
    """The sizes of a head's terms in each gradient, and of the gradients of its logits."""
    terms = head_terms(spec, head, made)
    products = made.gradient**2 @ (head.value**2).T * terms.factors**2
    of_delta = ((made.gradient * made.output) ** 2).sum(axis=1)
    in_logits = np.where(terms.weights, terms.weights**2 * (products + of_delta[:, None]), 0.0)
    shares = _shares(spec, head, terms, made.lse)
    of_logits = (terms.of_logits * shares) ** 2
    bends, slopes = terms.bends**2, terms.slopes**2
    flat = terms.of_logits**2 if spec.logits_soft_cap is not None else 0.0
    stored = _stored(spec, of_logits * slopes * bends)
    of_scores = _Sizes(np.maximum(in_logits * bends, flat) * slopes, stored)
    kept = _stored(spec, (terms.weights * terms.factors * shares) ** 2)
    of_value = kept.T @ made.gradient**2
    of_sink = _of_sink(head.sink, made, of_delta)
    return {
        "query": _Sizes(*(size @ head.key**2 for size in of_scores)),
        "key": _Sizes(*(size.T @ head.query**2 for size in of_scores)),
        "value": _Sizes(of_value, of_value),
        # Nothing is rounded to storage before it is added up.
        "logits": _Sizes(np.maximum(in_logits, of_logits), np.zeros_like(in_logits)),
        "sinks": _Sizes(of_sink, of_sink),
    }


def _stored(spec: Any, squares: np.ndarray) -> np.ndarray:
    """The sizes by which numbers are rounded to storage, of the numbers' squares."""
    least = dtype(spec.io_dtype).smallest_normal ** 2
    return np.asarray(np.where(squares, np.maximum(squares, least), 0.0))


def _shares(spec: Any, head: Head, terms: HeadTerms, lse: np.ndarray) -> np.ndarray:
    """The shares by which rounded exponents change weights, in tolerances; at least 1."""
    parts = EPSILON * (np.abs(terms.logits) + np.abs(lse)[:, None])
    # Slopes have the scale of scores in them.
    sums = sums_off(head) * np.abs(terms.slopes * terms.bends)
    off = np.where(terms.weights, np.hypot(parts, sums), 0.0)
    return np.asarray(np.maximum(off / dtype(spec.io_dtype).tolerance, 1.0))


def _of_sink(sink: float, made: Attended, of_delta: np.ndarray) -> np.ndarray:
    sees = made.lse != -np.inf
    return np.asarray((np.exp(2 * (sink - made.lse[sees])) * of_delta[sees]).sum())
