"""How the order of workgroups tells on a launch, where it is known by hand."""

from collections.abc import Sequence

import numpy as np
import pytest

from irattn import targets
from irattn.binary.inspection.figures import Occupancy
from irattn.lab.emulator.measure.order import WorkgroupPlaces, last_end, places_of, until_dies_end


@pytest.mark.parametrize(
    ("work", "places", "room", "end"),
    [
        ([1, 1, 3], 2, 1, 4),
        ([3, 1, 1], 2, 1, 3),
        # Those of one place share it: 3 and 3 on the first, 1 and 1 on the other.
        ([3, 1, 3, 1], 2, 2, 6),
        ([3, 3, 1, 1], 2, 2, 4),
        # 1 and 2 share a place until cycle 2; the 2 then has one left, and the 4 comes to share.
        ([1, 2, 4], 1, 2, 7),
        # None begins before one that waits for room: the last 1 begins at 1, not at 0.
        ([2, 1, 1, 1], 2, 1, 3),
        # Where several places have room at once, each has one.
        ([2, 2, 2, 2, 1, 1], 2, 2, 5),
        ([2] * 5, 2, 2, 6),
        ([0, 0], 2, 1, 0),
        ([], 2, 1, 0),
    ],
)
def test_when_the_last_workgroup_ends(
    work: Sequence[float], places: int, room: int, end: float
) -> None:
    assert last_end(np.array(work, float), places, room, apart=0) == pytest.approx(end)
    # What keeps a cycle between the starts of workgroups is little to those that take long.
    long = last_end(1000 * np.array(work, float), places, room)
    assert 1000 * end <= long <= 1000 * end + len(work)


def test_light_workgroups_have_ended_when_others_begin() -> None:
    """One of four has work: all at once, the first of four places would have all of these."""
    work = np.where(np.arange(16) % 4 == 0, 1000.0, 1)
    assert last_end(work, 4, 4, apart=0) == pytest.approx(4000)
    assert last_end(work, 4, 4) == pytest.approx(1012)


def test_no_order_is_better_than_the_mean_or_worse_than_it_and_the_heaviest() -> None:
    """Graham's bound for lists, with a place for each that has room for one."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        work, places = rng.integers(1, 20, 40).astype(float), int(rng.integers(2, 9))
        mean = work.sum() / places
        end = last_end(work, places, 1, apart=0)
        assert mean <= end <= mean + work.max() * (1 - 1 / places)
        # Sharing ends no sooner than work does, and all is done one after the other at the latest.
        assert mean - 1e-6 <= last_end(work, places, 3, apart=0) <= work.sum()


def test_each_die_has_its_own_in_order() -> None:
    work, numbers = np.array([40.0, 10, 10, 10, 10, 30]), np.arange(6)
    assert until_dies_end(work, numbers, WorkgroupPlaces(2, 1, 1)).tolist() == [60, 50]
    # The second of a die begins a cycle later.
    assert until_dies_end(work, numbers, WorkgroupPlaces(2, 2, 1)).tolist() == [40, 40]


@pytest.mark.parametrize(
    ("gfx", "waves", "waves_per_simd", "places"),
    [
        # 48 work-group processors of 4 SIMDs; workgroups of 2 waves have half of one each.
        ("gfx1100", 4, 6, WorkgroupPlaces(1, 48, 6)),
        ("gfx1100", 8, 6, WorkgroupPlaces(1, 48, 3)),
        ("gfx1100", 2, 6, WorkgroupPlaces(1, 96, 6)),
        ("gfx1100", 16, 2, WorkgroupPlaces(1, 48, 1)),
        ("gfx942", 4, 3, WorkgroupPlaces(8, 38, 3)),
        ("gfx90a", 1, None, WorkgroupPlaces(1, 440, 1)),
    ],
)
def test_places(gfx: str, waves: int, waves_per_simd: int | None, places: WorkgroupPlaces) -> None:
    chip = targets.get(gfx).chip
    assert chip is not None
    assert chip.peak is not None
    assert chip.simd is not None
    occupancy = Occupancy(waves_per_simd, 9, 9, 16) if waves_per_simd else None
    assert places_of(waves, chip.peak, chip.simd, occupancy) == places
