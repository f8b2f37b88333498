"""A simple model of how long a launch takes, to rank alternatives where there is no hardware.

Each unit of the chip is busy for as long as what was executed needs of it at its peak rate; the
busiest unit decides. Workgroups go to the dies of a chip in turn, and the die that takes longest
decides. The waves of a workgroup stay in one compute unit, on RDNA in a work-group processor, and
workgroups begin in the order of the grid where there is room, as `order` says: few large ones leave
others idle, and so do those with most work that begin last. Not seen: latency, waits, lines that an
L2 had no room for, clocks that fall under load. A figure is no promise of time: compare it with
another one. Waits are seen in the range of `cycles` only.

- issue: a SIMD of RDNA issues an instruction in a cycle, one of CDNA a vector instruction in four.
- matrix: the cycles that each matrix instruction takes of its SIMD's unit: `isa/matrix_cycles.py`.
- SIMD: its lanes compute a vector instruction in one cycle on RDNA, four on CDNA; transcendental
  ones take four times as long. On RDNA matrix instructions take the same lanes, and add up with
  these; CDNA has units of their own for them.
- LDS: phases of lanes over the banks, one in a cycle and compute unit where no bank conflicts.
- cache: lines of 128 bytes, before CDNA 3 of 64, one in a cycle and compute unit.
- memory: every line that is touched moves once, at the chip's bandwidth, or at that share of it
  that the SIMDs are which have a wave at first.
- fabric: every line that a die touches moves to its L2 once, at the peak rate of the Infinity
  Cache; only where that is known.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from irattn.binary.inspection.figures import Occupancy
from irattn.lab.emulator.measure.counts import Counts
from irattn.lab.emulator.measure.dies import Dies, dies_of_launch, summed_by_die
from irattn.lab.emulator.measure.latencies import Span
from irattn.lab.emulator.measure.order import (
    DispatchOrder,
    WorkgroupPlaces,
    order_of,
    places_of,
    until_dies_end,
)
from irattn.lab.emulator.measure.traffic import Traffic
from irattn.lab.emulator.measure.work import WorkgroupCounts
from irattn.targets import Simd, Target
from irattn.targets.chips import Peak

_LAUNCH_MICROSECONDS = 2.0


@dataclass(frozen=True)
class Estimate:
    """Microseconds that a launch keeps each unit busy, and the whole of it with its overhead.

    `busy` are those of a unit of the chip on average, `times` those until the last of them is done.
    `microseconds` is with all units at work at the same time, `apart` with one after the other:
    code lies in between, as far as the model goes. `idle_share` is that of the chip's time until
    the last workgroup ends. `cycles` are those from the first wave's start to the last one's end:
    at the least what the busiest unit takes, or one wave that is alone, with all that it loads in
    caches; at the most what units take one after the other, and waves of each round that wait for
    memory beside it. `dies` are there where the chip has several, `order` where it is known; a
    launch with copies has neither.
    """

    busy: Mapping[str, float]
    times: Mapping[str, float]
    idle_share: float
    microseconds: float
    apart: float
    cycles: Span | None = None
    dies: Dies | None = None
    order: DispatchOrder | None = None

    @property
    def bound_by(self) -> str:
        """The unit that decides."""
        return max(self.times, key=lambda unit: self.times[unit])

    @property
    def matrix_share(self) -> float:
        """The share of the whole for which matrix units are busy."""
        return self.busy.get("matrix", 0.0) / self.microseconds


def estimate(
    counts: Counts,
    target: Target,
    occupancy: Occupancy | None,
    copies: int = 1,
    work: float = 1.0,
) -> Estimate | None:
    """The model's figures for a launch that was measured; None where the chip is not known.

    With `copies`, those of a launch of so many times its workgroups, with memory of their own, each
    of which executes so many times its `work` on it. Copies fall evenly on the dies of a chip: the
    grid of the whole, which decides, is not known.
    """
    chip, traffic, groups = target.chip, counts.traffic, counts.by_workgroup
    if not chip or not chip.peak or not chip.simd or traffic is None or groups is None:
        return None
    peak, simd = chip.peak, chip.simd
    waves = counts.waves / counts.workgroups
    launch = _Launch(waves, places_of(waves, peak, simd, occupancy), peak, simd, copies, work)
    units = _units(groups, traffic, launch)
    far = {what: copies * each for what, each in _far(traffic, peak).items()}
    far_times = {what: each / units.at_first for what, each in far.items()}
    times = units.times | far_times
    apart = _apart(units.of_dies, simd) + max(far_times.values())
    rounds = _rounds(counts, peak, simd, occupancy, copies)
    span = counts.alone and Span(
        _whole(max(max(times.values()) * peak.ghz * 1e3, work * counts.alone.least)),
        _whole(apart * peak.ghz * 1e3 + rounds * work * counts.alone.most),
    )
    has_dies = peak.dies > 1 and copies == 1
    return Estimate(
        units.busy | far,
        times,
        units.idle_share,
        microseconds=max(times.values()) + _LAUNCH_MICROSECONDS,
        apart=apart + _LAUNCH_MICROSECONDS,
        cycles=span,
        dies=dies_of_launch(groups, traffic, units.time_of_dies) if has_dies else None,
        order=units.order,
    )


@dataclass(frozen=True)
class _Launch:
    """So many copies of a launch of workgroups of so many `waves`, with that much more `work`."""

    waves: float
    places: WorkgroupPlaces
    peak: Peak
    simd: Simd
    copies: int
    work: float

    @property
    def share(self) -> float:
        """The cycles of a place that does what a whole compute unit does in one."""
        return self.work * self.simd.of_unit / min(self.waves, self.simd.simds)


@dataclass(frozen=True)
class _Units:
    """The units of compute units in a launch, in microseconds: for how long they are `busy`, as the
    mean of the chip, and until those of a die are done, [dies].

    `at_first` and `until_the_end` are the shares of SIMDs that have a wave, as `_at_work` says.
    `order` is that of the unit that decides; None of copies.
    """

    busy: dict[str, float]
    of_dies: dict[str, np.ndarray]
    at_first: float
    until_the_end: np.ndarray
    order: DispatchOrder | None

    @property
    def times(self) -> dict[str, float]:
        """The times until the units of the slowest die are done."""
        return {unit: float(each.max()) for unit, each in self.of_dies.items()}

    @property
    def time_of_dies(self) -> np.ndarray:
        """The times until all units of a die are done: [dies]."""
        return np.asarray(np.max(list(self.of_dies.values()), axis=0))

    @property
    def idle_share(self) -> float:
        """The share of the chip's time for which the unit that takes longest has no work."""
        times = self.times
        slowest = max(times, key=lambda unit: times[unit])
        if not times[slowest]:
            return 1 - float(self.until_the_end.mean())
        return 1 - self.busy[slowest] / times[slowest]


