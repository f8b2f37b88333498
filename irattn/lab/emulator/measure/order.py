"""How long a launch takes for the order in which its workgroups begin.

Workgroups begin in the order of the grid, x innermost, each on the compute unit (RDNA: work-group
processor) that has the fewest, as soon as one has room for it; those on one share it evenly. The
next waits until there is room for it: none overtakes another. So it is where heavy ones come last
that most of a chip waits for a few. Each die has its own in order.

That the dispatcher hands out workgroups in order, and that one without room holds up those behind
it, is what Otterness and Anderson found ("Exploring AMD GPU scheduling details by experimenting
with 'worst practices'", Real-Time Systems, 2022); that they go where resources are left, AMD's
patent US 11,941,723. Assumed: a unit is chosen by how many workgroups it has, one begins in a
cycle, and shader engines, to which some chips hand out in turn, have no part in it.
"""

import math
from dataclasses import dataclass

import numpy as np

from irattn.binary.inspection.figures import Occupancy
from irattn.lab.emulator.measure.latencies import Span
from irattn.targets import Simd
from irattn.targets.chips import Peak

# Cycles between the starts of two workgroups of a die: light ones have ended when others begin.
_APART = 1.0
# What is left of a workgroup's work when it is done: of the most that one has.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class WorkgroupPlaces:
    """The places of a chip that one workgroup keeps busy, on each of `dies` so many, and the `room`
    of each for workgroups that share it.
    """

    dies: int
    of_die: int
    room: int


@dataclass(frozen=True)
class DispatchOrder:
    """How the order of workgroups tells on a launch.

    `work` is that of the lightest and of the heaviest workgroup: cycles of the unit that decides.
    `over_mean` is how many times the mean of all places the time is until the last one has no more
    to do, and `sorted_over_mean` if workgroups with more work came before those with less.
    """

    workgroups: int
    places: WorkgroupPlaces
    work: Span
    over_mean: float
    sorted_over_mean: float

    @property
    def tells(self) -> bool:
        """Whether workgroups differ, and some wait for others to end."""
        of_all = self.places.dies * self.places.of_die
        return self.workgroups > of_all and self.work.least < self.work.most


def places_of(waves: float, peak: Peak, simd: Simd, occupancy: Occupancy | None) -> WorkgroupPlaces:
    """The places for workgroups of so many `waves`: a compute unit, or work-group processor, has as
    many as its SIMDs have a wave for.
    """
    side_by_side = max(1, int(simd.simds / waves))
    units = peak.compute_units * simd.of_unit // (simd.simds * peak.dies)
    at_once = occupancy.waves_per_simd * simd.simds / waves if occupancy else 1
    return WorkgroupPlaces(peak.dies, units * side_by_side, max(1, int(at_once / side_by_side)))


def until_dies_end(work: np.ndarray, numbers: np.ndarray, places: WorkgroupPlaces) -> np.ndarray:
    """When each die's last workgroup ends: [dies]; workgroups have `numbers` in the grid."""
    own = [work[numbers % places.dies == die] for die in range(places.dies)]
    return np.array([last_end(each, places.of_die, places.room) for each in own])


def order_of(
    work: np.ndarray, numbers: np.ndarray, places: WorkgroupPlaces
) -> DispatchOrder | None:
    """The order of workgroups of so much work; None where they have none."""
    mean = float(work.sum()) / (places.dies * places.of_die)
    if not mean:
        return None
    heaviest_first = np.sort(work)[::-1]
    return DispatchOrder(
        len(work),
        places,
        Span(round(work.min()), round(work.max())),
        float(until_dies_end(work, numbers, places).max()) / mean,
        float(until_dies_end(heaviest_first, np.sort(numbers), places).max()) / mean,
    )


def last_end(work: np.ndarray, places: int, room: int, apart: float = _APART) -> float:
    """When the last workgroup ends of those with so much `work`, in order: [workgroups]; they begin
    so many cycles `apart`.
    """
    most = float(work.max(initial=0))
    if most == work.min(initial=most):
        return math.ceil(len(work) / places) * most
    rounding = _ROUNDING * most
    left, running = np.full((places, room), np.inf), np.zeros(places, int)
    now, next_at, begun = 0.0, 0.0, 0
    while True:
        while begun < len(work) and running.min() < room and next_at <= now + rounding:
            place = int(running.argmin())
            left[place, int(np.isinf(left[place]).argmax())] = work[begun]
            running[place] += 1
            begun, next_at = begun + 1, now + apart
        side_by_side = np.maximum(running, 1)
        step = float((left.min(axis=1) * side_by_side).min())
        if begun < len(work) and running.min() < room:
            step = min(step, next_at - now)
        if math.isinf(step):
            return now
        left -= step / side_by_side[:, None]
        left[left <= rounding] = np.inf
        running = np.isfinite(left).sum(axis=1)
        now += step
