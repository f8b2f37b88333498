"""Tell what each die of a chip has to do in a launch, and why one has more than another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irattn.lab.emulator.measure.latencies import Span
from irattn.lab.emulator.measure.traffic import Traffic
from irattn.lab.emulator.measure.work import WorkgroupCounts


@dataclass(frozen=True)
class DieLoad:
    """The load of one die in a launch: what its workgroups execute, and how long that takes.

    `of_workgroup` are the instructions of the workgroup that executes least, and of that which
    executes most. The die's L2 misses `least_bytes` if it keeps each line that any workgroup asked
    for, and `most_bytes` if none finds there what another one asked for.
    """

    workgroups: int
    matrix_instructions: int
    instructions: int
    of_workgroup: Span
    microseconds: float
    least_bytes: int
    most_bytes: int


@dataclass(frozen=True)
class Dies:
    """The loads of a chip's dies in a launch.

    The instructions of workgroups repeat after `repeats_after` of them, in the order of the grid:
    1 where all execute as many, None where they do not repeat.
    """

    loads: tuple[DieLoad, ...]
    repeats_after: int | None

    @property
    def worst_time(self) -> float:
        """How many times the mean the time of the slowest die is."""
        return worst_over_mean([one.microseconds for one in self.loads])

    @property
    def worst_matrix(self) -> float:
        """How many times the mean the matrix instructions of the die are that has most."""
        return worst_over_mean([one.matrix_instructions for one in self.loads])

    @property
    def kinds_of_each(self) -> int | None:
        """How many of the `repeats_after` kinds of workgroups run on one die."""
        period = self.repeats_after
        return period and period // math.gcd(period, len(self.loads))


def dies_of_launch(work: WorkgroupCounts, traffic: Traffic, microseconds: np.ndarray) -> Dies:
    """The loads of dies that take so long, [dies], as far as compute units go."""
    executed = sum(work.instructions.values(), np.zeros_like(work.numbers))
    matrix = work.instructions.get("matrix", np.zeros_like(work.numbers))
    least, most = traffic.touched_by_die, traffic.asked_by_die
    loads = []
    for die, time in enumerate(microseconds):
        own = work.numbers % traffic.dies == die
        loads.append(
            DieLoad(
                workgroups=int(own.sum()),
                matrix_instructions=int(matrix[own].sum()),
                instructions=int(executed[own].sum()),
                of_workgroup=_range(executed[own]),
                microseconds=float(time),
                least_bytes=int(least[die]),
                most_bytes=int(most[die]),
            )
        )
    return Dies(tuple(loads), period(executed.tolist()))


def summed_by_die(each: np.ndarray, work: WorkgroupCounts, dies: int) -> np.ndarray:
    """Figures of workgroups, [workgroups], summed for the dies that they run on: [dies]."""
    return np.bincount(work.numbers % dies, each, minlength=dies)


def worst_over_mean(figures: Sequence[float]) -> float:
    """How many times the mean the largest of several figures is; 1 where all are 0."""
    mean = sum(figures) / len(figures)
    return max(figures) / mean if mean else 1.0


def period(figures: Sequence[float]) -> int | None:
    """After how many figures they repeat, at least once; None where they do not.

    By the failure function of Knuth, Morris and Pratt: the longest end that is a beginning, too.
    """
    ends = [0] * len(figures)
    length = 0
    for i in range(1, len(figures)):
        while length and figures[i] != figures[length]:
            length = ends[length - 1]
        length += figures[i] == figures[length]
        ends[i] = length
    after = len(figures) - length
    return after if after == 1 or 2 * after <= len(figures) else None


def _range(executed: np.ndarray) -> Span:
    return Span(int(executed.min(initial=executed.max(initial=0))), int(executed.max(initial=0)))
