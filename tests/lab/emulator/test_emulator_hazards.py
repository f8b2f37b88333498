"""Hazards: instructions that need others between them, by family, and what is enough."""

import re
from typing import Any

import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import NULL, VCC_LO, s, ttmp, v

from irattn.binary.codeobject import KernelCode
from irattn.lab.emulator import missing_waits
from support.emulator.machine import TABLES

g9, g11, g12 = TABLES["gfx942"], TABLES["gfx1100"], TABLES["gfx1201"]
# The tables write scalar destinations of these as vector registers.
WRITES_SCALAR = g9.v_readfirstlane_b32_e32(v[4], v[1])
LOAD = g9.global_load_dword(v[8], v[0], saddr=s[4:5])
COMPARES = g9.v_cmp_eq_u32_e32(v[1], v[2])
MOVE = g9.v_mov_b32_e32(v[1], v[2])
WIDE = g9.global_store_dwordx4(addr=v[8], data=v[0:3], saddr=s[6:7])
SINGLES = g9.v_mfma_f32_16x16x4_f32(v[0:3], v[8], v[9], v[4:7])
HALVES = g9.v_mfma_f32_16x16x16_f16(v[0:3], v[8:9], v[10:11], v[4:7])
SPARSE = g9.v_smfmac_f32_16x16x32_f16(v[0:3], v[8:9], v[10:13], v[20])
SLOW = g9.v_rcp_f32_e32(v[1], v[2])
COMPARES_X = g11.v_cmpx_eq_u32_e32(v[1], v[2])
PERMUTES = g11.v_permlane16_b32(v[3], v[4], s[0], s[1])
EXPONENTIAL = g11.v_exp_f32_e32(v[1], v[2])
USE = g11.v_add_f32_e32(v[3], v[1], v[4])
OTHER = g11.v_mov_b32_e32(v[10], v[11])
WMMA = g11.v_wmma_f32_16x16x16_f16(v[0:7], v[8:15], v[16:23], v[0:7])
WMMA_OF_RESULT = g11.v_wmma_f32_16x16x16_f16(v[24:31], v[0:7], v[16:23], v[24:31])

