"""Two calls that do not wait for each other: on a GPU, on two streams of PyTorch."""

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

_One = TypeVar("_One")
_Other = TypeVar("_Other")


def side_by_side(
    array: Any, one: Callable[[], _One], other: Callable[[], _Other]
) -> tuple[_One, _Other]:
    """Results of two calls, of arrays that lie where `array` does.

    Tensors of PyTorch on a GPU are used by both at the same time, and only then by what follows on
    the stream that is current; a graph that is captured has two branches. Elsewhere, one comes
    after the other.
    """
    if not getattr(array, "is_cuda", False):
        return one(), other()
    cuda = sys.modules["torch"].cuda
    current = cuda.current_stream(array.device)
    # What was made on it before is in use on the current stream until that waits again.
    side = _side_stream(array.device, current.cuda_stream)
    side.wait_stream(current)
    with cuda.stream(side):
        there = one()
    here = other()
    current.wait_stream(side)
    return there, here


@lru_cache(maxsize=64)
def _side_stream(device: Any, current: int) -> Any:
    """The stream beside one: no other shares it, whose memory it would take for free too early."""
    return sys.modules["torch"].cuda.Stream(device)
