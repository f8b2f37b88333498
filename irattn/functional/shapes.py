"""Check that query, key, value and masks fit each other, in the words of a call."""

from collections.abc import Sequence
from typing import Any

from irattn.core.dtypes import FLOAT_NAMES, any_name, dtype
from irattn.core.errors import ArgumentError, shown
from irattn.specs.logits import ALIGNMENTS, AXES

_FLOATS = f"{', '.join(FLOAT_NAMES[:-1])} or {FLOAT_NAMES[-1]}"


def check_floats(**arrays: Any) -> None:
    """ArgumentError for arrays that are not all of the first one's element type, one of irattn's.

    Any library's arrays are taken, and what stands for them while a program is traced.
    """
    first, *_ = arrays
    wanted = any_name(arrays[first].dtype)
    for name, array in arrays.items():
        element = any_name(array.dtype)
        if element not in FLOAT_NAMES:
            raise ArgumentError(
                f"{name}: expected {_FLOATS}, got {array.dtype}{_hint(name, array)}"
            )
        if element != wanted:
            raise ArgumentError(f"{name}: expected {wanted} as {first}, got {element}")


def _hint(name: str, array: Any) -> str:
    """A hint how an array of another type becomes one that is taken."""
    if str(array.dtype).endswith("float64"):
        return f"; convert it to {dtype('f32').numpy}"
    if not getattr(array.dtype, "isnative", True):
        return f"; give {name}.astype(np.{array.dtype.newbyteorder('=')})"
    if array.dtype in (dtype("bf16").void, dtype("bf16").carrier):
        return f"; if these are the bits of bf16, give {name}.view({dtype('bf16').spelling})"
    return ""


def check_axes_of(name: str, array: Any, axes: str) -> None:
    """ArgumentError for an array of another number of axes; `axes` names them."""
    if len(array.shape) != len(axes.split(",")):
        raise ArgumentError(f"{name}: expected [{axes}], got {said(array)}")


def output_shape(
    query: Any, key: Any, value: Any, *, enable_gqa: bool
) -> tuple[int, int, int, int]:
    """The shape of attention's output; ArgumentError where the arrays do not fit each other."""
    check_floats(query=query, key=key, value=value)
    check_axes_of("query", query, "batch, num_q_heads, q_len, head_dim")
    check_axes_of("key", key, "batch, num_kv_heads, kv_len, head_dim")
    check_axes_of("value", value, "batch, num_kv_heads, kv_len, value_dim")
    if key.shape[3] != query.shape[3]:
        raise ArgumentError(
            f"key: expected head_dim {query.shape[3]} as in query {said(query)}, got {said(key)}"
        )
    if key.shape[:3] != value.shape[:3]:
        raise ArgumentError(
            f"value: expected batch, heads and tokens of key {said(key)}, got {said(value)}"
        )
    if query.shape[0] != key.shape[0] and 1 not in (query.shape[0], key.shape[0]):
        raise ArgumentError(f"key: expected batch {query.shape[0]}, got {key.shape[0]}")
    check_heads_fit("key", query.shape[1], key.shape[1], enable_gqa=enable_gqa)
    batch = key.shape[0] if query.shape[0] == 1 else query.shape[0]
    return batch, query.shape[1], query.shape[2], value.shape[3]


def check_heads_fit(name: str, q_heads: int, kv_heads: int, *, enable_gqa: bool) -> None:
    """ArgumentError where KV heads cannot be, or are not to be, shared among query heads."""
    if q_heads == kv_heads:
        return
    if not enable_gqa:
        raise ArgumentError(
            f"{name}: expected {q_heads} heads as in query, got {kv_heads}; enable_gqa=True shares "
            "them among the query heads"
        )
    if not kv_heads or q_heads % kv_heads:
        raise ArgumentError(
            f"{name}: expected a number of heads that divides query's {q_heads}, got {kv_heads}"
        )


def alignment_of(
    given: str | None, q_len: int, kv_len: int, *, matters: bool, ragged: bool = False
) -> str:
    """Where queries stand among keys; ArgumentError where that matters and nobody says it.

    `ragged` says that sequences of a call have lengths of their own.
    """
    if given is not None and given not in ALIGNMENTS:
        raise ArgumentError(f"alignment: expected {' or '.join(ALIGNMENTS)}, got {shown(given)}")
    if not matters or (q_len == kv_len and not ragged):
        # One kernel for both.
        return ALIGNMENTS[0]
    if given is None:
        raise ArgumentError(
            f"alignment: expected bottom_right or top_left, as is_causal and window mean two "
            f"things with {q_len} queries and {kv_len} keys: with bottom_right the last query "
            "stands at the last key, as in a decode with a cache; with top_left, as PyTorch has "
            "it, the first query at the first key"
        )
    return given


def mask_axes(name: str, shape: Sequence[int], scores: Sequence[int]) -> str:
    """The axes along which a mask varies, of `[batch, num_q_heads, q_len, kv_len]`.

    The mask's shape is aligned at the right, as broadcasting is; along the keys it always counts as
    varying. ArgumentError where it does not broadcast.
    """
    whole = (*(1,) * (len(scores) - len(shape)), *shape)
    pairs = list(zip(whole, scores, strict=False))
    if len(whole) != len(scores) or any(size not in (1, full) for size, full in pairs):
        raise ArgumentError(
            f"{name}: expected a shape that broadcasts to {list(scores)} "
            f"(batch, num_q_heads, q_len, kv_len), got {list(shape)}"
        )
    varies = [size > 1 or axis == "k" for axis, size in zip(AXES, whole, strict=True)]
    return "".join(axis for axis, does in zip(AXES, varies, strict=True) if does)


def said(array: Any) -> str:
    """An array's shape, as messages have it."""
    return f"[{', '.join(map(str, array.shape))}]"
