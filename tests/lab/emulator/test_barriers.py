"""Barriers: where waves meet, and what of LDS is still under way then."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import s, v
from tinygrad.runtime.autogen.amd.rdna3 import ins as g11
from tinygrad.runtime.autogen.amd.rdna4 import ins as g12

from irattn.core.errors import EmulatorError
from support.emulator.machine import LANES, WAVES, Machine

WAVE = np.arange(WAVES, dtype=np.uint32)[:, None]


def filled(value: int) -> np.ndarray:
    return np.full((WAVES, LANES), value, np.uint32)


def parted(there: list[Any], here: list[Any], *after: Any) -> list[Any]:
    """The first wave goes by `here`, the others by `there`, and all by `after`; s0 says which."""
    size = [sum(len(one.to_bytes()) for one in part) // 4 for part in (here, there)]
    return [
        g11.s_cmp_eq_u32(s[0], 0),
        g11.s_cbranch_scc1(size[1] + 1),
        *there,
        g11.s_branch(size[0]),
        *here,
        *after,
    ]


def of_waves(**how: Any) -> Machine:
    """Waves that have their number in s0, four times their lane in v1 and in v2 another's place."""
    machine = Machine(checks=True, **how)
    machine.set_scalar(0, 0)
    machine.waves.s[0] = np.arange(WAVES)
    lane = 4 * np.arange(LANES, dtype=np.uint32)
    machine.set(1, 128 * WAVE + lane)
    machine.set(5, 128 * WAVE + lane)
    machine.set(2, 128 * ((WAVE + 1) % WAVES) + lane)
    machine.set(3, np.broadcast_to(WAVE, (WAVES, LANES)).copy())
    return machine


WAIT = g11.s_waitcnt(0)
STORE, LOAD = g11.ds_store_b32(addr=v[1], data0=v[3]), g11.ds_load_b32(v[4], v[2])
OTHERS_STORE = g11.ds_store_b32(addr=v[2], data0=v[3])
# What was loaded, 512 bytes on, as waves that part are no more those of the machine.
KEPT = g11.ds_store_b32(addr=v[5], data0=v[4], offset1=2)


def kept(machine: Machine) -> np.ndarray:
    return machine.waves.around.lds.units[4][128 : 128 + WAVES * LANES].reshape(WAVES, LANES)


@pytest.mark.parametrize("schedule", ["lockstep", "serial", "reverse", "random"])
def test_waves_meet_at_different_barriers(schedule: str) -> None:
    barrier = [g11.s_nop(0), g11.s_barrier(), g11.s_nop(0)]
    machine = of_waves(lds=1024)
    code = [STORE, WAIT, *parted(barrier, barrier[1:]), LOAD, WAIT, KEPT]
    machine.run(*code, schedule=schedule)
    assert (kept(machine) == (WAVE + 1) % WAVES).all()


def test_a_wave_that_passes_one_barrier_less_is_refused() -> None:
    barrier = [g11.s_barrier()]
    with pytest.raises(EmulatorError, match="not all waves of the workgroup come"):
        of_waves().run(*parted(barrier, barrier * 2))


LATE = "race in LDS: another wave has {} this since the last barrier, or before it"


@pytest.mark.parametrize("schedule", ["lockstep", "serial", "reverse", "random"])
def test_what_is_under_way_at_a_barrier_goes_on_after_it(schedule: str) -> None:
    """Only where others come to the same places."""
    barrier = g11.s_barrier()
    own_load = g11.ds_load_b32(v[4], v[1])
    for code, verb in (
        ([STORE, barrier, LOAD], "written"),
        ([STORE, barrier, own_load], None),
        ([STORE, WAIT, barrier, LOAD], None),
        # One more barrier with a wait before is enough.
        ([STORE, barrier, WAIT, barrier, LOAD], None),
        ([STORE, barrier, barrier, LOAD], "written"),
        # After the barrier it is too late.
        ([STORE, barrier, WAIT, LOAD], "written"),
        ([own_load, barrier, OTHERS_STORE], "read"),
        ([own_load, barrier, STORE], None),
        ([own_load, WAIT, barrier, OTHERS_STORE], None),
    ):
        machine = of_waves()
        machine.run(STORE, WAIT, barrier)
        if verb is None:
            machine.run(*code, WAIT, schedule=schedule)
        else:
            with pytest.raises(EmulatorError, match=LATE.format(verb)):
                machine.run(*code, WAIT, schedule=schedule)


@pytest.mark.parametrize("schedule", ["lockstep", "serial", "reverse", "random"])
def test_a_wait_for_the_first_of_two_is_for_no_more(schedule: str) -> None:
    one = g11.s_waitcnt(0xFC17)
    second = g11.ds_load_b32(v[4], v[2], offset0=0, offset1=2)
    later = g11.ds_store_b32(addr=v[1], data0=v[3], offset0=0, offset1=2)
    code = [STORE, later, one, g11.s_barrier()]
    of_waves(lds=1024).run(*code, LOAD, WAIT, schedule=schedule)
    with pytest.raises(EmulatorError, match=LATE.format("written")):
        of_waves(lds=1024).run(*code, second, WAIT, schedule=schedule)


def test_on_rdna4_the_first_half_of_a_barrier_counts() -> None:
    machine = Machine("gfx1201", checks=True)
    machine.set(1, 128 * WAVE + 4 * np.arange(LANES, dtype=np.uint32))
    machine.set(2, 128 * ((WAVE + 1) % WAVES) + 4 * np.arange(LANES, dtype=np.uint32))
    store, load = g12.ds_store_b32(addr=v[1], data0=v[1]), g12.ds_load_b32(v[4], v[2])
    signal, wait = g12.s_barrier_signal(s[0], -1), g12.s_barrier_wait(0xFFFF)
    done = g12.s_wait_dscnt(0)
    machine.run(store, done, signal, wait, load, done, signal, wait)
    with pytest.raises(EmulatorError, match=LATE.format("written")):
        machine.run(store, signal, done, wait, load, done)


@pytest.mark.parametrize("schedule", ["lockstep", "serial", "reverse", "random"])
def test_waves_may_store_the_same_to_one_place(schedule: str) -> None:
    for value, is_same in ((np.uint32(7), True), (WAVE, False)):
        machine = of_waves(lds=1024)
        machine.set(1, np.tile(4 * np.arange(LANES, dtype=np.uint32), (WAVES, 1)))
        machine.set(3, np.broadcast_to(value, (WAVES, LANES)).astype(np.uint32))
        code = [STORE, WAIT, g11.s_barrier(), g11.ds_load_b32(v[4], v[1]), WAIT, KEPT]
        if is_same:
            machine.run(*code, schedule=schedule)
            assert (kept(machine) == 7).all()
        else:
            with pytest.raises(EmulatorError, match=LATE.format("written")):
                machine.run(*code, schedule=schedule)


def test_who_stores_the_same_must_not_change_it_then() -> None:
    """Whether others do so before or after it, nobody knows."""
    machine = of_waves()
    machine.set(1, np.tile(4 * np.arange(LANES, dtype=np.uint32), (WAVES, 1)))
    machine.set(3, filled(7))
    machine.set(6, filled(8))
    other = g11.ds_store_b32(addr=v[1], data0=v[6])
    with pytest.raises(EmulatorError, match=LATE.format("written")):
        machine.run(STORE, WAIT, *parted([], [other]))