# By name: the chips, the first instruction, the second, and the wait states between.
STATES: dict[str, tuple[tuple[str, ...], Any, Any, int]] = {
    "a scalar base": (("gfx90a", "gfx942", "gfx950"), WRITES_SCALAR, LOAD, 5),
    "a lane's number": (
        ("gfx90a", "gfx942"),
        WRITES_SCALAR,
        g9.v_readlane_b32(v[8], v[3], s[4]),
        4,
    ),
    "v_div_fmas": (
        ("gfx90a", "gfx942"),
        COMPARES,
        g9.v_div_fmas_f32_e64(v[3], v[4], v[5], v[6]),
        4,
    ),
    "a scalar operand": (("gfx942",), WRITES_SCALAR, g9.v_mov_b32_e32(v[3], s[4]), 2),
    "no such thing on the first": (("gfx90a",), WRITES_SCALAR, g9.v_mov_b32_e32(v[3], s[4]), 0),
    "a lane read": (("gfx942",), MOVE, g9.v_readfirstlane_b32_e32(v[8], v[1]), 1),
    "a slow result": (("gfx942",), SLOW, g9.v_mov_b32_e32(v[3], v[1]), 1),
    "slow after slow": (("gfx942",), SLOW, g9.v_exp_f32_e32(v[3], v[1]), 0),
    "a wide store, first": (("gfx90a",), WIDE, MOVE, 1),
    "a wide store": (("gfx942",), WIDE, MOVE, 2),
    "a narrow store": (
        ("gfx942",),
        g9.global_store_dwordx2(addr=v[8], data=v[0:1], saddr=s[6:7]),
        MOVE,
        0,
    ),
    "lanes swapped": (("gfx950",), MOVE, g9.v_permlane32_swap_b32_e32(v[1], v[5]), 2),
    "a factor written": (("gfx942",), g9.v_mov_b32_e32(v[8], v[20]), SINGLES, 2),
    "f32 products, first": (("gfx90a",), SINGLES, g9.v_mov_b32_e32(v[20], v[3]), 11),
    "f32 products": (("gfx942",), SINGLES, g9.v_mov_b32_e32(v[20], v[3]), 10),
    "f16 products": (("gfx942",), HALVES, g9.v_mov_b32_e32(v[20], v[3]), 7),
    "f16 products, last": (("gfx950",), HALVES, g9.v_mov_b32_e32(v[20], v[3]), 8),
    "products stored": (
        ("gfx942",),
        HALVES,
        g9.global_store_dword(addr=v[8], data=v[0], saddr=s[6:7]),
        7,
    ),
    "products overwritten": (("gfx942",), HALVES, g9.v_mov_b32_e32(v[0], v[20]), 7),
    "addends overwritten": (("gfx942",), HALVES, g9.v_mov_b32_e32(v[4], v[20]), 3),
    "added again": (
        ("gfx90a", "gfx942", "gfx950"),
        HALVES,
        g9.v_mfma_f32_16x16x16_f16(v[0:3], v[8:9], v[10:11], v[0:3]),
        0,
    ),
    "added at another place": (
        ("gfx942",),
        HALVES,
        g9.v_mfma_f32_16x16x16_f16(v[20:23], v[8:9], v[10:11], v[2:5]),
        5,
    ),
    "sparse products": (("gfx942",), SPARSE, g9.v_mov_b32_e32(v[24], v[3]), 7),
    "sparse products added again": (("gfx942",), SPARSE, SPARSE, 0),
    "an index written": (("gfx942",), g9.v_mov_b32_e32(v[20], v[24]), SPARSE, 2),
    "an index that is a result": (
        ("gfx942",),
        g9.v_mfma_f32_16x16x16_f16(v[20:23], v[8:9], v[10:11], 0),
        SPARSE,
        7,
    ),
    "a factor of the next": (
        ("gfx942",),
        HALVES,
        g9.v_mfma_f32_16x16x16_f16(v[20:23], v[2:3], v[10:11], v[24:27]),
        7,
    ),
}
# Code, and whether something is wrong with it.
RDNA: dict[str, tuple[str, list[Any], bool]] = {
    "permuted at once": ("gfx1100", [COMPARES_X, PERMUTES], True),
    "permuted after a vector instruction": ("gfx1100", [COMPARES_X, OTHER, PERMUTES], False),
    "permuted after v_nop": ("gfx1100", [COMPARES_X, g11.v_nop_e32(), PERMUTES], True),
    "a factor at once": ("gfx1100", [WMMA, WMMA_OF_RESULT], True),
    "a factor after v_nop": ("gfx1100", [WMMA, g11.v_nop_e32(), WMMA_OF_RESULT], False),
    "added at once": ("gfx1100", [WMMA, WMMA], False),
    "slow and used": ("gfx1100", [EXPONENTIAL, USE], True),
    "slow and used, on a chip that looks": ("gfx1151", [EXPONENTIAL, USE], False),
    "a delay is a hint": ("gfx1100", [EXPONENTIAL, g11.s_delay_alu(5), USE], True),
    "slow and waited for": ("gfx1100", [EXPONENTIAL, g11.s_waitcnt_depctr(0x0FFF), USE], False),
    "slow, five between": ("gfx1100", [EXPONENTIAL, *[OTHER] * 5, USE], True),
    "slow, six between": ("gfx1100", [EXPONENTIAL, *[OTHER] * 6, USE], False),
    "slow, two slow ones between": (
        "gfx1100",
        [EXPONENTIAL, *[g11.v_exp_f32_e32(v[12], v[13])] * 2, USE],
        False,
    ),
    "slow, an access between": (
        "gfx1100",
        [EXPONENTIAL, g11.ds_load_b32(v[20], v[21]), USE],
        False,
    ),
}


def found(gfx: str, *code: Any) -> list[str]:
    whole = b"".join(i.to_bytes() for i in (*code, TABLES[gfx.replace("1151", "1100")].s_endpgm()))
    return list(map(str, missing_waits(KernelCode("k", 0, whole, b"", {}), gfx)))


def padding(states: int) -> list[Any]:
    """So many wait states, of which S_NOP can stand for sixteen."""
    return [g9.s_nop(min(16, states - at) - 1) for at in range(0, states, 16)]


