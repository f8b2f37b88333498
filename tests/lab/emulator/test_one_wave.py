"""How long a wave takes that is alone, beside what traces of cards say."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import NULL, VCC_LO, s, v

from irattn.lab.emulator.decode.blocks import decode
from irattn.lab.emulator.machine.schedule import Runner
from irattn.lab.emulator.machine.watched import Watched
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.measure.latencies import Span
from irattn.lab.emulator.measure.one_wave import wave_cycles
from support.emulator.machine import TABLES, Machine

g9, g11, g12 = TABLES["gfx942"], TABLES["gfx1100"], TABLES["gfx1201"]


def cycles(gfx: str, *given: Any) -> Span:
    """More cycles than a wave that ends at once."""
    spans = []
    for body in (given, ()):
        words = b"".join(one.to_bytes() for one in (*body, TABLES[gfx].s_endpgm()))
        spans.append(wave_cycles(decode(words, gfx, False), [0], gfx))
    return Span(spans[0].least - spans[1].least, spans[0].most - spans[1].most)


def adds(count: int, *, is_chain: bool) -> list[Any]:
    return [g11.v_add_f32_e32(v[1 if is_chain else i], v[0], v[1]) for i in range(2, 2 + count)]


def test_a_result_takes_its_time_only_for_what_needs_it() -> None:
    assert cycles("gfx1100", *adds(9, is_chain=False)).least == 9
    # The last result is waited for by nobody.
    assert cycles("gfx1100", *adds(9, is_chain=True)).least == 8 * 5 + 1


def test_what_a_card_was_traced_with() -> None:
    """A kernel of tinygrad's traces, from its first wait to its store: 145 cycles on gfx1100."""
    traced = [
        g11.v_lshlrev_b32_e32(v[1], 2, v[0]),
        g11.ds_store_b32(addr=v[1], data0=v[0]),
        g11.s_waitcnt(0),
        g11.s_barrier(),
        g11.v_add_nc_u32_e32(v[2], 4, v[1]),
        g11.v_cmp_gt_u32_e32(127, v[0]),
        g11.ds_load_b32(vdst=v[3], addr=v[2]),
        g11.s_waitcnt(0),
        g11.v_mov_b32_e32(v[4], -1),
        g11.v_cndmask_b32_e32(v[5], v[4], v[3]),
        g11.v_lshlrev_b32_e32(v[6], 2, v[0]),
        g11.global_store_b32(addr=v[6], data=v[5], saddr=s[0:1]),
    ]
    assert cycles("gfx1100", *traced[:1], traced[-1]).least == 18
    whole = sum(cycles("gfx1100", *part).least for part in (traced[:4], traced[4:]))
    assert whole == pytest.approx(145, abs=8)


LOAD_11 = g11.global_load_b32(vdst=v[1], addr=v[0], saddr=s[0:1])
# By name: gfx, instructions, cycles at the least and the most.
WAITS: dict[str, tuple[str, list[Any], tuple[int, int]]] = {
    "a load that nobody waits for": ("gfx1100", [LOAD_11], (1, 1)),
    "a load": ("gfx1100", [LOAD_11, g11.s_waitcnt(0)], (321, 1513)),
    "the first of two loads": ("gfx1100", [LOAD_11, LOAD_11, g11.s_waitcnt(1 << 10)], (321, 1513)),
    "a load that has come": (
        "gfx1100",
        [LOAD_11, g11.s_waitcnt(0), g11.s_waitcnt(0)],
        (322, 1514),
    ),
    "a scalar load": (
        "gfx1201",
        [g12.s_load_b32(s[8], s[10:11], soffset=NULL), g12.s_wait_kmcnt(0)],
        (21, 1709),
    ),
    "scalar results": ("gfx1201", [g12.s_mov_b32(s[1], 1), g12.s_mov_b32(s[2], s[1])], (10, 10)),
    "a mask for the scalar unit": (
        "gfx1100",
        [g11.v_cmp_eq_u32_e32(v[0], v[1]), g11.s_mov_b32(s[1], VCC_LO)],
        (17, 17),
    ),
    "a wait for the vector unit": (
        "gfx1201",
        [g12.v_mov_b32_e32(v[0], v[1]), g12.s_wait_alu(0xFF9D)],
        (18, 18),
    ),
    "a wait for the scalar unit": (
        "gfx1201",
        [g12.v_mov_b32_e32(v[0], v[1]), g12.s_wait_alu(0xFF9E)],
        (2, 2),
    ),
    "no operation": ("gfx942", [g9.s_nop(4)], (5, 5)),
    "vectors of CDNA": ("gfx942", [g9.v_mov_b32_e32(v[0], v[1])] * 3, (12, 12)),
    "transcendental": ("gfx1100", [g11.v_exp_f32_e32(v[0], v[1])] * 3, (12, 12)),
}


@pytest.mark.parametrize("name", WAITS)
def test_what_waves_wait_for(name: str) -> None:
    gfx, code, span = WAITS[name]
    assert cycles(gfx, *code) == span


def test_the_matrix_unit_is_busy_while_the_wave_goes_on() -> None:
    matrices = [
        g9.v_mfma_f32_16x16x16_f16(v[4 * i : 4 * i + 3], v[40:41], v[42:43], v[4 * i : 4 * i + 3])
        for i in range(3)
    ]
    others = [g9.v_mov_b32_e32(v[60], v[61])] * 3
    # 4 passes of 4 cycles each; the last is waited for by nobody.
    assert cycles("gfx942", *matrices).least == 16 + 16 + 4
    between = [one for pair in zip(matrices, others, strict=True) for one in pair]
    assert cycles("gfx942", *between).least == 16 + 16 + 4 + 4


def test_a_wave_is_watched_through_a_loop() -> None:
    machine = Machine()
    machine.set_scalar(4, 3)
    loop = [g11.s_sub_i32(s[4], s[4], 1), g11.s_cmp_lg_i32(s[4], 0), g11.s_cbranch_scc1(0xFFFD)]
    code = decode(b"".join(i.to_bytes() for i in (*loop, g11.s_endpgm())), "gfx1100", False)
    runner = Runner(code, "kernel test", np.zeros(1, int), 3, watch=True)
    runner.run(machine.waves, "lockstep", np.random.default_rng(0))
    assert runner.tally.path == (0, 0, 0, 3)
    thrice, once = (wave_cycles(code, path, "gfx1100") for path in ((0, 0, 0, 3), (0, 3)))
    assert thrice.least - once.least == 2 * (1 + 2 + 9)


def test_the_wave_that_goes_further_is_watched() -> None:
    around = Machine().waves.around
    waves = Waves.fresh(1, 32, np.array([0, 1, 0]), np.array([0, 0, 1]), around)
    watched = Watched(2)
    watched.note(0, waves)
    watched.note(5, waves.take(np.array([False, True, False])))
    watched.note(7, waves.take(np.array([False, False, True])))
    assert watched.longest == (0, 7)


def test_a_wait_for_more_than_are_under_way_waits_for_nothing() -> None:
    loads = [g11.ds_load_b32(vdst=v[i], addr=v[1]) for i in range(2, 5)]
    at_most = {count: g11.s_waitcnt(63 << 10 | count << 4 | 7) for count in (4, 0)}
    begun = cycles("gfx1100", *loads).least
    assert cycles("gfx1100", *loads, at_most[4]).least == begun + 1
    assert cycles("gfx1100", *loads, at_most[0]).least > begun + 30
