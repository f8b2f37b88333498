"""Which of the tiles that were tried is best, and how long a search may take."""

from dataclasses import replace

import pytest

from irattn.binary.inspection.figures import KernelFigures, ModuleFigures, Occupancy
from irattn.core.errors import (
    UsageError,
)
from irattn.lab.tuning import (
    Budget,
    budget_of,
)
from irattn.lab.tuning.entries import SOUND
from irattn.lab.tuning.search import winner
from irattn.lab.tuning.trials import _unfit
from support.tiles_tried import GFX, tried


def kernel(**figures):
    plain = {
        **{"name": "k", "vgprs": 64, "agprs": 0, "sgprs": 16, "vgpr_spills": 0, "sgpr_spills": 0},
        **{"scratch_bytes": 0, "lds_bytes": 0, "wave_size": 32, "workgroup_size": (32, 1, 1)},
        **{"code_bytes": 4, "code_sha256": "", "occupancy": None, "instructions": None},
    }
    return ModuleFigures("", "", (), 0, (KernelFigures(**plain | figures),))


@pytest.mark.parametrize(
    ("figures", "outcome"),
    [
        ({}, SOUND),
        ({"vgpr_spills": 3}, "spills"),
        ({"sgpr_spills": 3}, "spills"),
        ({"lds_bytes": 65 * 1024}, "does not fit"),
        ({"occupancy": Occupancy(0, 0, 4, 16)}, "does not fit"),
    ],
)
def test_code_that_should_not_be_launched_is_thrown_out(figures, outcome):
    assert _unfit(kernel(**figures), GFX)[0] == outcome


OWN = {"keys": 64}


@pytest.mark.parametrize(
    ("others", "keys"),
    [
        ([], 64),
        ([tried(32, 4.0)], 32),
        ([tried(32, 4.98)], 64),
        ([tried(32, 6.0)], 64),
        # Equal estimates: less with one unit after the other.
        ([tried(32, 4.0, figures={"apart": 9.0}), tried(16, 4.0)], 16),
        ([tried(32, 5.0, figures={"apart": 9.0})], 64),
        # Not verified on every case.
        ([tried(32, 4.0, cases=None)], 64),
        ([tried(32, 4.0, cases=None), tried(16, 4.5)], 16),
        # The tables' own is wrong, or was not tried.
        ([tried(32, 6.0), replace(tried(64), outcome="wrong numbers")], 32),
    ],
)
def test_the_best_estimate_wins(others, keys):
    own = tried(64, 5.0, figures={"apart": 10.0})
    found = others if any(one.tile == OWN for one in others) else [own, *others]
    assert winner(found, OWN) == {"keys": keys}


@pytest.mark.parametrize(
    ("others", "keys"),
    [
        # Times decide, where quartiles do not overlap.
        ([tried(32, 9.0, median=7.0)], 32),
        ([tried(32, 1.0, median=9.0)], 64),
        ([tried(32, 1.0, median=7.0), tried(16, 1.0, median=5.0)], 16),
        ([tried(32, 1.0), tried(16, 3.0, median=5.0)], 16),
    ],
)
def test_times_decide_where_there_are_some(others, keys):
    assert winner([tried(64, 5.0, median=10.0), *others], OWN) == {"keys": keys}


@pytest.mark.parametrize(
    ("words", "tiles", "seconds"),
    [(None, None, None), ("40", 40, None), ("90s", None, 90), ("10m", None, 600)],
)
def test_budgets(words, tiles, seconds):
    found = budget_of(words)
    assert (found.tiles, found.seconds) == (tiles, seconds)


@pytest.mark.parametrize("words", ["0", "-1", "ten", "1.5h", "0s", "10 m", "", "1e3", "9" * 12])
def test_other_budgets_are_refused(words):
    with pytest.raises(UsageError, match="expected how many tiles, as 40, or how long"):
        budget_of(words)


def test_a_budget_of_time_ends():
    assert Budget(seconds=1000).allows(10**6)
    assert not Budget(seconds=1000, begun=-(10.0**9)).allows(0)


def test_specs_share_the_time(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    whole = Budget(tiles=9, seconds=60, begun=0.0)
    first = whole.share(3)
    now[0] = 19.9
    assert first.allows(8)
    assert not first.allows(9)
    now[0] = 20.0
    assert not first.allows(0)
    # What the first left is for all that come.
    now[0] = 10.0
    assert whole.share(2).seconds == 25
    now[0] = 70.0
    assert not whole.share(1).allows(0)
    assert Budget(tiles=9).share(3).tiles == 9
