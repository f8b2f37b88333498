"""Logits as attention and its stages have them: their axes, caps and windows."""

from collections.abc import Mapping
from typing import Any

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import MAX_SIZE, real
from irattn.core.tensors import AnySize, Role, TensorType

ALIGNMENTS = ("bottom_right", "top_left")

# The axes of the logits, as `bias` and `keep_mask` name them.
AXES = "bhqk"


def bias_tensor(axes: str | None, sizes: Mapping[str, AnySize], dtype: str) -> TensorType:
    """The bias that varies along some axes of the logits and has size 1 along the others."""
    return TensorType("bias", _broadcast(axes, sizes), dtype, role=Role.BIAS)


def keep_mask_tensor(axes: str | None, sizes: Mapping[str, AnySize]) -> TensorType:
    """The mask that varies along some axes of the logits and has size 1 along the others."""
    return TensorType("keep_mask", _broadcast(axes, sizes), "bool", role=Role.KEEP_MASK)


def _broadcast(axes: str | None, sizes: Mapping[str, AnySize]) -> tuple[AnySize, ...]:
    return tuple(size if axis in (axes or "") else 1 for axis, size in sizes.items())


def check_axes(name: str, axes: object, known: str = AXES) -> None:
    """Refuse anything but some of the known axes, in their order."""
    if not isinstance(axes, str) or not axes or axes != "".join(a for a in known if a in axes):
        raise SpecError(
            f"{name}: expected some of the axes {known} in this order "
            f"(b batch, h head, q query, k key), got {shown(axes)}"
        )


def stored_cap(cap: Any) -> float | None:
    """The cap as a real number; None for 0, which is how other libraries write no cap."""
    if cap is None or (type(cap) in (int, float) and cap == 0):
        return None
    expected = "a number from 0.001 to 1e6"
    return real("logits_soft_cap", cap, 1e-3, 1e6, expected=expected)


def stored_window(window: Any, causal: bool) -> tuple[int | None, int | None] | None:
    """The window as a tuple; None where it hides nothing that is not hidden anyway.

    -1 is how other libraries write no limit, and no window.
    """
    if window is None or (type(window) is int and window == -1):
        return None
    if not isinstance(window, list | tuple) or len(window) != 2:
        raise SpecError(f"window: expected [left, right], got {shown(window)}")
    for size in window:
        if size is not None and (type(size) is not int or size < -1):
            raise SpecError(
                "window: expected whole numbers of at least 0, or null or -1 for no limit, "
                f"got {shown(list(window))}"
            )
    # No sequence is longer than the largest size: what reaches further has no limit.
    left, right = (None if size is None or not 0 <= size <= MAX_SIZE else size for size in window)
    right = None if causal else right
    return None if left is None and right is None else (left, right)


def capped_sum(first: int, count: int, most: int) -> int:
    """The sum of `count` successive numbers, each taken as 0 or as `most` where it lies beyond."""

    def below(end: int) -> int:
        rising = min(max(end, 0), most)
        return rising * (rising - 1) // 2 + (max(end, 0) - rising) * most

    return below(first + count) - below(first)
