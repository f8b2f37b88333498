"""A simple model of how long a launch takes, to rank alternatives where there is no hardware.

Each unit of the chip is busy for as long as what was executed needs of it at its peak rate, spread
evenly over the compute units that have workgroups; the busiest unit decides. The waves of a
workgroup stay in one compute unit, on RDNA in a work-group processor, so that few large workgroups
leave others idle, and so do those that are left over where each has had as many. Not seen: latency,
waits, caches beyond one pass over memory, clocks that fall under load, workgroups with less to do
than others. A figure is no promise of time: compare it with another one. Waits are seen in the
range of `cycles` only.

- issue: a SIMD of RDNA issues an instruction in a cycle, one of CDNA a vector instruction in four.
- matrix: the cycles that each matrix instruction takes of its SIMD's unit: `isa/matrix_cycles.py`.
- SIMD: its lanes compute a vector instruction in one cycle on RDNA, four on CDNA; transcendental
  ones take four times as long. On RDNA matrix instructions take the same lanes, and add up with
  these; CDNA has units of their own for them.
- LDS: phases of lanes over the banks, one in a cycle and compute unit where no bank conflicts.
- cache: lines of 128 bytes, before CDNA 3 of 64, one in a cycle and compute unit.
- memory: every line that is touched moves once, at the chip's bandwidth, or at that share of it
  that the SIMDs are which have a wave at first.
"""

import math
from dataclasses import dataclass, replace

from irattn.binary.inspection.figures import Occupancy
from irattn.lab.emulator.measure.counts import Counts
from irattn.lab.emulator.measure.latencies import Span
from irattn.targets import Target

_LAUNCH_MICROSECONDS = 2.0


@dataclass(frozen=True)
class Estimate:
    """Microseconds that a launch keeps each unit busy, and the whole of it with its overhead.

    `microseconds` is with all units at work at the same time, `apart` with one after the other:
    code lies in between, as far as the model goes. `idle_share` is that of the chip's time until
    the last workgroup ends, `idle_memory` that of its bandwidth for which no SIMD asks. `cycles`
    are those from the first wave's start to the last one's end: at the least what the busiest unit
    takes, or one wave that is alone, with all that it loads in caches; at the most what units take
    one after the other, and waves of each round that wait for memory beside it.
    """

    busy: dict[str, float]
    idle_share: float
    microseconds: float
    apart: float = 0.0
    cycles: Span | None = None
    idle_memory: float = 0.0

    @property
    def bound_by(self) -> str:
        """The unit that decides."""
        return max(self.busy, key=self.time_of)

    def time_of(self, unit: str) -> float:
        """For how long a unit is busy where it has work."""
        idle = self.idle_memory if unit == "memory" else self.idle_share
        return self.busy[unit] / (1 - idle)

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
    of which executes so many times its `work` on it.
    """
    chip = target.chip
    if not chip or not chip.peak or not chip.simd or counts.traffic is None:
        return None
    peak, simd = chip.peak, chip.simd
    units = peak.compute_units
    simds = units * simd.of_unit
    vector = counts.instructions.get("vector", 0)
    slow = (simd.vector_cycles - 1) * vector
    # Matrix instructions and waits are no work of the issue ports.
    free = ("wait", "matrix")
    issued = sum(n for kind, n in counts.instructions.items() if kind not in free) + slow
    matrix = counts.matrix_cycles / simds
    computed = simd.vector_cycles * (vector + 3 * counts.transcendental)
    cycles = {
        "issue": issued / simds,
        "matrix": matrix,
        "SIMD": computed / simds + (matrix if simd.multiplies_matrices else 0),
        "LDS": counts.traffic.lds_cycles / units,
        "cache": counts.traffic.cache_cycles / units,
    }
    per_microsecond = peak.ghz * 1e3
    busy = {unit: copies * work * count / per_microsecond for unit, count in cycles.items()}
    busy["memory"] = copies * counts.traffic.touched_bytes / (peak.gigabytes_per_second * 1e3)
    at_first, until_the_end = _at_work(
        copies * counts.workgroups, copies * counts.waves, simds, simd.simds
    )
    untimed = Estimate(busy, 1 - until_the_end, 0.0, idle_memory=1 - at_first)
    times = {unit: untimed.time_of(unit) for unit in busy}
    # Lanes compute what is issued; where they multiply matrices, these are counted already.
    apart_from_lanes = 0 if simd.multiplies_matrices else times["matrix"]
    lanes = max(times["issue"], times["SIMD"]) + apart_from_lanes
    apart = lanes + times["LDS"] + times["cache"] + times["memory"]
    together = max(times.values())
    at_once = simds * (occupancy.waves_per_simd if occupancy else 1)
    rounds = math.ceil(copies * counts.waves / at_once)
    span = counts.alone and Span(
        math.ceil(max(together * per_microsecond, work * counts.alone.least)),
        math.ceil(apart * per_microsecond + rounds * work * counts.alone.most),
    )
    return replace(
        untimed,
        microseconds=together + _LAUNCH_MICROSECONDS,
        apart=apart + _LAUNCH_MICROSECONDS,
        cycles=span,
    )


def _at_work(workgroups: int, waves: int, simds: int, of_unit: int) -> tuple[float, float]:
    """The share of SIMDs that have a wave: at first, and until the last workgroup ends.

    Each compute unit, which has `of_unit` of them, takes as many workgroups as another, or one
    more, however many it has room for: one wave keeps its SIMD busy.
    """
    each = waves / workgroups
    side_by_side = max(1, int(of_unit / each))
    shares = workgroups * min(each, of_unit) / simds
    turns = math.ceil(workgroups * of_unit / (simds * side_by_side))
    return min(1.0, shares), shares / turns
