"""Counts the copies between the host and devices, where they are made."""

import threading
from collections import deque
from dataclasses import astuple, dataclass


@dataclass(frozen=True)
class Transfers:
    """Counts of the copies that were made, and of their bytes.

    `to_device` are copies of the host's arrays into a device's memory, `to_host` copies out of it,
    `on_device` copies within it. On the CPU these are copies within the same memory; an array that
    a CPU device uses where it lies is none.
    """

    to_device: int = 0
    to_host: int = 0
    on_device: int = 0
    bytes_to_device: int = 0
    bytes_to_host: int = 0
    bytes_on_device: int = 0

    def __add__(self, other: "Transfers") -> "Transfers":
        """The copies of two stretches of time."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Transfers(*(one + another for one, another in pairs))

    def __sub__(self, earlier: "Transfers") -> "Transfers":
        """The copies since an earlier count."""
        pairs = zip(astuple(self), astuple(earlier), strict=True)
        return Transfers(*(now - then for now, then in pairs))


# Copies that are not added up yet: to note one takes a small call less than to add it up, for which
# threads would wait for each other.
_noted: deque[tuple[str, int, int]] = deque()
_MOST_NOTED = 1000

# Held to add up: what two threads add would get lost.
_lock = threading.Lock()
_counts = {"to_device": 0, "to_host": 0, "on_device": 0}
_bytes = dict(_counts)


def count(direction: str, num_bytes: int, copies: int = 1) -> None:
    """Note copies: `to_device`, `to_host` or `on_device`."""
    _noted.append((direction, num_bytes, copies))
    if len(_noted) > _MOST_NOTED:
        transfers()


def transfers() -> Transfers:
    """All copies of this process so far; the difference of two is what was copied in between."""
    with _lock:
        while _noted:
            direction, num_bytes, copies = _noted.popleft()
            _counts[direction] += copies
            _bytes[direction] += num_bytes
        return Transfers(**_counts, **{f"bytes_{name}": total for name, total in _bytes.items()})