@pytest.mark.parametrize(
    ("name", "gfx"), [(name, gfx) for name, (chips, *_) in STATES.items() for gfx in chips]
)
def test_wait_states_between_are_enough_and_one_less_is_not(name: str, gfx: str) -> None:
    _, first, second, states = STATES[name]
    assert found(gfx, first, *padding(states), second) == []
    if states:
        (wrong,) = found(gfx, first, *padding(states - 1), second)
        assert "it needs 1 more wait states" in wrong
        # Rules that need less find something there too.
        assert any(f"it needs {states} more wait" in one for one in found(gfx, first, second))


@pytest.mark.parametrize("name", RDNA)
def test_what_rdna_needs_between(name: str) -> None:
    gfx, code, is_wrong = RDNA[name]
    assert len(found(gfx, *code)) == is_wrong


def test_the_other_path_counts_too() -> None:
    """The branch leaves out what lies between."""
    code = [WRITES_SCALAR, g9.s_cbranch_scc0(1), *padding(5), LOAD]
    (wrong,) = found("gfx942", *code)
    assert re.search(
        "s4 too soon after v_readfirstlane_b32_e32 at 0x0 .* 4 more wait states", wrong
    )


READS = g12.v_mov_b32_e32(v[1], s[4])
WRITES = g12.s_mov_b32(s[4], 7)
# By name: code of RDNA 4, and the wait that it lacks.
SCALARS: dict[str, tuple[list[Any], str | None]] = {
    "read, written, read": ([READS, WRITES, READS], "sa_sdst"),
    "written for the first time": ([WRITES, READS], None),
    "the other one of a pair": ([g12.v_mov_b32_e32(v[1], s[5]), WRITES, READS], "sa_sdst"),
    "waited for": ([READS, WRITES, g12.s_wait_alu(0xFF9E), READS], None),
    "another wait": ([READS, WRITES, g12.s_wait_alu(0xF19F), READS], "sa_sdst"),
    "read by the scalar unit": ([READS, WRITES, g12.s_mov_b32(s[6], s[4])], "sa_sdst"),
    "written by the vector unit": (
        [READS, g12.v_readfirstlane_b32_e32(s[4], v[2]), READS],
        "va_sdst",
    ),
    "for which the scalar unit waits": (
        [READS, g12.v_readfirstlane_b32_e32(s[4], v[2]), g12.s_mov_b32(s[6], s[4]), READS],
        None,
    ),
    "while it reads what was never kept": (
        [READS, g12.v_readfirstlane_b32_e32(s[4], v[2]), g12.s_lshl_b32(s[6], ttmp[9], 1), READS],
        None,
    ),
    "while it reads VCC, which has a wait of its own": (
        [READS, g12.v_readfirstlane_b32_e32(s[4], v[2]), g12.s_mov_b32(s[6], VCC_LO), READS],
        "va_sdst",
    ),
    "while it reads nothing": (
        [READS, g12.v_readfirstlane_b32_e32(s[4], v[2]), g12.s_mov_b32(s[6], 7), READS],
        "va_sdst",
    ),
    "VCC": (
        [
            g12.v_cndmask_b32_e32(v[1], v[2], v[3]),
            g12.v_cmp_eq_u32_e32(v[1], v[2]),
            g12.v_cndmask_b32_e32(v[1], v[2], v[3]),
        ],
        "va_vcc",
    ),
    "a scalar load between": (
        [READS, WRITES, g12.s_load_b32(s[8], s[10:11], soffset=NULL), READS],
        None,
    ),
}


@pytest.mark.parametrize("name", SCALARS)
def test_scalars_that_the_vector_unit_keeps(name: str) -> None:
    code, field = SCALARS[name]
    wrong = found("gfx1201", *code)
    assert len(wrong) == (field is not None), wrong
    assert field is None or f"it needs s_wait_alu {field}(0) between" in wrong[0]


def test_scalars_of_a_loop_are_kept_from_round_to_round() -> None:
    code = [WRITES, READS, g12.s_cbranch_scc1(-3 & 0xFFFF)]
    assert "needs s_wait_alu sa_sdst(0)" in found("gfx1201", *code)[0]
    assert found("gfx1201", WRITES, g12.s_wait_alu(0xFF9E), READS, g12.s_cbranch_scc1(0xFFFC)) == []


def test_transcendental_results_on_rdna4_need_nothing() -> None:
    slow, use = g12.v_exp_f32_e32(v[1], v[2]), g12.v_add_f32_e32(v[3], v[1], v[4])
    assert found("gfx1201", slow, use) == []
