"""Moves between vector registers that M0 chooses, against AMD's own pseudocode."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import s, v
from tinygrad.runtime.autogen.amd.cdna import ins as cdna
from tinygrad.runtime.autogen.amd.rdna3 import ins

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.machine.waves import EXEC
from support.emulator.machine import LANES, MASK, TABLES, WAVES, Machine
from support.emulator.pseudocode import Lane
from support.emulator.pseudocode_numbers import Number
from support.emulator.trial import texts

REGISTERS, SOURCE, TARGET = 40, 9, 20
# An address of LDS for each lane.
OWN = 4 * np.arange(LANES * WAVES, dtype=np.uint32).reshape(WAVES, LANES)
# Each wave has its own, and one of them goes down.
WHOLE = (3, 0, MASK - 1)
HALVES = (2 << 16 | 5, 7, 1 << 16 | 0xFC00)
MOVES = {
    "v_movrels_b32": WHOLE,
    "v_movreld_b32": WHOLE,
    "v_movrelsd_b32": WHOLE,
    "v_movrelsd_2_b32": HALVES,
    "v_swaprel_b32": HALVES,
}


def machine(gfx: str, m0: Any, *, checks: bool = False) -> Machine:
    """Random registers, of which some lanes execute."""
    made = Machine(gfx, checks=checks)
    rng = np.random.default_rng(0)
    for register in range(REGISTERS):
        made.set(register, rng.integers(1 << 32, size=(WAVES, LANES), dtype=np.uint32))
    number = family(gfx).m0
    made.set_scalar(number, 0)
    made.waves.s[number] = np.array(m0, np.uint64).astype(np.uint32)
    made.set_scalar(EXEC, 0x0F0F1357)
    return made


def told(gfx: str, name: str, registers: np.ndarray, m0: int) -> np.ndarray:
    """The registers `[lanes, registers]` of a wave after the guide's text, lane by lane."""
    words = [[Number("B", 32, int(word)) for word in lane] for lane in registers]
    for lane in (lane for lane in range(LANES) if 0x0F0F1357 >> lane & 1):
        given = {
            "M0": Number("U", 32, m0),
            "SRC0": Number("U", 32, SOURCE),
            "DST": Number("U", 32, TARGET),
            "S0": words[lane][SOURCE],
            "laneId": Number("U", 32, lane),
            "VGPR": words,
        }
        run = Lane(given, {}).run(texts(gfx)[name])
        if "D0" in run.written:
            words[lane][TARGET] = run.variables["D0"]
    return np.array([[number.bits for number in lane] for lane in words], np.uint32)


@pytest.mark.parametrize("gfx", ["gfx1100", "gfx1201"])
def test_each_wave_moves_what_its_m0_says(gfx: str) -> None:
    for name, m0 in MOVES.items():
        made = machine(gfx, m0, checks=True)
        before = made.waves.v[:REGISTERS].copy()
        made.run(getattr(TABLES[gfx], f"{name}_e32")(v[TARGET], v[SOURCE]))
        for wave in range(WAVES):
            expected = told(gfx, name, before[:, wave].T, m0[wave])
            assert np.array_equal(made.waves.v[:REGISTERS, wave].T, expected), (name, wave)


def test_what_it_reads_must_be_there_and_what_it_writes_is() -> None:
    # What nobody wrote moves as such, and becomes no address.
    with pytest.raises(EmulatorError, match=f"v{TARGET}, which was never written"):
        machine("gfx1100", [REGISTERS - SOURCE] * 3, checks=True).run(
            ins.v_movrels_b32_e32(v[TARGET], v[SOURCE]), ins.ds_load_b32(v[4], addr=v[TARGET])
        )
    with pytest.raises(EmulatorError, match="does not have, by M0"):
        machine("gfx1100", WHOLE).run(ins.v_movreld_b32_e32(v[94], v[SOURCE]))
    made = machine("gfx1100", WHOLE, checks=True)
    made.waves.written.scalar.discard(125)
    with pytest.raises(EmulatorError, match="scalar register 125"):
        made.run(ins.v_movrels_b32_e32(v[TARGET], v[SOURCE]))
    made = machine("gfx1100", [REGISTERS - TARGET] * 3, checks=True)
    made.set_scalar(EXEC, MASK)
    made.set(SOURCE, OWN)
    moved = ins.v_movreld_b32_e32(v[TARGET], v[SOURCE])
    made.run(moved, ins.ds_store_b32(addr=v[REGISTERS], data0=v[1]))
    assert np.array_equal(made.waves.v[REGISTERS], OWN)


