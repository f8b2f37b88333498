"""What instructions change besides their result, and what later ones may still rely on."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import EXEC_HI, EXEC_LO, NULL, s, v
from tinygrad.runtime.autogen.amd.cdna import ins as cdna
from tinygrad.runtime.autogen.amd.rdna3 import ins

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.machine.waves import EXEC
from irattn.lab.emulator.measure.traffic import Traffic
from support.emulator.machine import LANES, MASK, TABLES, WAVES, Machine

LANE = np.broadcast_to(np.arange(LANES, dtype=np.uint32), (WAVES, LANES)).copy()
OWN = 4 * (LANE + LANES * np.arange(WAVES, dtype=np.uint32)[:, None])


class Raw:
    """An instruction given by its bits."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def to_bytes(self) -> bytes:
        return self.bits.to_bytes(8, "little")


def with_dpp(
    instruction: Any, control: int, source: int, zero: int = 1, fi: int = 0, rows: int = 15
) -> Raw:
    """A short vector instruction whose first source comes from other lanes."""
    word = int.from_bytes(instruction.to_bytes(), "little") & ~0x1FF | 250
    return Raw(
        word | (source | control << 8 | fi << 18 | zero << 19 | 0xF << 24 | rows << 28) << 32
    )


def constant(value: int) -> np.ndarray:
    return np.full((WAVES, LANES), value, np.uint32)


# What steps of a block leave for later ones.


def test_an_address_changed_in_one_lane_is_looked_at_again() -> None:
    machine = Machine(checks=True)
    machine.set(0, OWN)
    machine.set(1, OWN + np.uint32(1000))
    machine.set_scalar(5, 8)
    machine.waves.s[5] = OWN[:, 2]
    machine.run(
        ins.ds_store_b32(addr=v[0], data0=v[1]),
        ins.v_writelane_b32(v[0], s[5], 0),
        ins.ds_load_b32(v[4], addr=v[0]),
    )
    expected = OWN + np.uint32(1000)
    expected[:, 0] = expected[:, 2]
    assert np.array_equal(machine.waves.v[4], expected)


def test_a_matrix_changed_in_one_lane_is_looked_at_again() -> None:
    machine = Machine()
    for register in range(40):
        machine.set(register, constant(0x3C003C00 if register < 16 else 0))
    machine.set_scalar(5, 0)
    multiply = ins.v_wmma_f32_16x16x16_f16
    # Row 0, whose lanes are 0 and 16, loses two of 16 products.
    changes = [ins.v_writelane_b32(v[0], s[5], lane) for lane in (0, 16)]
    machine.run(
        multiply(v[16:23], v[0:7], v[8:15], v[24:31]),
        *changes,
        multiply(v[32:39], v[0:7], v[8:15], v[24:31]),
    )
    assert (machine.waves.f[16, :, 0] == 16).all()
    assert (machine.waves.f[32, :, 0] == 14).all()
    assert (machine.waves.f[32, :, 16] == 16).all()


# Masks.


def test_the_high_half_of_exec_alone_switches_lanes() -> None:
    machine = Machine("gfx942")
    zeros = np.zeros((WAVES, 64), np.uint32)
    machine.set(1, zeros)
    machine.run(cdna.s_mov_b32(EXEC_HI, 0), cdna.v_mov_b32_e32(v[1], 1))
    assert machine.waves.v[1].sum(axis=1).tolist() == [32] * WAVES


def test_a_comparison_with_other_lanes_switches_lanes() -> None:
    machine = Machine(checks=True)
    machine.set(1, LANE)
    machine.set(2, constant(16))
    machine.set(3, constant(0))
    # Each lane sees the number of the lane before, the first of 16 sees 0.
    before = np.where(LANE % 16, LANE - 1, 0)
    compare = with_dpp(ins.v_cmpx_gt_u32_e32(v[1], v[2]), 0x111, 1)
    machine.run(compare, ins.v_mov_b32_e32(v[3], 1))
    assert np.array_equal(machine.waves.v[3], (before > 16).astype(np.uint32))


@pytest.mark.parametrize("gfx", ["gfx1100", "gfx1201"])
def test_null_is_zero_in_both_words(gfx: str) -> None:
    table = TABLES[gfx]
    machine = Machine(gfx, checks=True)
    machine.set_scalar(125, 7)
    machine.set(4, constant(5))
    machine.run(
        table.s_mov_b64(s[0:1], NULL),
        table.s_or_b64(s[2:3], NULL, NULL),
        table.v_lshrrev_b64(v[2:3], 0, NULL),
    )
    assert not machine.waves.s[0:4].any()
    assert not machine.waves.v[2:4].any()


# Modes.


