"""A mask of another library, of any shape that broadcasts, as the tensor that a spec names."""

from collections.abc import Sequence

from irattn.core.errors import ArgumentError
from irattn.specs.features import AXES


def axes_of(name: str, shape: Sequence[int], scores: Sequence[int]) -> str:
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
