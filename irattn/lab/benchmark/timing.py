"""Time calls in turns, side by side: A B A B."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Clock = Callable[[], float]
# What a turn gives: seconds of single calls.
Turn = Callable[[], list[float]]


@dataclass(frozen=True)
class Spread:
    """Seconds of a call: the median of `calls` calls, and the quartiles around it."""

    median: float
    lower: float
    upper: float
    calls: int

    @staticmethod
    def of(seconds: Sequence[float]) -> "Spread":
        """The spread of at least one call's seconds."""
        lower, median, upper = (float(q) for q in np.quantile(seconds, (0.25, 0.5, 0.75)))
        return Spread(median, lower, upper, len(seconds))


def take_turn(
    call: Callable[[], object],
    seconds: float,
    wait: Callable[[], object] | None = None,
    clock: Clock = time.perf_counter,
) -> list[float]:
    """Seconds of each call that fits into `seconds`, at least one, after one that does not count.

    The uncounted call brings back what the other side's turn drove out of caches and clocks. With
    `wait`, calls only launch: as many as fit are launched, then waited for once, and the result is
    their mean alone.
    """
    once = _timed(call, wait, 1, clock)
    if wait is not None:
        count = max(1, min(1000, int(seconds / max(once, 1e-9))))
        return [_timed(call, wait, count, clock) / count]
    times = [_timed(call, None, 1, clock)]
    while sum(times) + times[-1] <= seconds:
        times.append(_timed(call, None, 1, clock))
    return times


def interleave(sides: Sequence[Turn], turns: int) -> list[list[list[float]]]:
    """The turns of each side, taken one after the other: the first of all, the second of all, …"""
    taken: list[list[list[float]]] = [[] for _ in sides]
    for _ in range(turns):
        for side, turn in zip(taken, sides, strict=True):
            side.append(turn())
    return taken


def _timed(
    call: Callable[[], object], wait: Callable[[], object] | None, count: int, clock: Clock
) -> float:
    start = clock()
    for _ in range(count):
        call()
    if wait is not None:
        wait()
    return clock() - start
