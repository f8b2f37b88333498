"""Races for LDS, against a plain list of who touched which byte since the last barrier."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import pytest

from irattn.lab.emulator.faults import FaultError
from irattn.lab.emulator.machine.lds import Lds

WAVES, LANES, BYTES = 3, 4, 64


@dataclass
class Access:
    """A load or store of some waves and lanes: addresses and the lanes as [waves, lanes].

    Waves that are elsewhere in the code are not in `together`.
    """

    addresses: np.ndarray
    offset: int
    size: int
    loads: bool
    active: np.ndarray
    together: np.ndarray


def draw(rng: np.random.Generator, granule: int, *, aligned: bool = True) -> list[Access | None]:
    """Accesses with barriers, None, between them. Most lanes keep to a part of their wave's own.

    Those that are not aligned lie anywhere, and are not smaller than a granule.
    """
    accesses: list[Access | None] = []
    for _ in range(rng.integers(2, 12)):
        if rng.random() < 0.2:
            accesses.append(None)
            continue
        loads = rng.random() < 0.6
        size = int(rng.choice([n for n in (1, 2, 4, 8, 16) if (loads and aligned) or n >= granule]))
        own = BYTES // 4 * np.arange(WAVES)[:, None]
        shared = rng.random() < 0.4
        low = np.full((WAVES, 1), 48) if shared else own
        steps = rng.integers(0, 16 // size, (WAVES, LANES))
        places = low + steps * size + (0 if aligned else rng.integers(0, 3))
        offset = int(rng.choice([0, granule]) if size == granule else 0)
        active = np.ones((WAVES, LANES), bool) if rng.random() < 0.5 else rng.random((3, 4)) < 0.5
        together = np.arange(WAVES) if rng.random() < 0.5 else rng.permutation(WAVES)[:1]
        active &= np.isin(np.arange(WAVES), together)[:, None]
        places = np.minimum(places, BYTES - size - offset) & -(min(size, 4) if aligned else 1)
        accesses.append(Access(places.astype(np.uint32), offset, size, loads, active, together))
    return accesses


def first_race(accesses: list[Access | None], granule: int) -> int | None:
    """The first access that meets one of another wave, since the last barrier, one a store."""
    writers, readers = defaultdict(set), defaultdict(set)
    for number, access in enumerate(accesses):
        if access is None:
            writers.clear()
            readers.clear()
            continue
        for wave, lane in np.argwhere(access.active):
            start = int(access.addresses[wave, lane]) + access.offset
            for byte in range(start, start + access.size):
                (readers if access.loads else writers)[byte // granule].add(int(wave))
        if any(len(waves | readers[at]) > 1 for at, waves in writers.items()):
            return number
    return None


def watched(accesses: list[Access | None], granule: int, barriers: str = "all") -> int | None:
    """The access at which the emulator stops, where `barriers` are those of all workgroups, of
    its own, or nobody says that they were passed.
    """
    lds = Lds(BYTES, 1, granule, checks=True)
    tags, group = np.arange(1, WAVES + 1, dtype=np.uint32), np.zeros(WAVES, int)
    for number, access in enumerate(accesses):
        if access is None:
            tags = tags + np.uint32(1 << 8)
            if barriers == "all":
                lds.races.forget()
            elif barriers == "own":
                lds.pass_barrier(group)
            continue
        here = access.together
        some = access.active[here]
        active = True if some.all() else some
        places = lds.places(access.addresses[here], group[here], active)
        try:
            lds.races.watch(places, access.offset, access.size, access.loads, tags[here], active)
        except FaultError:
            return number
    return None


@pytest.mark.slow
@pytest.mark.parametrize("granule", [1, 2, 4])
def test_races_are_those_of_a_plain_list(granule: int) -> None:
    rng = np.random.default_rng(granule)
    expected = []
    for _ in range(400):
        accesses = draw(rng, granule)
        expected.append(first_race(accesses, granule))
        assert watched(accesses, granule) == expected[-1], accesses
        assert watched(accesses, granule, "own") == expected[-1], accesses
        assert watched(accesses, granule, "unseen") == expected[-1], accesses
    # Both ends come up often.
    assert 100 < sum(race is None for race in expected) < 300


def test_races_of_accesses_at_any_byte_are_those_of_bytes() -> None:
    rng = np.random.default_rng(5)
    expected = []
    for _ in range(200):
        accesses = draw(rng, 4, aligned=False)
        expected.append(first_race(accesses, 1))
        assert watched(accesses, 4) == expected[-1], accesses
    assert 50 < sum(race is None for race in expected) < 150


def test_a_store_to_what_several_waves_read_at_once_is_a_race() -> None:
    every = np.ones((WAVES, LANES), bool)
    last = every & (np.arange(WAVES) == WAVES - 1)[:, None]
    same = np.zeros((WAVES, LANES), np.uint32)
    load, store = (
        Access(same, 0, 4, loads, lanes, np.arange(WAVES))
        for loads, lanes in ((True, every), (False, last))
    )
    assert watched([load, store], 4) == 1
    assert watched([load, None, store], 4) is None


def test_what_a_workgroup_did_before_its_barrier_is_looked_at_no_more() -> None:
    """Another one that has left a loop comes to no barrier with it."""
    lds, every = Lds(BYTES, 2, 4, checks=True), np.array([0, 1])

    def access(groups: np.ndarray, loads: bool, epoch: int) -> None:
        places = lds.places(np.zeros((len(groups), LANES), np.uint32), groups, True)
        tags = np.full(len(groups), epoch << 8 | 1, np.uint32)
        lds.races.watch(places, 0, 4, loads, tags, True)

    access(every, True, 0)
    lds.pass_barrier(every[:1])
    assert len(lds.races._loads) == 1
    lds.pass_barrier(every[1:])
    assert not lds.races._loads
    access(every, False, 1)
    lds.pass_barrier(every[:1])
    access(every[:1], True, 2)
    assert len(lds.races._loads) == 1


def test_many_loads_are_noted_before_a_store_and_none_is_forgotten() -> None:
    lds, group = Lds(4096, 1, 4, checks=True), np.zeros(1, int)
    for i in range(1000):
        places = lds.places(np.full((1, LANES), 4 * i, np.uint32), group, True)
        lds.races.watch(places, 0, 4, True, np.ones(1, np.uint32), True)
    assert len(lds.races._loads) < 600
    for address in (0, 4 * 999):
        places = lds.places(np.full((1, LANES), address, np.uint32), group, True)
        with pytest.raises(FaultError, match="another wave has read this"):
            lds.races.watch(places, 0, 4, False, np.full(1, 2, np.uint32), True)
