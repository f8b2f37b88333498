"""Attention of arrays with fewer or more axes than kernels have, as PyTorch takes them."""

from collections.abc import Callable
from functools import wraps
from math import prod
from typing import Any, ParamSpec, TypeVar

from irattn.core.errors import ArgumentError
from irattn.functional.arrays import check_is_dense, check_is_not_nested, in_full, reshaped
from irattn.functional.shapes import said

P = ParamSpec("P")
R = TypeVar("R")

# Batch, heads, tokens and head_dim.
_AXES = 4


def of_any_axes(attention: Callable[P, R]) -> Callable[P, R]:
    """Attention of query, key, value and `attn_mask` of two axes or more, by that of four.

    All axes before the heads are one batch, and those that are missing count as 1.
    """
    function: Callable[..., Any] = attention

    @wraps(attention)
    def call(query: Any, key: Any, value: Any, *others: Any, **named: Any) -> Any:
        arrays = {"query": query, "key": key, "value": value}
        arrays["attn_mask"] = others[0] if others else named.get("attn_mask")
        for name, one in arrays.items():
            check_is_not_nested(name, one)
        if len(getattr(query, "shape", ())) == _AXES:
            return function(query, key, value, *others, **named)
        shapes = [getattr(one, "shape", ()) for one in (query, key, value)]
        # Two axes at least, as many of each; what else is wrong is said by the function.
        if len(shapes[0]) < 2 or len({*map(len, shapes)}) > 1:
            return function(query, key, value, *others, **named)
        for name, one in arrays.items():
            check_is_dense(name, one)
        batch = _batch(query=query, key=key, value=value)
        if others:
            others = (_mask_in_four(others[0], batch), *others[1:])
        if "attn_mask" in named:
            named["attn_mask"] = _mask_in_four(named["attn_mask"], batch)
        results = function(*map(_in_four, (query, key, value)), *others, **named)
        leading = (*batch, *query.shape[:-2][len(batch) :])
        if isinstance(results, tuple):
            return tuple(_with_leading(one, leading) for one in results)
        return _with_leading(results, leading)

    return call  # type: ignore[return-value]


def _batch(**arrays: Any) -> tuple[int, ...]:
    """The sizes of the axes before the heads, of all arrays or of those that have not 1 alone."""
    sizes = {name: tuple(array.shape[:-3]) for name, array in arrays.items()}
    batch = next((own for own in sizes.values() if prod(own) != 1), sizes["query"])
    for name, own in sizes.items():
        if own != batch and prod(own) != 1:
            raise ArgumentError(
                f"{name}: expected {list(batch)} before the heads, or 1 alone, got "
                f"{said(arrays[name])}"
            )
    return batch


def _in_four(array: Any) -> Any:
    heads = (1, 1, *array.shape[:-2])[-1]
    return reshaped(array, (prod(array.shape[:-3]), heads, *array.shape[-2:]))


def _mask_in_four(mask: Any, batch: tuple[int, ...]) -> Any:
    """A mask whose axes before the heads are one, if it has them."""
    if len(getattr(mask, "shape", ())) < _AXES:
        return mask
    own = tuple(mask.shape[:-3])
    if prod(own) != 1:
        mask = _broadcast(mask, (*batch, *mask.shape[-3:]))
    return reshaped(mask, (prod(mask.shape[:-3]), *mask.shape[-3:]))


def _broadcast(mask: Any, shape: tuple[int, ...]) -> Any:
    try:
        return mask.expand(shape) if hasattr(mask, "expand") else in_full(mask, shape)
    except (ValueError, RuntimeError) as error:
        raise ArgumentError(
            f"attn_mask: expected a shape that broadcasts to {list(shape[:-3])} before the heads, "
            f"got {said(mask)}"
        ) from error


def _with_leading(result: Any, leading: tuple[int, ...]) -> Any:
    """An output or lse with a call's own axes in place of batch and heads."""
    return reshaped(result, (*leading, *result.shape[2:]))