def _units(work: WorkgroupCounts, traffic: Traffic, launch: _Launch) -> _Units:
    """The units in a launch."""
    peak, copies, rate = launch.peak, launch.copies, launch.peak.ghz * 1e3
    at_first, until_the_end = _at_work(_workgroups(work, launch), launch)
    at_work = until_the_end * peak.compute_units
    busy, of_dies, order = {}, {}, None
    cycles = _cycles(work, traffic, launch.simd)
    for unit, each in cycles.items():
        taken = copies * launch.work * float(each.sum()) / rate
        busy[unit] = taken / peak.compute_units
        if copies > 1:
            of_dies[unit] = taken / at_work
        else:
            of_dies[unit] = until_dies_end(launch.share * each, work.numbers, launch.places) / rate
    if copies == 1:
        slowest = max(of_dies, key=lambda unit: of_dies[unit].max())
        order = order_of(launch.share * cycles[slowest], work.numbers, launch.places)
    return _Units(busy, of_dies, at_first, until_the_end, order)


def _workgroups(work: WorkgroupCounts, launch: _Launch) -> np.ndarray:
    """The workgroups of each die: [dies]."""
    dies = launch.peak.dies
    if launch.copies > 1:
        return np.full(dies, launch.copies * len(work.numbers) / dies)
    return summed_by_die(np.ones_like(work.numbers), work, dies)


def _whole(cycles: float) -> int:
    """Whole cycles; what rounding adds is none."""
    return math.ceil(round(cycles, 6))


def _cycles(work: WorkgroupCounts, traffic: Traffic, simd: Simd) -> dict[str, np.ndarray]:
    """The cycles for which workgroups keep the units of a compute unit: [workgroups]."""
    vector = work.instructions.get("vector", np.zeros_like(work.numbers))
    # Matrix instructions and waits are no work of the issue ports.
    others = [each for kind, each in work.instructions.items() if kind not in ("wait", "matrix")]
    issued = sum(others, (simd.vector_cycles - 1) * vector)
    matrix = work.matrix_cycles / simd.of_unit
    computed = simd.vector_cycles * (vector + 3 * work.transcendental) / simd.of_unit
    return {
        "issue": issued / simd.of_unit,
        "matrix": matrix,
        "SIMD": computed + (matrix if simd.multiplies_matrices else 0),
        "LDS": traffic.lds_cycles_of[work.numbers],
        "cache": traffic.cache_cycles_of[work.numbers],
    }


def _far(traffic: Traffic, peak: Peak) -> dict[str, float]:
    """Microseconds for what lies beyond the dies, where all of the chip asks for it."""
    far = {"memory": traffic.touched_bytes / (peak.gigabytes_per_second * 1e3)}
    if peak.infinity_cache and peak.infinity_cache.gigabytes_per_second:
        rate = peak.infinity_cache.gigabytes_per_second * 1e3
        far["fabric"] = float(traffic.touched_by_die.sum()) / rate
    return far


def _apart(of_dies: Mapping[str, np.ndarray], simd: Simd) -> float:
    """Microseconds of the slowest die with one unit after the other."""
    # Lanes compute what is issued; where they multiply matrices, these are counted already.
    lanes = np.maximum(of_dies["issue"], of_dies["SIMD"])
    matrix = 0 if simd.multiplies_matrices else of_dies["matrix"]
    return float((lanes + matrix + of_dies["LDS"] + of_dies["cache"]).max())


def _rounds(
    counts: Counts, peak: Peak, simd: Simd, occupancy: Occupancy | None, copies: int
) -> int:
    """How many times a SIMD is filled with waves."""
    at_once = peak.compute_units * simd.of_unit * (occupancy.waves_per_simd if occupancy else 1)
    return math.ceil(copies * counts.waves / at_once)


def _at_work(workgroups: np.ndarray, launch: _Launch) -> tuple[float, np.ndarray]:
    """The share of SIMDs that have a wave: at first of the chip, and of each die until its last
    workgroup ends, where all have as much work.

    Each compute unit, which has `simd.simds` of them, takes as many workgroups as another, or one
    more, however many it has room for: one wave keeps its SIMD busy.
    """
    peak, simd = launch.peak, launch.simd
    simds = peak.compute_units * simd.of_unit / peak.dies
    shares = workgroups * min(launch.waves, simd.simds) / simds
    turns = np.maximum(1, np.ceil(workgroups / launch.places.of_die))
    return float(np.minimum(1, shares).mean()), shares / turns
