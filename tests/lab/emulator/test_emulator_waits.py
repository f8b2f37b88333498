"""Waits: what is used, overwritten or shown to others before a wait says that it has come."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import NULL, VCC_LO, s, v

from irattn.binary.codeobject import KernelCode
from irattn.core.errors import EmulatorError
from irattn.lab.emulator.machine.space import ALLOCATED, WRITTEN
from irattn.lab.emulator.measure.waits import missing_waits
from support.emulator.machine import TABLES, Machine

g9, g11, g12 = TABLES["gfx942"], TABLES["gfx1100"], TABLES["gfx1201"]
LOADS_9 = [g9.global_load_dword(v[2 + i], v[0], saddr=s[4:5]) for i in range(3)]
LOADS_11 = [g11.global_load_b32(v[2 + i], v[0], saddr=s[4:5]) for i in range(3)]
LOADS_12 = [g12.global_load_b32(v[2 + i], v[0:1], s[4:5]) for i in range(3)]
STORE_9 = g9.global_store_dword(addr=v[0], data=v[1], saddr=s[4:5])
STORE_11 = g11.global_store_b32(addr=v[0], data=v[1], saddr=s[4:5])
LDS_11 = [g11.ds_load_b32(v[2 + i], v[0]) for i in range(3)]
SCALAR_11 = g11.s_load_b32(s[8], s[4:5], soffset=NULL)
SCALAR_12 = g12.s_load_b32(s[8], s[4:5], soffset=NULL)
# Counters of S_WAITCNT at their most: no wait.
NONE_9, NONE_11 = 0xCF7F, 0xFFF7


def wait_9(vm: int = 63, lgkm: int = 15) -> Any:
    return g9.s_waitcnt(vm & 15 | 7 << 4 | lgkm << 8 | (vm >> 4) << 14)


def wait_11(vm: int = 63, lgkm: int = 63) -> Any:
    return g11.s_waitcnt(7 | lgkm << 4 | vm << 10)


def use(register: int, gfx: str = "gfx1100") -> Any:
    return TABLES[gfx].v_mov_b32_e32(v[20], v[register])


def found(gfx: str, *code: Any) -> list[str]:
    """What the code itself shows, without being run."""
    whole = b"".join(i.to_bytes() for i in (*code, TABLES[gfx].s_endpgm()))
    return list(map(str, missing_waits(KernelCode("k", 0, whole, b"", {}), gfx)))


# What is wrong, and the least that would have to be waited for.
WRONG: dict[str, tuple[str, list[Any], str]] = {
    "no wait (gfx9)": ("gfx942", [*LOADS_9, use(2, "gfx942")], "read of v2 .* vmcnt <= 2"),
    "no wait (gfx11)": ("gfx1100", [*LOADS_11, use(2)], "read of v2 .* vmcnt <= 2"),
    "no wait (gfx12)": ("gfx1201", [*LOADS_12, use(2, "gfx1201")], "read of v2 .* loadcnt <= 2"),
    "too weak a wait (gfx9)": (
        "gfx942",
        [*LOADS_9, wait_9(vm=2), use(3, "gfx942")],
        "read of v3 .* vmcnt <= 1",
    ),
    "too weak a wait (gfx11)": (
        "gfx1100",
        [*LOADS_11, wait_11(vm=2), use(3)],
        "read of v3 .* vmcnt <= 1",
    ),
    "too weak a wait (gfx12)": (
        "gfx1201",
        [*LOADS_12, g12.s_wait_loadcnt(2), use(3, "gfx1201")],
        "read of v3 .* loadcnt <= 1",
    ),
    "a wait for another counter": (
        "gfx1100",
        [*LOADS_11, wait_11(lgkm=0), use(2)],
        "vmcnt <= 2",
    ),
    "a wait for two, one too weak (gfx12)": (
        "gfx1201",
        [*LOADS_12, g12.s_wait_loadcnt_dscnt(1 << 8), use(4, "gfx1201")],
        "read of v4 .* loadcnt <= 0",
    ),
    "scalar loads come in any order": (
        "gfx1100",
        [SCALAR_11, *LDS_11, wait_11(lgkm=3), g11.s_mov_b32(s[9], s[8])],
        "read of s8 .* lgkmcnt <= 0",
    ),
    "messages do not come in the order of LDS": (
        "gfx1100",
        [LDS_11[0], g11.s_sendmsg(3), wait_11(lgkm=1), use(2)],
        "read of v2 .* lgkmcnt <= 0",
    ),
    "a scalar load of its own counter (gfx12)": (
        "gfx1201",
        [SCALAR_12, g12.s_wait_dscnt(0), g12.s_mov_b32(s[9], s[8])],
        "read of s8 .* kmcnt <= 0",
    ),
    "flat accesses come in any order (gfx9)": (
        "gfx942",
        [
            g9.flat_load_dword(v[2], v[0:1]),
            *LOADS_9[1:],
            wait_9(vm=1, lgkm=0),
            use(3, "gfx942"),
        ],
        "read of v3 .* vmcnt <= 0",
    ),
    "overwritten by arithmetic": (
        "gfx1100",
        [*LOADS_11, g11.v_mov_b32_e32(v[4], v[1])],
        "write to v4 .* vmcnt <= 0",
    ),
    "overwritten by a load of another kind": (
        "gfx1100",
        [LOADS_11[0], LDS_11[0]],
        "write to v2 .* vmcnt <= 0",
    ),
    "loads that overwrite in any order (gfx12)": (
        "gfx1201",
        [LOADS_12[0], LOADS_12[0]],
        "write to v2 .* loadcnt <= 0",
    ),
    "stored before it has come": (
        "gfx1100",
        [LOADS_11[0], g11.global_store_b32(addr=v[0], data=v[2], saddr=s[4:5])],
        "read of v2",
    ),
    "an address that has not come": (
        "gfx1100",
        [LDS_11[0], g11.global_load_b32(v[5], v[2], saddr=s[4:5])],
        "read of v2 .* lgkmcnt <= 0",
    ),
    "a branch on what has not come": (
        "gfx1100",
        [g11.s_load_b32(VCC_LO, s[4:5], soffset=NULL), g11.s_cbranch_vccz(0)],
        "read of vcc ",
    ),
}
# What may be wrong in code; when it is executed, addresses decide.
BARRIERS: dict[str, tuple[str, list[Any], str]] = {
    "LDS at a barrier (gfx11)": (
        "gfx1100",
        [g11.ds_store_b32(addr=v[0], data0=v[1]), g11.s_barrier()],
        "others may go on before ds_store_b32 at 0x0 has ended: no wait for lgkmcnt <= 0",
    ),
    "LDS at a barrier (gfx12)": (
        "gfx1201",
        [g12.ds_store_b32(addr=v[0], data0=v[1]), g12.s_barrier_signal(s[0], -1)],
        "others may go on .* dscnt <= 0",
    ),
    "LDS overwritten after a barrier": (
        "gfx1100",
        [LDS_11[0], g11.s_barrier(), g11.ds_store_b32(addr=v[0], data0=v[1])],
        "write to LDS before ds_load_b32 at 0x0 has ended: no wait for lgkmcnt <= 0",
    ),
    "LDS at a barrier (gfx9)": (
        "gfx942",
        [g9.ds_write_b32(addr=v[0], data0=v[1]), g9.s_barrier()],
        "others may go on .* lgkmcnt <= 0",
    ),
}
RIGHT: dict[str, tuple[str, list[Any]]] = {
    "in order (gfx9)": ("gfx942", [*LOADS_9, wait_9(vm=2), use(2, "gfx942")]),
    "in order (gfx11)": ("gfx1100", [*LOADS_11, wait_11(vm=2), use(2)]),
    "in order (gfx12)": ("gfx1201", [*LOADS_12, g12.s_wait_loadcnt(2), use(2, "gfx1201")]),
    "stores count with loads (gfx9)": (
        "gfx942",
        [LOADS_9[0], STORE_9, wait_9(vm=1), use(2, "gfx942")],
    ),
    "LDS beside scalar loads": (
        "gfx1100",
        [LDS_11[0], SCALAR_11, *LDS_11[1:], wait_11(lgkm=2), use(2)],
    ),
    "a later load of the same kind": ("gfx1100", [LOADS_11[0], LOADS_11[0], wait_11(0), use(2)]),
    "another register": ("gfx1100", [*LOADS_11, use(5)]),
    "a call, which waits for all": (
        "gfx1100",
        [*LOADS_11, g11.s_swappc_b64(s[10:11], s[12:13]), use(2)],
    ),
    "what comes after a jump to nobody knows where": (
        "gfx1100",
        [*LOADS_11, g11.s_setpc_b64(s[12:13]), use(2)],
    ),
    "all at rest": ("gfx1100", [*LOADS_11, SCALAR_11, g11.s_wait_idle(), use(2)]),
    "each counter by itself": (
        "gfx1201",
        [*LOADS_12, SCALAR_12, g12.s_wait_kmcnt(0), g12.s_mov_b32(s[9], s[8])],
    ),
    "flat loads at a barrier": (
        "gfx1100",
        [g11.flat_load_b32(v[2], v[0:1]), g11.s_barrier(), wait_11(vm=0, lgkm=0), use(2)],
    ),
    "LDS overwritten by its own wave": (
        "gfx1100",
        [LDS_11[0], g11.ds_store_b32(addr=v[0], data0=v[1]), wait_11(lgkm=0), g11.s_barrier()],
    ),
    "LDS loads at a barrier": ("gfx1100", [LDS_11[0], g11.s_barrier(), wait_11(lgkm=0), use(2)]),
}


NOT_EXECUTED = ("a call, which waits for all", "what comes after a jump to nobody knows where")


def test_stores_do_not_count_with_loads_where_they_have_a_counter() -> None:
    """On RDNA, one store after a load does not make it wait for less."""
    (early,) = found("gfx1100", LOADS_11[0], STORE_11, wait_11(vm=1), use(2))
    assert "vmcnt <= 0" in early


@pytest.mark.parametrize("name", [*WRONG, *BARRIERS])
def test_what_comes_too_early_is_found_in_code(name: str) -> None:
    gfx, code, message = (WRONG | BARRIERS)[name]
    assert len(found(gfx, *code)) == 1
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(found(gfx, *code)[0])


@pytest.mark.parametrize("name", RIGHT)
def test_what_waits_is_not_blamed(name: str) -> None:
    assert found(RIGHT[name][0], *RIGHT[name][1]) == []


def executed(gfx: str, code: list[Any]) -> Machine:
    """Run code on waves whose registers, memory and LDS hold something; each lane has its own."""
    machine = Machine(gfx, checks=True, lds=1024, scratch=0)
    lane = np.arange(3 * machine.lanes, dtype=np.uint32).reshape(3, -1) * 4
    for register in range(20):
        machine.set(register, lane)
    machine.waves.around.lds.known[1][:] = ALLOCATED | WRITTEN
    address = machine.memory.allocate("buffer", 1024, bytes(1024))
    machine.set_scalar(4, address & 0xFFFFFFFF)
    machine.set_scalar(5, address >> 32)
    if any("flat" in str(i) for i in code):
        machine.set(0, lane + np.uint32(address & 0xFFFFFFFF))
        machine.set(1, np.full_like(lane, address >> 32))
        machine.set_scalar(4, 0), machine.set_scalar(5, 0)
    return machine.run(*code)


@pytest.mark.parametrize("name", WRONG)
def test_what_comes_too_early_stops_the_emulator(name: str) -> None:
    gfx, code, message = WRONG[name]
    with pytest.raises(EmulatorError, match=message):
        executed(gfx, code)


@pytest.mark.parametrize("name", BARRIERS)
def test_lanes_that_keep_to_their_own_lds_may_wait_later(name: str) -> None:
    gfx, code, _ = BARRIERS[name]
    barrier = [g12.s_barrier_wait(0xFFFF)] if gfx == "gfx1201" else []
    executed(gfx, [*code, *barrier])


@pytest.mark.parametrize("name", [name for name in RIGHT if name not in NOT_EXECUTED])
def test_the_emulator_goes_on_where_waits_are(name: str) -> None:
    executed(*RIGHT[name])


def test_registers_of_what_is_not_executed_are_known_too() -> None:
    """Of instructions that the emulator has not, the tables say which registers they write."""
    load = g11.buffer_load_format_xyzw(v[4:7], v[0], s[4:7], soffset=NULL, idxen=1)
    assert "read of v6" in found("gfx1100", load, use(6))[0]
    assert found("gfx1100", load, use(8)) == []
    store = g11.buffer_store_format_xyzw(v[2:5], v[0], s[4:7], soffset=NULL, idxen=1)
    assert "read of v2" in found("gfx1100", LOADS_11[0], store)[0]


def test_what_waves_have_under_way_is_what_their_paths_have() -> None:
    """Waves that part and meet: one path waits, the other does not."""
    jump = g11.s_cbranch_scc1(1)
    code = [LOADS_11[0], g11.s_cmp_eq_u32(s[4], 0), jump, wait_11(0), use(2)]
    assert len(found("gfx1100", *code)) == 1
    machine = Machine(checks=True, lds=0, scratch=0)
    machine.set(0, np.zeros((3, 32), np.uint32))
    address = machine.memory.allocate("buffer", 256, bytes(256))
    machine.set_scalar(4, address & 0xFFFFFFFF)
    machine.set_scalar(5, address >> 32)
    # The last wave does not come to the wait.
    machine.set_scalar(6, 0)
    machine.waves.s[6] = [1, 1, 0]
    code[1] = g11.s_cmp_eq_u32(s[6], 0)
    with pytest.raises(EmulatorError, match="read of v2"):
        machine.run(*code)


def test_a_loop_carries_what_it_began() -> None:
    """What the last round loaded is read in the next one, where its wait was for the first."""
    around = [use(2), LOADS_11[0], g11.s_cbranch_scc1(-4 & 0xFFFF)]
    (early,) = found("gfx1100", LOADS_11[0], wait_11(0), *around)
    assert "read of v2 before global_load_b32 at 0x10 has ended" in early
