"""Workgroups that write different numbers to one place are noticed in whatever order they run."""

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from irattn.lab.emulator.faults import FaultError
from irattn.lab.emulator.machine.writers import Writers

SIZE = 256


def words(*numbers):
    """A word for each lane of a wave, as the units of 16 bits that a store has."""
    return np.array([numbers], np.uint32).view(np.uint16).reshape(1, -1, 2).transpose(2, 0, 1)


def places(*offsets):
    return np.array([offsets], np.int64)


class Memory:
    """Global memory whose stores are noted."""

    def __init__(self):
        self.contents = np.zeros(SIZE // 2, np.uint16)
        self.writers = Writers(self.contents)

    def store(self, group, at, values, active=True):
        self.writers.note(at, values, np.array([group]), active)
        lanes = np.broadcast_to(active, at.shape)
        for unit in range(len(values)):
            self.contents[(at >> 1)[lanes] + unit] = values[unit][lanes]


@pytest.fixture
def memory():
    made = Memory()
    made.store(3, places(0, 4, 8, 12), words(1, 2, 3, 4))
    return made


def test_a_workgroup_may_write_again(memory):
    memory.store(3, places(4, 8, 16, 20), words(7, 8, 9, 10))


def test_others_may_write_elsewhere_or_the_same(memory):
    memory.store(0, places(16, 20, 24, 28), words(1, 2, 3, 4))
    memory.store(1, places(0, 4, 8, 12), words(1, 2, 3, 4))


def test_a_different_number_is_a_race(memory):
    with pytest.raises(FaultError, match="race in global memory") as caught:
        memory.store(4, places(32, 36, 8, 12), words(7, 7, 7, 4))
    assert caught.value.lanes.tolist() == [[False, False, True, False]]


def test_lanes_that_take_no_part_do_not_race(memory):
    memory.store(
        4, places(32, 36, 8, 12), words(7, 7, 7, 9), np.array([[True, True, False, False]])
    )


def test_two_workgroups_of_one_store(memory):
    both = np.array([5, 6])
    at = np.array([[32, 36], [40, 36]], np.int64)
    same = np.array([[1, 2], [3, 2]], np.uint16)[None]
    memory.writers.note(at, same, both, True)
    other = np.array([[1, 2], [3, 4]], np.uint16)[None]
    with pytest.raises(FaultError, match="race in global memory"):
        memory.writers.note(at, other, both, True)


def test_after_an_atomic_nothing_is_a_race(memory):
    memory.writers.order()
    memory.store(4, places(0, 4, 8, 12), words(9, 9, 9, 9))