def test_waves_that_treat_denormal_numbers_otherwise_meet() -> None:
    """The first wave keeps them, the others do not."""
    machine = Machine()
    machine.waves.s[0] = [0, 1, 1]
    machine.set(0, OWN)
    machine.set(1, constant(1))
    machine.set(2, np.full((WAVES, LANES), 1.0, np.float32))
    machine.run(
        ins.s_cmp_eq_u32(s[0], 0),
        ins.s_cbranch_scc1(1),
        ins.s_denorm_mode(0xC),
        ins.v_mul_f32_e32(v[3], v[1], v[2]),
        ins.ds_store_b32(addr=v[0], data0=v[3]),
    )
    products = machine.waves.around.lds.units[4][: WAVES * LANES].reshape(WAVES, LANES)
    assert products[:, 0].tolist() == [1, 0, 0]


def test_one_rounding_of_a_64_bit_product_and_sum() -> None:
    machine = Machine("gfx942")
    a = 1 + 2.0**-30
    for register, number in ((0, a), (2, -(a * a))):
        words = np.array([number]).view(np.uint32)
        machine.set(register, np.full((WAVES, 64), words[0]))
        machine.set(register + 1, np.full((WAVES, 64), words[1]))
    machine.run(cdna.v_fma_f64_e64(v[4:5], v[0:1], v[0:1], v[2:3]))
    words = np.ascontiguousarray(machine.waves.v[4:6, 0, 0])
    assert words.view(np.float64)[0] == 2.0**-60


# 2 / pi in hexadecimal, as tables of it have it.
TWO_BY_PI = 0xA2F9836E_4E441529_FC2757D1_F534DDC0_DB629599_3C439041_FE5163AB_DEBBC561


def test_parts_of_two_by_pi() -> None:
    """v_trig_preop_f64 gives 53 bits at a time, further on for large numbers."""
    for number, more in ((1.0, 0), (2.0**54, 0), (2.0**55, 1), (-(2.0**80), 26)):
        machine = Machine()
        words = np.array([number]).view(np.uint32)
        for i in range(2):
            machine.set(1 + i, np.full((WAVES, LANES), words[i]))
        for segment in range(4):
            machine.run(ins.v_trig_preop_f64(v[3:4], v[1:2], segment))
            found = np.ascontiguousarray(machine.waves.v[3:5, 0, 0]).view(np.float64)[0]
            last = 53 * segment + 53 + more
            assert found == (TWO_BY_PI >> 256 - last & (1 << 53) - 1) * 2.0**-last


@pytest.mark.parametrize(
    "code", [ins.s_denorm_mode(0xD), ins.s_setreg_imm32_b32(simm16=0x901, literal=1)]
)
def test_denormal_modes_of_one_direction_are_refused(code: Any) -> None:
    with pytest.raises(EmulatorError, match="does not execute this instruction"):
        Machine().run(code)


# What was never written.


@pytest.mark.parametrize(
    "move",
    [
        with_dpp(ins.v_mov_b32_e32(v[41], v[0]), 0x111, 40, zero=0),
        with_dpp(ins.v_mov_b32_e32(v[41], v[0]), 0xE4, 40, rows=2),
        ins.v_permlane16_b32(v[41], v[40], s[2], s[3]),
    ],
    ids=["shift", "row_mask", "permlane"],
)
def test_lanes_that_a_move_leaves_out_stay_unwritten(move: Any) -> None:
    """The first lane of a row has none before it; the lanes of the permutation do not execute."""
    machine = Machine(checks=True)
    machine.set_scalar(2, MASK)
    machine.set_scalar(3, MASK)
    machine.set(40, constant(5))
    machine.set_scalar(EXEC, 0xFF)
    with pytest.raises(EmulatorError, match=r"ds_store_b32.*: read of v41, .*never .*lane 0\)"):
        machine.run(move, ins.ds_store_b32(addr=v[41], data0=v[41]))


def test_matrix_operands_of_lanes_that_do_not_execute_must_be_written() -> None:
    machine = Machine("gfx942", checks=True)
    machine.set_scalar(EXEC + 1, 0)
    machine.waves.set_exec()
    zeros = [cdna.v_mov_b32_e32(v[i], 0) for i in range(8)]
    with pytest.raises(EmulatorError, match=r"mfma.*lane of v0, .*never written.*lane 32\)"):
        machine.run(*zeros, cdna.v_mfma_f32_16x16x16_f16(v[8:11], v[0:1], v[2:3], v[4:7]))


