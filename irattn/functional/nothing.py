"""The outputs of a call that has no query, or no key to see."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from irattn.core.dtypes import any_name, dtype
from irattn.core.errors import ArgumentError
from irattn.functional.arrays import Taken, contents_of, like
from irattn.functional.shapes import check_heads_fit, said

P = ParamSpec("P")
R = TypeVar("R")


def of_any_columns(attention: Callable[P, R]) -> Callable[P, R]:
    """Attention of query, key and value without columns, by that of a column of zeros.

    All keys that are seen have the logit 0 then, and weights are there though they weigh nothing.
    """
    function: Callable[..., Any] = attention

    @wraps(attention)
    def call(query: Any, key: Any, value: Any, *others: Any, **named: Any) -> Any:
        arrays = {"query": query, "key": key, "value": value}
        if all(getattr(one, "shape", (1,))[-1:] != (0,) for one in arrays.values()):
            return function(query, key, value, *others, **named)
        results = function(*with_columns(arrays).values(), *others, **named)
        if value.shape[-1]:
            return results
        output, *lse = results if isinstance(results, tuple) else (results,)
        nothing = like(query, without_columns(output))
        return (nothing, *lse) if lse else nothing

    return call  # type: ignore[return-value]


def with_columns(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays, those that have no column with one of zeros.

    An array of an element type that is none here is left as it is, for checks to name it.
    """
    return {name: _with_column(array) for name, array in arrays.items()}


def _with_column(array: Any) -> Any:
    element = any_name(getattr(array, "dtype", None))
    if element is None or array.shape[-1:] != (0,):
        return array
    return like(array, np.zeros((*array.shape[:-1], 1), dtype(element).numpy))


def without_columns(output: Any) -> np.ndarray:
    """An output of no column, which has nothing in it."""
    return np.zeros((*output.shape[:-1], 0), dtype(any_name(output.dtype) or "").numpy)


def shapes_of_nothing(**arrays: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shapes of the output and of the lse of a query, keys and values, heads their second axis.

    ArgumentError, by the name of the keys, where heads or columns do not fit the query's.
    """
    (_, query), (name, keys), (_, values) = arrays.items()
    if keys.shape[-1] != query.shape[-1]:
        raise ArgumentError(
            f"{name}: expected head_dim {query.shape[-1]} as in query {said(query)}, got "
            f"{said(keys)}"
        )
    check_heads_fit(name, query.shape[1], keys.shape[1], enable_gqa=True)
    shape = (*query.shape[:-1], values.shape[-1])
    # Packed tokens come before heads, but not in the lse.
    return shape, shape[1::-1] if len(shape) == 3 else shape[:-1]


def states_of_nothing(
    shape: Sequence[int],
    lse_shape: Sequence[int],
    io_dtype: str,
    *,
    sinks: Taken | None = None,
    return_lse: bool = False,
) -> tuple[np.ndarray, ...]:
    """The output where no key is seen, and the lse, if it is asked for: each head's sink, or -inf.

    Heads are the last axis but one of the lse.
    """
    output = np.zeros(shape, dtype(io_dtype).numpy)
    if not return_lse:
        return (output,)
    own = np.asarray([-np.inf]) if sinks is None else contents_of(sinks)
    return output, np.broadcast_to(own[:, None], lse_shape).astype(np.float32)
