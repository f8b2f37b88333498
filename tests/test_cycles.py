"""The model of time, on launches made by hand."""

import numpy as np
import pytest

from irattn import targets
from irattn.emulator import Counts
from irattn.emulator.measure.cycles import estimate
from irattn.emulator.measure.traffic import Traffic
from irattn.inspection.figures import Occupancy

GFX = targets.get("gfx1100")


def counts(waves=192, flops=0.0, lines=0, touched=0, lds=0, vector=0):
    traffic = Traffic(1 << 20)
    traffic.cache_lines, traffic.lds_cycles = lines, lds
    traffic._touched[: touched // 64] = True
    return Counts("k", waves, waves, {"vector": vector}, flops, 0, 0, 0, frozenset(), traffic)


@pytest.mark.parametrize(
    ("what", "unit", "microseconds"),
    [
        # A cycle of 96 compute units at 2.5 GHz: 96 * 512 products and sums, 96 lines, …
        ({"flops": 96 * 512 * 2500.0}, "matrix", 1.0),
        ({"lines": 96 * 5000}, "cache", 2.0),
        ({"lds": 96 * 2500}, "LDS", 1.0),
        ({"vector": 192 * 2500}, "issue", 1.0),
        ({"touched": 960_000}, "memory", 1.0),
    ],
)
def test_each_unit_is_busy_as_long_as_its_peak_says(what, unit, microseconds):
    found = estimate(counts(**what), GFX, "f16", None)
    assert found.bound_by == unit
    assert found.busy[unit] == pytest.approx(microseconds, rel=1e-4)
    assert found.microseconds == pytest.approx(2 + microseconds, rel=1e-4)


def test_few_waves_leave_the_chip_idle():
    found = estimate(counts(waves=48, flops=96 * 512 * 2500.0), GFX, "f16", None)
    assert found.idle_share == pytest.approx(0.75)
    assert found.microseconds == pytest.approx(2 + 4)
    at_once = 192 * 4
    half_of_the_second_round = counts(waves=at_once * 3 // 2)
    found = estimate(half_of_the_second_round, GFX, "f16", Occupancy(4, 4, 16, 16))
    assert found.idle_share == pytest.approx(0.25)


def test_what_is_not_known_is_not_estimated():
    assert estimate(counts(), targets.get("gfx1250"), "f16", None) is None


def test_lines_are_counted_by_wave():
    traffic = Traffic(1 << 16)
    rows = np.arange(32)[None, :] * np.array([[4], [64]])
    traffic.note_global(rows, 4, True)
    # 32 words in a row lie in two lines, 32 words 64 bytes apart in as many.
    assert traffic.cache_lines == 2 + 32
    assert traffic.touched_bytes == 32 * 64
    traffic.note_global(rows, 4, np.zeros((2, 32), bool))
    assert traffic.cache_lines == 34


@pytest.mark.parametrize(
    ("stride", "size", "cycles"),
    [(4, 4, 1), (8, 4, 2), (128, 4, 32), (0, 4, 1), (16, 16, 4), (12, 12, 4), (4, 2, 1)],
)
@pytest.mark.parametrize("lanes", [32, 64])
def test_banks_of_lds_conflict(stride, size, cycles, lanes):
    traffic = Traffic(64)
    traffic.note_lds(np.arange(lanes)[None, :] * stride, size, True)
    # A wave of 64 lanes is two passes where one of 32 is one.
    assert traffic.lds_cycles == cycles * lanes // 32