def test_an_address_that_it_changes_is_looked_at_again() -> None:
    made = machine("gfx1100", [1, 1, 1], checks=True)
    made.set_scalar(EXEC, MASK)
    made.set(8, OWN)
    made.set(7, OWN[:, ::-1].copy())
    made.run(
        ins.ds_store_b32(addr=v[8], data0=v[1]),
        ins.v_movreld_b32_e32(v[7], v[7]),
        ins.ds_load_b32(v[4], addr=v[8]),
    )
    assert np.array_equal(made.waves.v[4], made.waves.v[1][:, ::-1])


def indexed(chosen: int) -> Any:
    """The operand field has the bits as they are, which here are scalar registers' numbers."""
    return cdna.s_set_gpr_idx_on(s[4], s[chosen])


def cdna_machine(index: Any) -> Machine:
    """Registers of 64 lanes, of which some execute, and each wave's index in s4."""
    made = Machine("gfx942", checks=True)
    rng = np.random.default_rng(1)
    for register in range(REGISTERS):
        made.set(register, rng.integers(1 << 32, size=(WAVES, made.lanes), dtype=np.uint32))
    made.set_scalar(4, 0)
    made.waves.s[4] = np.array(index, np.uint32)
    made.set_scalar(EXEC, 0x0F0F1357)
    return made


# Of the source, of the target, of both.
@pytest.mark.parametrize("chosen", [1, 8, 9])
def test_the_index_of_a_mode_is_of_the_operands_that_it_names(chosen: int) -> None:
    # The mode takes 8 bits of it.
    index = np.array([3, 0, 0x105])
    made = cdna_machine(index)
    expected, active = made.waves.v[:REGISTERS].copy(), made.waves.active
    for wave, own in enumerate(index & 0xFF):
        source, target = SOURCE + own * (chosen & 1), TARGET + own * (chosen >> 3)
        there = expected[source, wave].copy()
        expected[target, wave] = np.where(active[wave], there, expected[target, wave])
    expected[TARGET + 10] = np.where(active, expected[SOURCE + 10], expected[TARGET + 10])
    made.run(
        indexed(chosen),
        cdna.v_mov_b32_e32(v[TARGET], v[SOURCE]),
        cdna.s_set_gpr_idx_off(),
        cdna.v_mov_b32_e32(v[TARGET + 10], v[SOURCE + 10]),
    )
    assert np.array_equal(made.waves.v[:REGISTERS], expected)
    assert (made.waves.s[124] & 0xF0FF == (index & 0xFF | chosen << 12)).all()


def test_what_else_has_an_index_is_refused() -> None:
    begin = indexed(1)
    with pytest.raises(EmulatorError, match="such an instruction with registers that M0 chooses"):
        cdna_machine([1, 1, 1]).run(begin, cdna.v_add_f32_e32(v[TARGET], v[SOURCE], v[SOURCE]))
    with pytest.raises(EmulatorError, match="an index of M0 beyond a block"):
        cdna_machine([1, 1, 1]).run(begin, cdna.v_mov_b32_e32(v[TARGET], v[SOURCE]))
    with pytest.raises(EmulatorError, match="does not have, by M0"):
        cdna_machine([95, 0, 0]).run(begin, cdna.v_mov_b32_e32(v[TARGET], v[SOURCE]))
