"""The model of time, on launches made by hand."""

import dataclasses

import numpy as np
import pytest

from irattn import targets
from irattn.binary.inspection.figures import Occupancy
from irattn.lab.emulator import Counts
from irattn.lab.emulator.measure.cycles import estimate
from irattn.lab.emulator.measure.latencies import Span
from irattn.lab.emulator.measure.traffic import Traffic
from irattn.lab.emulator.measure.work import WorkgroupCounts
from irattn.lab.profiling import Executed

GFX = targets.get("gfx1100")
# Of two waves.
GROUPS = np.arange(2)


def counts(
    waves=192, matrix=0, cache=0, touched=0, lds=0, vector=0, roots=0, each=1, gfx="gfx1100"
):
    """A launch of so many waves, `each` a workgroup, all of which do as much."""
    groups = waves // each
    traffic = Traffic(1 << 20, gfx, groups)
    traffic.cache_cycles_of, traffic.lds_cycles_of = (
        np.full(groups, number / groups) for number in (cache, lds)
    )
    traffic._touched[0, : touched // 64] = True
    vectors, approximate, products, flops = (
        np.full(groups, number / groups) for number in (vector, roots, matrix, 0)
    )
    work = WorkgroupCounts(np.arange(groups), {"vector": vectors}, approximate, products, flops)
    given = (groups, waves, {"vector": vector}, 0.0, 0, 0, 0, frozenset(), traffic)
    return Counts("k", *given, by_workgroup=work)


@pytest.mark.parametrize(
    ("what", "unit", "microseconds"),
    [
        # A cycle of 96 compute units at 2.5 GHz: one of 192 SIMDs, 96 lines, …
        ({"matrix": 192 * 2500}, "matrix", 1.0),
        ({"cache": 96 * 5000}, "cache", 2.0),
        ({"lds": 96 * 2500}, "LDS", 1.0),
        ({"vector": 192 * 2500}, "issue", 1.0),
        ({"touched": 960_000}, "memory", 1.0),
    ],
)
def test_each_unit_is_busy_as_long_as_its_peak_says(what, unit, microseconds):
    found = estimate(counts(**what), GFX, None)
    assert found.bound_by == unit
    assert found.busy[unit] == pytest.approx(microseconds, rel=1e-4)
    assert found.microseconds == pytest.approx(2 + microseconds, rel=1e-4)


def test_few_waves_leave_the_chip_idle():
    found = estimate(counts(waves=48, matrix=192 * 2500), GFX, None)
    assert found.idle_share == pytest.approx(0.75)
    assert found.microseconds == pytest.approx(2 + 4)


@pytest.mark.parametrize("waves_per_simd", [2, 16])
def test_what_is_left_over_leaves_the_chip_idle(waves_per_simd):
    room = Occupancy(waves_per_simd, 4, 16, 16)
    launched = counts(waves=192 * 3 // 2, matrix=192 * 2500 * 3 // 2)
    found = estimate(launched, GFX, room)
    assert found.idle_share == pytest.approx(0.25)
    assert found.microseconds == pytest.approx(2 + 2)
    assert estimate(counts(waves=192 * 3), GFX, room).idle_share == 0


@pytest.mark.parametrize(
    ("each", "idle", "idle_memory"),
    # gfx1100 has 48 work-group processors of 4 SIMDs.
    [(1, 0, 0), (3, 0.5, 0), (4, 0, 0), (8, 0.5, 0.5), (16, 0.75, 0.75)],
)
def test_the_waves_of_a_workgroup_stay_in_one_compute_unit(each, idle, idle_memory):
    launched = counts(waves=192, each=each, matrix=192 * 2500, touched=960_000)
    found = estimate(launched, GFX, None)
    assert found.idle_share == pytest.approx(idle)
    assert found.times["memory"] == pytest.approx(1 / (1 - idle_memory))
    assert found.microseconds == pytest.approx(2 + 1 / (1 - idle), rel=1e-4)
    assert found.apart == pytest.approx(2 + 1 / (1 - idle) + 1 / (1 - idle_memory), rel=1e-4)


def test_what_has_idle_units_decides():
    launched = counts(waves=288, matrix=192 * 2250, touched=960_000)
    assert estimate(launched, GFX, None).bound_by == "matrix"


def test_what_is_not_known_is_not_estimated():
    assert estimate(counts(), targets.get("gfx1250"), None) is None


@pytest.mark.parametrize(
    ("gfx", "cycles"), [("gfx1100", 1 + 16), ("gfx942", 1 + 16), ("gfx90a", 2 + 32)]
)
def test_lines_are_counted_by_wave(gfx, cycles):
    traffic = Traffic(1 << 16, gfx, 2)
    rows = np.arange(32)[None, :] * np.array([[4], [64]])
    traffic.note_global(rows, 4, True, GROUPS)
    # 32 words in a row lie in two lines, 32 words 64 bytes apart in as many.
    assert traffic.cache_lines == 2 + 32
    assert traffic.cache_cycles == cycles
    assert traffic.touched_bytes == 32 * 64
    traffic.note_global(rows, 4, np.zeros((2, 32), bool), GROUPS)
    assert traffic.cache_lines == 34


GFXS = {"gfx1100": 32, "gfx1201": 32, "gfx942": 64, "gfx950": 64}


def lds_cycles(gfx, at, size, active=True, *, is_load=True):
    traffic = Traffic(64, gfx)
    traffic.note_lds(np.asarray(at)[None, :], size, active, GROUPS[:1], is_load=is_load)
    assert traffic.lds_cycles >= traffic.lds_phases > 0
    return traffic.lds_cycles


@pytest.mark.parametrize(
    ("stride", "size", "cycles"),
    [(4, 4, 1), (8, 4, 2), (128, 4, 32), (0, 4, 1), (16, 16, 4), (12, 12, 4), (4, 2, 1)],
)
@pytest.mark.parametrize("gfx", ["gfx1100", "gfx1201", "gfx942"])
def test_banks_of_lds_conflict(stride, size, cycles, gfx):
    lanes = GFXS[gfx]
    # A wave of 64 lanes is two passes where one of 32 is one.
    assert lds_cycles(gfx, np.arange(lanes) * stride, size) == cycles * lanes // 32


def test_64_banks():
    lanes = np.arange(64)
    assert lds_cycles("gfx950", lanes * 4, 4) == 1
    assert lds_cycles("gfx950", lanes * 16, 16) == 4
    assert lds_cycles("gfx950", lanes * 8, 4) == 2
    assert lds_cycles("gfx950", lanes * 256, 4) == 64
    assert lds_cycles("gfx950", lanes * 4, 4, is_load=False) == 2


# Two lanes that use the same bank: in one phase they conflict, in two they do not.
SAME_PHASE = {
    "gfx1100": [(0, 20), (4, 16), (8, 28), (12, 24)],
    "gfx1201": [(0, 7), (8, 15), (24, 31)],
    "gfx942": [(0, 20), (32, 52), (44, 56)],
    "gfx950": [(0, 12), (0, 24), (4, 28), (40, 63)],
}
OTHER_PHASE = {
    "gfx1100": [(0, 4), (0, 16), (8, 24)],
    "gfx1201": [(0, 20), (7, 8)],
    "gfx942": [(0, 4), (0, 52), (12, 44)],
    "gfx950": [(0, 4), (0, 32), (12, 28)],
}


@pytest.mark.parametrize("gfx", GFXS)
def test_phases_of_wide_loads_are_those_that_were_measured(gfx):
    lanes = GFXS[gfx]
    alone = lds_cycles(gfx, np.zeros(lanes, int), 16)
    for pairs, more in ((SAME_PHASE, 1), (OTHER_PHASE, 0)):
        for one, other in pairs[gfx]:
            active = np.isin(np.arange(lanes), (one, other))[None]
            at = np.where(np.arange(lanes) == other, 1024, 0)
            assert lds_cycles(gfx, at, 16, active) == alone + more, (one, other)


@pytest.mark.parametrize(("gfx", "cycles"), [("gfx1100", 17), ("gfx1201", 17), ("gfx950", 18)])
def test_a_phase_takes_its_cycle_with_few_lanes_in_it(gfx, cycles):
    """A product that was traced: 16 lanes store a word each, and load 16 of them four at a time."""
    active = (np.arange(GFXS[gfx]) < 16)[None]
    lanes = np.arange(GFXS[gfx])
    found = lds_cycles(gfx, 4 * lanes, 4, active, is_load=False)
    found += sum(lds_cycles(gfx, 0 * lanes + 16 * i, 16, active) for i in range(4))
    assert found == cycles


def test_transcendental_and_matrix_instructions_keep_lanes_from_others():
    plain = counts(vector=192 * 2500)
    roots = counts(vector=192 * 2500, roots=192 * 2500)
    assert estimate(plain, GFX, None).busy["SIMD"] == pytest.approx(1, rel=1e-4)
    assert estimate(roots, GFX, None).busy["SIMD"] == pytest.approx(4, rel=1e-4)
    both = counts(vector=192 * 2500, matrix=192 * 2500 * 2)
    of_rdna = estimate(both, GFX, None)
    assert of_rdna.bound_by == "SIMD"
    assert of_rdna.microseconds == pytest.approx(2 + 1 + 2, rel=1e-4)
    of_cdna = estimate(counts(vector=5000, gfx="gfx942"), targets.get("gfx942"), None).busy
    assert of_cdna["SIMD"] == pytest.approx(of_cdna["issue"])


def test_units_at_work_together_and_one_after_the_other():
    launched = counts(matrix=192 * 2500, lds=96 * 5000, vector=192 * 2500)
    found = estimate(launched, GFX, None)
    assert found.microseconds == pytest.approx(2 + 2, rel=1e-4)
    assert found.apart == pytest.approx(2 + (1 + 1) + 2, rel=1e-4)
    assert found.matrix_share == pytest.approx(1 / 4, rel=1e-4)
    one = Executed(dataclasses.replace(launched, instructions={"vector": 6, "matrix": 2}), found)
    assert one.others_per_matrix == 3
    assert one.to_dict()["estimate"]["matrix_share"] == found.matrix_share
    assert Executed(launched, None).to_dict()["others_per_matrix"] is None


def test_a_launch_takes_no_less_than_a_wave_and_no_more_than_all_rounds():
    alone = dataclasses.replace(counts(waves=192 * 3), alone=Span(1000, 4000))
    assert estimate(alone, GFX, None).cycles == (1000, 3 * 4000)
    busy = dataclasses.replace(counts(vector=192 * 2500), alone=Span(1000, 4000))
    assert estimate(busy, GFX, None).cycles == (2500, 2500 + 4000)
    assert estimate(busy, GFX, None, work=8.0).cycles == (20000, 20000 + 32000)
    assert estimate(counts(), GFX, None).cycles is None


def test_heavy_workgroups_that_come_together_are_waited_for():
    """Of 96 workgroups 48 do three times as much: 4 each, or 6 on some places and 2 on others."""
    base, room = counts(waves=4 * 96, each=4), Occupancy(2, 2, 16, 16)
    found = []
    for is_heavy in (np.arange(96) < 48, np.arange(96) % 48 < 24):
        work = np.where(is_heavy, 3, 1) * 4 * 250_000.0
        groups = dataclasses.replace(base.by_workgroup, matrix_cycles=work)
        found.append(estimate(dataclasses.replace(base, by_workgroup=groups), GFX, room))
    heaviest_first, by_turns = found
    # Cycles of a work-group processor, whose four SIMDs have a wave each.
    assert heaviest_first.order.work == by_turns.order.work == (250_000, 750_000)
    # With the cycles that lie between the starts of workgroups.
    assert heaviest_first.order.over_mean == pytest.approx(1, rel=1e-3)
    assert heaviest_first.microseconds == pytest.approx(2 + 400, rel=1e-3)
    assert by_turns.order.over_mean == pytest.approx(1.5, rel=1e-3)
    assert by_turns.order.sorted_over_mean == pytest.approx(1, rel=1e-3)
    assert by_turns.microseconds == pytest.approx(2 + 600, rel=1e-3)
    assert by_turns.idle_share == pytest.approx(1 / 3, rel=1e-3)
    assert estimate(counts(vector=4), GFX, None, copies=2).order is None
    assert estimate(counts(), GFX, None).order is None