@pytest.mark.parametrize("lane", [7, 8])
def test_a_lane_that_was_written_may_be_read(lane: int) -> None:
    machine = Machine(checks=True)
    machine.set_scalar(5, 11)
    code = [ins.v_writelane_b32(v[40], s[5], 7), ins.v_readlane_b32(s[6], v[40], lane)]
    if lane == 7:
        machine.run(*code)
        assert (machine.waves.s[6] == 11).all()
        return
    with pytest.raises(EmulatorError, match="read of the condition code, which was never written"):
        machine.run(*code, ins.s_cmp_eq_u32(s[6], 0), ins.s_cbranch_scc1(0))


def from_four_lanes_on(fi: int) -> Raw:
    """Each lane of a row reads the one that is four places further."""
    return with_dpp(ins.v_mov_b32_e32(v[41], v[0]), 0x104, 40, zero=0, fi=fi)


def across_rows(fi: int) -> Any:
    """Each lane reads the one at its place in the other row."""
    return ins.v_permlanex16_b32(v[41], v[40], s[2], s[3], opsel=fi)


def moved_by_twelve_lanes(move: Any, *, all_written: bool) -> list[int]:
    machine = Machine(checks=True)
    machine.set_scalar(2, 0x76543210)
    machine.set_scalar(3, 0xFEDCBA98)
    machine.set(41, constant(1))
    if all_written:
        machine.set(40, constant(5))
    machine.run(ins.s_mov_b32(EXEC_LO, 0xFFF), ins.v_mov_b32_e32(v[40], 5), move)
    return machine.waves.v[41, 0].tolist()


@pytest.mark.parametrize(
    ("move", "first", "within"), [(from_four_lanes_on, 12, 8), (across_rows, 16, 0)]
)
def test_lanes_that_do_not_execute_are_read_only_if_written(
    move: Callable[[int], Any], first: int, within: int
) -> None:
    """Where the instruction reads such lanes (`fi`); otherwise they give it nothing."""
    idle = [5] * within + [1] * (LANES - within)
    assert moved_by_twelve_lanes(move(0), all_written=False) == idle
    assert moved_by_twelve_lanes(move(1), all_written=True) == [5] * 12 + [1] * 20
    with pytest.raises(EmulatorError, match=rf"a lane of v40, .*never written.*lane {first}\b"):
        moved_by_twelve_lanes(move(1), all_written=False)


def test_what_one_of_two_branches_wrote_may_be_read_by_its_waves() -> None:
    """And by no other: the waves have met before they part again."""
    for reads, message in ((0, ""), (1, "scalar register 6, which was never written")):
        machine = Machine(checks=True)
        machine.set_scalar(5, 3)
        machine.waves.s[0] = [0, 1, 1]
        machine.waves.written.scalar.add(0)
        code = [
            ins.s_cmp_eq_u32(s[0], 0),
            ins.s_cbranch_scc0(1),
            ins.s_mov_b32(s[6], s[5]),
            ins.s_nop(0),
            ins.s_cmp_eq_u32(s[0], reads),
            ins.s_cbranch_scc0(2),
            ins.v_readlane_b32(s[7], v[40], s[6]),
            ins.s_nop(0),
        ]
        if not message:
            machine.run(*code)
            continue
        with pytest.raises(EmulatorError, match=message):
            machine.run(*code)


# Counts.


def test_a_load_over_its_own_address_counts_as_any_other() -> None:
    counted = []
    for target in (v[10:11], v[0:1]):
        machine = Machine(lds=4096)
        machine.waves.around.meter = Traffic(0, "gfx1100")
        machine.waves.around.lds.write(
            4 * np.arange(1024)[None], np.arange(1024, dtype=np.uint32)[None, None] * 64, True
        )
        machine.set(0, OWN)
        machine.run(ins.ds_load_2addr_b32(target, addr=v[0], offset0=0, offset1=1))
        counted.append(machine.waves.around.meter.lds_cycles)
    assert counted[0] == counted[1] == 2 * WAVES


def test_a_fault_is_told_where_loads_are_counted_too() -> None:
    machine = Machine(checks=True)
    machine.waves.around.meter = Traffic(64, "gfx1100")
    machine.set(0, constant(0))
    machine.set(1, constant(0x7F00))
    with pytest.raises(EmulatorError, match="load of 4 bytes outside global memory"):
        machine.run(ins.global_load_b32(v[2], addr=v[0:1], saddr=NULL))


def test_lanes_that_do_not_execute_may_point_anywhere() -> None:
    machine = Machine(checks=True, lds=16)
    machine.set(0, constant(64))
    machine.set(2, constant(7))
    machine.run(
        ins.s_mov_b32(EXEC_LO, 0),
        ins.ds_load_b32(v[2], addr=v[0], offset0=64),
        ins.s_waitcnt(0),
        ins.ds_store_b32(addr=v[0], data0=v[2], offset0=64),
    )
    assert (machine.waves.v[2] == 7).all()
