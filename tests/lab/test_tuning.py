"""Tuning: which tiles are tried, what becomes of them, and the file that keeps both."""

import importlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import irattn
import irattn.lab.tuning.confirming
import irattn.lab.tuning.measuring
import irattn.lab.tuning.search
import irattn.lab.tuning.session
from irattn import AttentionSpec, targets
from irattn.binary.inspection.figures import KernelFigures, ModuleFigures, Occupancy
from irattn.binary.manifest import VMFB, sha256
from irattn.cli import main
from irattn.cli.tune import _failures
from irattn.cli.tuned import print_entry, print_gains, say_step
from irattn.compiling import catalog
from irattn.compiling.build import build
from irattn.compiling.store import Store
from irattn.core.errors import (
    ArgumentError,
    BenchmarkError,
    DeviceError,
    ExecutorError,
    RenderError,
    StorageError,
    TuningError,
    UsageError,
)
from irattn.lab.emulator.measure.cycles import estimate
from irattn.lab.profiling import execute
from irattn.lab.tuning import (
    Budget,
    Tried,
    TuningEntry,
    TuningSession,
    budget_of,
    gains,
    read_tuning,
    tiles_in_order,
)
from irattn.lab.tuning.confirming import spearman, spread_over
from irattn.lab.tuning.cut import cut
from irattn.lab.tuning.entries import SOUND
from irattn.lab.tuning.search import winner
from irattn.lab.tuning.session import measuring_device
from irattn.lab.tuning.timed import Timed, TimedTile
from irattn.lab.tuning.trials import Job, _unfit, run_cut
from irattn.lab.verification import KnownCase
from irattn.rendering import GraphRequest, allowed_tiles, render, tile_numbers, vector_cycles
from support.here import Here

NAME = "gqa_causal_tiny"
SPEC = catalog.get(NAME)
GFX = targets.get("gfx1100")
ENTRIES = [
    *("gqa_causal_base", "gqa_decode_base", "alibi_base", NAME, "packed_causal_base"),
    *("paged_latent_decode_base", "paged_update_decode_base"),
]
TARGETS = ["gfx1100", "gfx942", "sm_89", "x86-64-v4", "aarch64"]


EVIDENCE = sorted((Path(irattn.__file__).parents[1] / "artifacts").glob("*.tuning.json"))


def run(*words):
    return CliRunner().invoke(main, [*map(str, words)])


def session(path, budget=None, device="auto", told=None):
    return TuningSession(
        path=path,
        executor=Here(),
        device=device,
        tokens=512,
        budget=budget or Budget(),
        command="irattn tune",
        root=path.parent / "store",
        tell=lambda *step: told.append(step) if told is not None else None,
    )


# Which tiles there are.


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ENTRIES)
def test_every_tile_renders_to_a_text_of_its_own(name, target):
    spec, chosen = catalog.get(name), targets.get(target)
    tiles = tiles_in_order(spec, chosen)
    assert render(GraphRequest(spec, chosen, tile=tiles[0])) == render(GraphRequest(spec, chosen))
    some = [tiles[0], tiles[len(tiles) // 2], tiles[-1]][: len(tiles)]
    assert len({render(GraphRequest(spec, chosen, tile=tile)) for tile in some}) == len(some)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ENTRIES)
def test_the_tables_own_is_first_and_its_neighbours_follow(name, target):
    spec, chosen = catalog.get(name), targets.get(target)
    tiles = tiles_in_order(spec, chosen)
    assert tiles[0] == tile_numbers(GraphRequest(spec, chosen))
    assert len({tuple(tile.items()) for tile in tiles}) == len(tiles)
    assert tiles == tiles_in_order(spec, chosen)

    def apart(tile):
        return sum(abs(tile[name] / tiles[0][name] - 1) > 0 for name in tile)

    if len(tiles) > 2:
        assert apart(tiles[1]) <= apart(tiles[-1])


def test_other_tiles_are_refused():
    tile = tile_numbers(GraphRequest(SPEC, GFX))
    with pytest.raises(RenderError, match="cannot be cut into rows 8, keys 8, row_waves 3"):
        render(GraphRequest(SPEC, GFX, tile={**tile, "rows": 8, "row_waves": 3}))
    with pytest.raises(RenderError, match="expected rows, keys, row_waves, got keys"):
        render(GraphRequest(SPEC, GFX, tile={"keys": 8}))
    for name in ("rope_tiny", "whole_layer_norms_tiny"):
        with pytest.raises(RenderError, match="has none to choose"):
            allowed_tiles(GraphRequest(catalog.get(name), GFX))
    with pytest.raises(RenderError, match="attention in torch has none to choose"):
        render(GraphRequest(SPEC, GFX, dialect="torch", tile=tile))


def test_cycles_are_those_of_the_keys_that_blocks_see():
    spec = AttentionSpec(
        num_q_heads=1, num_kv_heads=1, q_len=64, kv_len=64, head_dim=64, causal=True
    )
    target = targets.get("x86-64-v4")

    def of(**fields):
        return vector_cycles(GraphRequest(spec, target, tile={**_BLOCK, **fields}))

    # One step: keys that are turned, and values that are made f32. Of its 8 blocks four see one
    # block of scores, four two, and values of 8, 16, ... 64 keys.
    copied = 64 * 64 / 16 * (6 + 2)
    scores = 8 * (4 * 32 + 4 * 64) * (64 + 16) / 16
    values = 8 * (8 + 16 + 24 + 32 + 40 + 48 + 56 + 64) * 64 / 16
    blocks = 8 * (8 * 64 / 16 * 3 + 120)
    assert of() == copied + scores + values + blocks
    # Two tiles copy the first half of the keys twice.
    assert of(queries=32, keys=32) > of()
    # 17 loads for 16 sums, where blocks of 8 have 10.
    wide = vector_cycles(
        GraphRequest(spec.replace(causal=False), target, tile={**_BLOCK, "block_rows": 16})
    )
    eight = vector_cycles(GraphRequest(spec.replace(causal=False), target, tile=_BLOCK))
    products = 2 * 64 * 64 * 64 / 16
    assert wide == eight + products / 16 - 4 * 120


_BLOCK = {"heads": 1, "queries": 64, "keys": 64, "block_rows": 8}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "device", "kv_len"), [("gfx1100", "emulator", 300), ("cpu", "cpu", 1100)]
)
def test_parts_of_keys_may_be_shorter(target, device, kv_len):
    """The last of them is not full."""
    spec, chosen = SPEC.replace(q_len=1, kv_len=kv_len), targets.get(target)
    tiles = [tile for tile in tiles_in_order(spec, chosen) if tile["part_keys"] <= 256]
    tile = min(tiles, key=lambda tile: (tile["part_keys"], -tile["keys"]))
    assert tile["part_keys"] < tile_numbers(GraphRequest(spec, chosen))["part_keys"]
    found = run_cut(build(GraphRequest(spec, chosen, tile=tile)), device, 1, 1.0)
    assert found["strain"] < 1


@pytest.mark.parametrize(("name", "keys"), [("gfx942", 128), ("gfx1100", 192), ("gfx1200", 256)])
def test_a_chip_may_have_parts_of_its_own(name, keys):
    """The same for every batch and length, as bits depend on them."""
    for batch, kv_len in ((1, 512), (1, 16384), (64, 512)):
        spec = SPEC.replace(batch=batch, q_len=1, kv_len=kv_len)
        assert tile_numbers(GraphRequest(spec, targets.get(name)))["part_keys"] == keys


@pytest.mark.parametrize("path", EVIDENCE, ids=lambda path: path.name)
def test_the_tables_have_tiles_that_their_evidence_found_sound(path):
    """Or the chip would run what was never tried for it."""
    for entry in read_tuning(path).entries:
        assert entry.target == path.name.partition(".")[0]
        tried = entry.of(tile_numbers(GraphRequest(entry.spec, targets.get(entry.target))))
        assert tried is not None, entry.name
        assert tried.is_sound, entry.name


# What is run of a spec.


@pytest.mark.parametrize("name", catalog.names())
def test_a_cut_has_the_tiles_of_the_whole(name):
    spec = catalog.get(name)
    try:
        whole = {target: tiles_in_order(spec, targets.get(target)) for target in TARGETS}
    except RenderError:
        return
    for target, tiles in whole.items():
        small = cut(spec, targets.get(target), 512)
        # In the order of its own table: NVIDIA's long prompts begin with another tile.
        own = tiles_in_order(small.spec, targets.get(target))
        assert sorted(own, key=str) == sorted(tiles, key=str)
        assert small.spec.flops * small.copies <= spec.flops


@pytest.mark.parametrize(("length", "expected"), [(512, 512), (2048, 512), (1500, 476), (700, 444)])
def test_the_last_tile_of_a_cut_is_as_full(length, expected):
    spec = catalog.get("gqa_causal_base").replace(q_len=length, kv_len=length)
    found = cut(spec, GFX, 512).spec
    assert (found.q_len, found.kv_len) == (expected, expected)


@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [
        ("gqa_causal_base", {}, (8, 1)),
        ("gqa_causal_base", {"q_len": 2048, "kv_len": 2048, "batch": 2}, (8 * 2 * 4, 4)),
        ("gqa_causal_base", {"causal": False, "kv_len": 4096}, (8, 8)),
        ("decode_4096_f32_bench", {}, (8 * 2, 1)),
        ("packed_causal_base", {}, (8 * 2, 2)),
        ("gqa_paged_decode_base", {"batch": 3, "max_blocks": 256}, (8 * 3 * 2, 1)),
    ],
)
def test_a_cut_stands_for_all_workgroups(name, fields, expected):
    """Of heads, sequences and tiles of queries, or of parts of keys where queries are few."""
    spec = catalog.get(name).replace(**fields)
    small = cut(spec, GFX, 512)
    assert (small.copies, pytest.approx(small.work, rel=0.01)) == expected
    assert cut(spec, targets.get("x86-64-v3"), 512).copies == 1


def test_an_estimate_for_the_copies_of_a_cut_is_that_of_the_whole():
    spec = SPEC.replace(batch=2)
    small = cut(spec, GFX, 512)
    assert small.copies == 4
    (whole,), (part,) = (
        execute(build(GraphRequest(one, GFX)), copies=copies).dispatches
        for one, copies in ((spec, 1), (small.spec, small.copies))
    )
    assert part.estimate.microseconds == pytest.approx(whole.estimate.microseconds)
    # Fewer instructions tell one head, or sequence, from another.
    assert part.estimate.busy == pytest.approx(whole.estimate.busy, rel=0.05)
    assert part.estimate.idle_share == whole.estimate.idle_share
    twice, once = (estimate(part.counts, GFX, None, work=work).busy for work in (2.0, 1.0))
    assert twice == {unit: busy * (2 if unit != "memory" else 1) for unit, busy in once.items()}


# What becomes of tiles.


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


def spread(median, half):
    ends = {"lower": median - half, "upper": median + half}
    return {"median": median, **ends, "calls": 9, "halves": [median, median]}


def tried(keys, estimate=1.0, cases=8, median=None, **fields):
    measured = median and spread(median, 1.0)
    return Tried({"keys": keys}, SOUND, estimate=estimate, cases=cases, measured=measured, **fields)


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


# The search.


@pytest.fixture
def fakes(monkeypatch):
    """Trials that take no time: many keys and few waves are best; what was tried, in order."""
    calls = []

    def try_tile(job, tile):
        calls.append(dict(tile))
        return Tried(dict(tile), SOUND, estimate=100 / tile["keys"] + tile["row_waves"])

    def verified(job, one):
        return replace(one, cases=8)

    monkeypatch.setattr(irattn.lab.tuning.search, "try_tile", try_tile)
    monkeypatch.setattr(irattn.lab.tuning.search, "verified", verified)
    return calls


def test_a_search_tries_all_and_keeps_each_step(fakes, tmp_path):
    told = []
    entry, trials = session(tmp_path / "t.json", told=told).tune(NAME, SPEC, GFX)
    assert fakes == tiles_in_order(SPEC, GFX)
    assert entry.tile == {"rows": 8, "keys": 32, "row_waves": 1}
    assert [len(step.tried) for step, _, _ in told][: len(fakes)] == [*range(1, len(fakes) + 1)]
    assert read_tuning(tmp_path / "t.json").find(SPEC, GFX) == entry
    assert not trials.failures


def test_equal_inputs_give_equal_files(fakes, tmp_path):
    for name in ("a", "b"):
        session(tmp_path / name).tune(NAME, SPEC, GFX)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_search_goes_on_where_it_stopped(fakes, tmp_path):
    path = tmp_path / "t.json"
    first, _ = session(path, Budget(tiles=3)).tune(NAME, SPEC, GFX)
    assert len(first.tried) == len(fakes) == 3
    session(path, Budget(tiles=3)).tune(NAME, SPEC, GFX)
    assert len(fakes) == 3
    last, _ = session(path).tune(NAME, SPEC, GFX)
    assert fakes == tiles_in_order(SPEC, GFX)
    whole, _ = session(tmp_path / "whole.json").tune(NAME, SPEC, GFX)
    assert last.tile == whole.tile
    assert [replace(one, cases=None) for one in last.tried] == [
        replace(one, cases=None) for one in whole.tried
    ]


def test_ctrl_c_loses_nothing(fakes, tmp_path):
    path = tmp_path / "t.json"

    def interrupt(entry, tiles, last):
        if len(entry.tried) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace(session(path), tell=interrupt).tune(NAME, SPEC, GFX)
    (kept,) = read_tuning(path).entries
    assert len(kept.tried) == 4
    assert not kept.is_finished
    begun = len(fakes)
    session(path).tune(NAME, SPEC, GFX)
    assert fakes[begun:] == [tile for tile in tiles_in_order(SPEC, GFX) if kept.of(tile) is None]


def test_nothing_is_tried_that_cannot_be_kept(fakes, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="is no folder"):
        replace(session(tmp_path / "t.json"), path=tmp_path / "file" / "t.json").tune(
            NAME, SPEC, GFX
        )
    assert not fakes


def test_other_versions_are_tried_anew(fakes, tmp_path, monkeypatch):
    path = tmp_path / "t.json"
    before, _ = session(path, Budget(tiles=2)).tune(NAME, SPEC, GFX)
    there = replace(irattn.lab.tuning.session.versions(), files="another")
    monkeypatch.setattr(irattn.lab.tuning.session, "versions", lambda: there)
    # A run that ends before its first tile leaves what there is.
    session(path, Budget(tiles=0)).tune(NAME, SPEC, GFX)
    assert read_tuning(path).entries == (before,)
    session(path, Budget(tiles=2)).tune(NAME, SPEC, GFX)
    assert len(fakes) == 4


def test_what_a_tile_is_not_to_blame_for_is_tried_again(fakes, tmp_path, monkeypatch):
    path, sound = tmp_path / "t.json", irattn.lab.tuning.search.try_tile

    def lose_one(job, tile):
        if tile["keys"] == 16 and len(fakes) < 20:
            fakes.append(tile)
            raise ExecutorError("every worker was lost")
        return sound(job, tile)

    monkeypatch.setattr(irattn.lab.tuning.search, "try_tile", lose_one)
    entry, trials = session(path).tune(NAME, SPEC, GFX)
    lost = [tile for tile in tiles_in_order(SPEC, GFX) if tile["keys"] == 16]
    assert [trials.tiles[number] for number in trials.failures] == lost
    assert _failures(entry, trials)[0] == (
        f"{NAME} for gfx1100, rows {lost[0]['rows']}, keys 16, row_waves {lost[0]['row_waves']}: "
        "every worker was lost"
    )
    assert [one.tile for one in entry.tried] == [
        tile for tile in tiles_in_order(SPEC, GFX) if tile not in lost
    ]
    monkeypatch.setattr(irattn.lab.tuning.search, "try_tile", sound)
    entry, trials = session(path).tune(NAME, SPEC, GFX)
    assert [one.tile for one in entry.tried] == tiles_in_order(SPEC, GFX)


def test_a_finalist_that_fails_a_case_gives_way(fakes, tmp_path, monkeypatch):
    def verified(job, one):
        if one.tile["row_waves"] == 1:
            return replace(one, outcome="wrong numbers", why="cases uniform")
        return replace(one, cases=8)

    monkeypatch.setattr(irattn.lab.tuning.search, "verified", verified)
    entry, _ = session(tmp_path / "t.json").tune(NAME, SPEC, GFX)
    assert entry.tile == {"rows": 16, "keys": 32, "row_waves": 2}


def test_the_best_and_the_tables_own_are_timed(fakes, tmp_path, monkeypatch):
    timed = []

    def measure(tiles, device):
        timed.append([whole.manifest.tile for whole, _ in tiles])
        medians = [1.0 + i for i in range(len(tiles))][::-1]
        return [Timed(times=spread(m, 0.1)) for m in medians]

    monkeypatch.setattr(irattn.lab.tuning.search, "measure", measure)
    made_of_nothing(monkeypatch)
    monkeypatch.setattr(irattn.lab.tuning.session, "device_for", lambda target, device: "hip")
    monkeypatch.setattr(
        irattn.lab.tuning.session, "machine_of", lambda device: {"devices": ["one"]}
    )
    path = tmp_path / "t.json"
    entry, _ = session(path).tune(NAME, SPEC, GFX)
    assert len(timed[0]) == 5
    assert tile_numbers(GraphRequest(SPEC, GFX)) in timed[0]
    assert entry.tile == timed[0][-1]
    assert (entry.device, entry.machine) == ("hip", {"devices": ["one"]})
    again, _ = session(path).tune(NAME, SPEC, GFX)
    assert again == entry
    # Without a device the times stay; those of another machine are no times of this one.
    monkeypatch.setattr(irattn.lab.tuning.session, "device_for", no_device)
    assert session(path).tune(NAME, SPEC, GFX)[0] == entry
    assert len(timed) == 1
    monkeypatch.setattr(irattn.lab.tuning.session, "device_for", lambda target, device: "hip")
    monkeypatch.setattr(
        irattn.lab.tuning.session, "machine_of", lambda device: {"devices": ["two"]}
    )
    assert session(path).tune(NAME, SPEC, GFX)[0].machine == {"devices": ["two"]}
    assert len(timed) == 2


def test_what_fails_on_the_device_gives_way(fakes, tmp_path, monkeypatch):
    """The best by the model dies on the card, the next is wrong there: the third is measured."""
    told, rounds = [], []

    def measure(tiles, device):
        keys = [whole.manifest.tile for whole, _ in tiles]
        rounds.append(keys)
        found = {
            (32, 1): Timed("does not run", "the process of own died"),
            (32, 2): Timed("wrong numbers", "7 times what is allowed"),
        }
        ok = Timed(times=spread(1.0, 0.1))
        return [found.get((tile["keys"], tile["row_waves"]), ok) for tile in keys]

    monkeypatch.setattr(irattn.lab.tuning.search, "measure", measure)
    made_of_nothing(monkeypatch)
    monkeypatch.setattr(irattn.lab.tuning.session, "device_for", lambda target, device: "hip")
    monkeypatch.setattr(
        irattn.lab.tuning.session, "machine_of", lambda device: {"devices": ["one"]}
    )
    entry, _ = session(tmp_path / "t.json", told=told).tune(NAME, SPEC, GFX)
    failed = {one.outcome: one.why for one in entry.tried if not one.is_sound}
    assert failed == {
        "does not run": "on device hip: the process of own died",
        "wrong numbers": "on device hip: 7 times what is allowed",
    }
    assert len(rounds) == 2
    assert [len(tiles) for tiles in rounds] == [5, 5]
    assert sum(one.measured is not None for one in entry.tried) == 5
    assert [one.outcome for _, _, one in told if not one.is_sound] == [*failed]
    # Thrown out for good.
    again, _ = session(tmp_path / "t.json").tune(NAME, SPEC, GFX)
    assert again == entry
    assert len(rounds) == 2


class _Process:
    """A side that computes the same for all, or dies."""

    def __init__(self, outputs, turns):
        self.computed, self.turns, self.loaded = outputs, iter(turns), []

    def load(self, folder):
        self.loaded.append(folder)

    def prepare(self, call):
        return ["call"]

    def outputs(self, way):
        return [self.computed]

    def turn(self, way, seconds):
        found = next(self.turns)
        if isinstance(found, Exception):
            raise found
        return found


class _Artifact:
    def __init__(self, path):
        self.path, self.spec = path, SPEC


@pytest.mark.parametrize(
    ("off", "turns", "expected"),
    [
        (0, [[1.0], [3.0]], (SOUND, None)),
        (9.0, [], ("wrong numbers", "times what is allowed")),
        (float("nan"), [], ("wrong numbers", "times what is allowed")),
        (0, [[1.0], BenchmarkError("it died\nof that")], ("does not run", "it died")),
        (0, [DeviceError("lost"), [1.0]], ("does not run", "lost")),
    ],
)
def test_a_tile_takes_turns_until_something_is_wrong(off, turns, expected):
    (tensor,) = SPEC.outputs
    known = KnownCase("ones", SPEC, {}, (np.ones(tensor.shape),), (None,))
    process = _Process(np.full(tensor.shape, 1.0 + off, np.float32), turns)
    tile = TimedTile(process)
    tile.prepare(_Artifact("whole"), _Artifact("cut"), known)
    found = tile.after([tile.turn(), tile.turn()])
    assert found.outcome == expected[0]
    assert (expected[1] or "") in (found.why or "")
    assert (found.times is not None) == (found.outcome == SOUND)
    assert process.loaded == (["cut", "whole"] if off == 0 else ["cut"])
    if found.times:
        assert found.times["halves"] == [1.0, 3.0]


@pytest.fixture
def cuda(fakes, monkeypatch):
    """A GPU that is not emulated, where each tile takes twice as long as the next one tried."""
    verified = []

    def try_tile(job, tile):
        fakes.append(dict(tile))
        return Tried(dict(tile), SOUND)

    def verify(job, one):
        verified.append(dict(one.tile))
        return replace(one, cases=8)

    def measure(tiles, device):
        return [Timed(times=spread(2.0**-i, 0.1 * 2.0**-i)) for i in range(len(tiles))]

    monkeypatch.setattr(irattn.lab.tuning.search, "try_tile", try_tile)
    monkeypatch.setattr(irattn.lab.tuning.search, "verified", verify)
    monkeypatch.setattr(irattn.lab.tuning.search, "measure", measure)
    made_of_nothing(monkeypatch)
    monkeypatch.setattr(irattn.lab.tuning.session, "device_for", lambda target, device: "cuda")
    monkeypatch.setattr(
        irattn.lab.tuning.session, "machine_of", lambda device: {"devices": ["one"]}
    )
    return verified


CUDA = targets.get("sm_89")


def test_without_a_model_times_come_first_and_the_quickest_is_verified(cuda, tmp_path):
    entry, _ = session(tmp_path / "t.json", Budget(tiles=5)).tune(NAME, SPEC, CUDA)
    tiles = tiles_in_order(SPEC, CUDA)
    assert cuda == [tiles[4], tiles[0]]
    assert entry.tile == tiles[4]
    assert all(one.measured for one in entry.tried)
    session(tmp_path / "t.json", Budget(tiles=5)).tune(NAME, SPEC, CUDA)
    assert len(cuda) == 2


def test_without_a_model_a_wrong_tile_gives_way_to_the_next_quickest(cuda, tmp_path, monkeypatch):
    tiles, told, right = tiles_in_order(SPEC, CUDA), [], irattn.lab.tuning.search.verified

    def verified(job, one):
        done = right(job, one)
        if one.tile in (tiles[0], tiles[4]):
            return replace(done, cases=None, outcome="wrong numbers", why="cases uniform")
        return done

    monkeypatch.setattr(irattn.lab.tuning.search, "verified", verified)
    entry, _ = session(tmp_path / "t.json", Budget(tiles=5), told=told).tune(NAME, SPEC, CUDA)
    assert cuda == [tiles[4], tiles[3], tiles[0]]
    assert entry.tile == tiles[3]
    assert [one.outcome for _, _, one in told[-3:]] == ["wrong numbers", SOUND, "wrong numbers"]
    # What never was verified is not chosen, whatever it took.
    monkeypatch.setattr(irattn.lab.tuning.search, "verified", lambda job, one: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        session(tmp_path / "b.json", Budget(tiles=5)).tune(NAME, SPEC, CUDA)
    (kept,) = read_tuning(tmp_path / "b.json").entries
    assert kept.tile == tiles[0]
    assert kept.tried[4].measured


def made_of_nothing(monkeypatch):
    """Artifacts that only know their tile."""
    for name in ("artifact", "small_artifact"):
        monkeypatch.setattr(Job, name, lambda job, tile: _Made(tile))


class _Made:
    def __init__(self, tile):
        self.manifest = type("Manifest", (), {"tile": dict(tile)})


def test_a_gpu_of_another_kind_times_nothing(monkeypatch):
    monkeypatch.setattr(irattn.lab.tuning.measuring, "driver_status", lambda driver: _Present())
    for arch, device in (("gfx1100", "hip"), ("gfx1100:xnack-", "hip"), (None, "hip")):
        monkeypatch.setattr(
            irattn.lab.tuning.measuring, "device_arch", lambda driver, arch=arch: arch
        )
        assert measuring_device(GFX, "auto") == device
    monkeypatch.setattr(irattn.lab.tuning.measuring, "device_arch", lambda driver: "gfx1030")
    assert measuring_device(GFX, "auto") is None
    with pytest.raises(DeviceError, match="device hip: is gfx1030, and does not run gfx1100 code"):
        measuring_device(GFX, "hip")


class _Present:
    problem = None


def test_what_nothing_here_can_rank_is_refused(tmp_path):
    with pytest.raises(DeviceError, match="nothing can verify and rank tiles"):
        session(tmp_path / "t.json").tune(NAME, SPEC, targets.get("sm_89"))
    with pytest.raises(DeviceError, match="device hip: "):
        session(tmp_path / "t.json", device="hip").tune(NAME, SPEC, GFX)
    with pytest.raises(UsageError, match="device cuda: the target gfx1100"):
        session(tmp_path / "t.json", device="cuda").tune(NAME, SPEC, GFX)
    with pytest.raises(UsageError, match="device cpu: the target gfx1100 is a GPU"):
        session(tmp_path / "t.json", device="cpu").tune(NAME, SPEC, GFX)


# From the shell, with all that it does.


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    """A tuning file for an AMD GPU, of two tiles."""
    path = tmp_path_factory.mktemp("tuning") / "t.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irattn.cli.tune.open_executor", lambda words, jobs: Here())
        words = ("--target", "gfx1100", "--budget", "2", "-o", path, "--store", path.parent / "a")
        result = run("tune", NAME, *words)
    assert result.exit_code == 0, result.output + repr(result.exception)
    return path, result


@pytest.mark.slow
def test_tune_says_what_it_found(tuned):
    path, result = tuned
    (entry,) = read_tuning(path).entries
    assert f"{NAME} for gfx1100: 2 of 12 tiles tried" in result.stdout
    assert "ranked by microseconds of the emulator's model" in result.stdout
    assert "(table)" in result.stdout
    assert f"{NAME} for gfx1100, 1 of 12: rows 32, keys 8, row_waves 4: " in result.stderr
    words = f"--target gfx1100 --output {path} --budget 2 --store {path.parent / 'a'}"
    assert entry.command == f"irattn tune {NAME} {words}"
    assert all(one.is_sound and one.cases and one.strain < 1 for one in entry.tried)
    assert {"vgprs", "lds_bytes", "executed_instructions", "apart"} <= entry.tried[0].figures.keys()


@pytest.mark.slow
def test_steps_say_what_is_best_so_far(tuned, capsys):
    """The line of progress, which an end of a terminal may cut, says first what it takes."""
    (entry,) = read_tuning(tuned[0]).entries
    few = [
        Tried(one.tile, SOUND, estimate=estimate)
        for one, estimate in zip(entry.tried, (3.0, 2.0), strict=True)
    ]
    after, words, title = replace(entry, tried=few), few[1].words, f"{NAME} for gfx1100"
    assert say_step(after, 12, few[1]) == f"{title}: 2 of 12; best so far 2.0 us, {words}"
    say_step(after, 12, few[0])
    new, old = capsys.readouterr().err.splitlines()
    assert new == f"{title}, 2 of 12: {words}: 2.0 us, the best so far"
    assert old == f"{title}, 2 of 12: {few[0].words}: 3.0 us"


def test_an_entry_without_time_says_so(tuned, capsys):
    (entry,) = read_tuning(tuned[0]).entries
    print_entry(replace(entry, tried=()), 12)
    said = capsys.readouterr().out
    assert f"{NAME} for gfx1100: 0 of 12 tiles tried" in said
    assert "the tables' own stays: none was tried yet" in said
    assert "nothing better was found" not in said


def test_compile_uses_a_tuning_file(tuned, tmp_path):
    path, _ = tuned
    (entry,) = read_tuning(path).entries
    plain = irattn.compile(NAME, target="gfx1100", out=tmp_path)
    found = irattn.compile(NAME, target="gfx1100", tuning=path, out=tmp_path)
    assert found.manifest.tile == entry.tile
    assert found.manifest.key != plain.manifest.key
    assert found.path == tmp_path / "gfx1100" / f"{NAME}.tuned"
    assert found.mlir == irattn.rendering.render(GraphRequest(SPEC, GFX, tile=entry.tile))
    assert "tile" not in json.loads((plain.path / "manifest.json").read_text())
    result = run("compile", NAME, "--target=gfx1100", "--tuning", path, "--store", tmp_path)
    assert result.stdout.startswith("found ")
    assert run("inspect", found.path, "--json").exit_code == 0


def test_the_key_counts_the_tile(tmp_path):
    tiles = tiles_in_order(SPEC, GFX)[:2]
    keys = {
        build(GraphRequest(SPEC, GFX, tile=tile), Store(tmp_path), name="x").manifest.key
        for tile in tiles
    }
    keys.add(build(GraphRequest(SPEC, GFX), Store(tmp_path), name="x").manifest.key)
    assert len(keys) == 3


def test_a_file_without_what_is_compiled_is_told(tuned, tmp_path):
    path, _ = tuned
    for words, message in (
        ((NAME, "--target=gfx942"), f"tuned {NAME} for gfx1100, not for gfx942"),
        (("mha_full_tiny", "--target=gfx1100"), f"has tiles for {NAME}, not for mha_full_tiny"),
        (
            (NAME, "--target=gfx1100", "--set=q_len=31"),
            f"fields of its spec; to tune it: irattn tune … --target gfx1100 -o {path}",
        ),
        (("rope_tiny", "--target=gfx1100"), "rope_tiny is rope, which has no tile"),
    ):
        result = run("compile", *words, "--tuning", path, "--store", tmp_path)
        assert result.exit_code == 2
        assert message in result.stderr
    result = run(
        *("compile", NAME, "rope_tiny", "--target=gfx1100", "--tuning", path, "--store", tmp_path)
    )
    assert result.exit_code == 0
    assert "which has no tile; attention has one; the tables' tile is used" in result.stderr
    for option in (("--dialect", "torch"), ("--formulation", "blocked")):
        result = run("compile", NAME, "--target=gfx1100", "--tuning", path, *option)
        assert "leave --dialect and --formulation out" in result.stderr


def test_a_tile_that_the_graph_cannot_have_is_refused(tuned, tmp_path):
    """Before anything is compiled, and not passed over where the file has tiles for others."""
    file, wrong = json.loads(tuned[0].read_text()), tmp_path / "wrong.json"
    (entry,) = file["entries"]
    tried_of(file)[1]["tile"] = entry["tile"] = {**entry["own_tile"], "keys": 7}
    other = {**entry, "tile": entry["own_tile"], "target": "gfx1101"}
    file["entries"].append(other)
    wrong.write_text(json.dumps(file))
    words = ("--target=gfx1100", "--target=gfx1101", "--tuning", wrong, "--store", tmp_path / "out")
    result = run("compile", NAME, *words)
    assert result.exit_code == 2
    assert f"{wrong}: {NAME} for gfx1100 cannot be cut into rows 32, keys 7," in result.stderr
    assert f"irattn tune … --target gfx1100 -o {wrong}" in result.stderr
    assert not (tmp_path / "out").exists()
    with pytest.raises(TuningError, match="cannot be cut into"):
        irattn.compile(NAME, target="gfx1100", tuning=wrong)


def test_old_and_unfinished_evidence_is_told(tuned, tmp_path):
    file, old = json.loads(tuned[0].read_text()), tmp_path / "old.json"
    (entry,) = file["entries"]
    entry["versions"]["compiler"] = "3.12.0"
    entry["tile"] = entry["own_tile"]
    for one in entry["tried"]:
        one["cases"] = None
    old.write_text(json.dumps(file))
    result = run("compile", NAME, "--target=gfx1100", "--tuning", old, "--store", tmp_path)
    assert result.exit_code == 0
    assert "was tuned with compiler 3.12.0, this is" in result.stderr
    assert "did not come to its end, and the tables' tile is used; to go on: irattn tune" in (
        result.stderr
    )


def edits():
    """Changes of a file, each with what is said of it."""
    yield lambda file: file.update(format_version=2), "expected format version 1, got 2"
    yield lambda file: file.update(more=1), "more: not a field"
    yield lambda file: file.pop("entries"), "entries: missing"
    yield lambda file: file["entries"].append(3), "entries[1]: expected an object, got 3"
    yield lambda file: file["entries"].append(file["entries"][0]), "is there twice"
    entry = "entries[0]: "
    yield lambda file: tried_of(file).append(tried_of(file)[1]), f"{entry}tried[2]: rows "
    yield lambda file: tried_of(file)[1].update(tile={"a": 1}), f"{entry}tried[1].tile: expected "
    for change, message in (
        ({"target": "gfx1"}, "gfx1: not a target"),
        ({"target": "rx7900xtx"}, "target: expected gfx1100, got rx7900xtx"),
        ({"target_identity": "x"}, "target_identity: only the target cpu has one"),
        ({"name": "../x"}, "name: expected a plain name"),
        ({"tile": {}}, "tile: expected an object with at least 1, got {}"),
        ({"tile": {"rows": 0}}, "tile.rows: expected a whole number of at least 1, got 0"),
        (
            {"tile": {"rows": 8, "keys": 4, "row_waves": 1}},
            "tile: rows 8, keys 4, row_waves 1 is not among the sound ones of tried",
        ),
        ({"spec": {"op": "rope"}}, "spec: rope: missing"),
        ({"copies": 1.5}, "copies: expected a whole number, got 1.5"),
        ({"date": None}, "date: expected text, got None"),
        ({"extra": 1}, "extra: not a field"),
        ({"versions": {"irattn": 3}}, "versions.irattn: expected text, got 3"),
        ({"machine": {}}, "machine: expected one where there is a device, and nowhere else"),
        ({"device": "hip", "machine": {}}, "machine.processor: missing"),
        (
            {"device": "hip", "machine": {"processor": 3}},
            "machine.processor: expected text, got 3",
        ),
    ):
        yield lambda file, c=change: file["entries"][0].update(c), entry + message
    for change, message in (
        ({"outcome": "fine"}, "outcome: expected one of sound, "),
        ({"estimate": "1"}, "estimate: expected a number or null, got '1'"),
        ({"measured": {"median": 1.0}}, "measured.lower: missing"),
        ({"tile": 3}, "tile: expected an object, got 3"),
        (
            {"figures": {"apart": "x"}},
            "figures.apart: expected a number, got 'x'",
        ),
        (
            {"figures": {"vgprs": -1}},
            "figures.vgprs: expected a whole number of at least 0, got -1",
        ),
        (
            {"measured": {**spread(1.0, 0.1), "halves": [1.0]}},
            "measured.halves: expected a list with at least 2, got [1.0]",
        ),
        ({"estimate": -1.0}, "estimate: expected a number of at least 0, got -1.0"),
    ):
        yield (
            lambda file, c=change: file["entries"][0]["tried"][0].update(c),
            f"{entry}tried[0].{message}",
        )


def tried_of(file):
    return file["entries"][0]["tried"]


@pytest.mark.parametrize(("change", "message"), [*edits()], ids=lambda part: str(part)[:40])
def test_files_that_are_none_are_refused(tuned, tmp_path, change, message):
    file, path = json.loads(tuned[0].read_text()), tmp_path / "changed.json"
    change(file)
    path.write_text(json.dumps(file))
    with pytest.raises(TuningError) as error:
        read_tuning(path)
    assert str(error.value).startswith(f"{path}: not a tuning file: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "not readable as JSON"), (b"[]", "expected a JSON object"), (b"\xff", "not readable")],
)
def test_text_that_is_none_is_refused(tmp_path, data, message):
    path = tmp_path / "t.json"
    path.write_bytes(data)
    with pytest.raises(TuningError, match=message):
        irattn.compile(NAME, tuning=path)
    result = run("tune", NAME, "--target", "gfx1100", "-o", path)
    assert result.exit_code == 2
    assert message in result.stderr
    assert path.read_bytes() == data
    with pytest.raises(TuningError, match="No such file"):
        irattn.compile(NAME, tuning=tmp_path / "none")


def test_what_stops_one_entry_stops_no_other(tuned, monkeypatch):
    path, _ = tuned
    before = path.read_bytes()
    monkeypatch.setattr("irattn.cli.tune.open_executor", lambda words, jobs: Here())
    words = ("--target=gfx1100", "--budget", "2", "-o", path, "--store", path.parent / "a")
    alone = run("tune", NAME, "--target=sm_89", *words[1:])
    assert "nothing can verify and rank tiles" in alone.stderr
    result = run("tune", NAME, "--target=sm_89", *words, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [one["target"] for one in found["entries"]] == ["gfx1100"]
    assert f"Error: {NAME} for sm_89: sm_89 is not code for an AMD GPU" in result.stderr
    assert result.stderr.splitlines()[-1].startswith(f"again: irattn tune {NAME} --target sm_89 ")
    assert found["failed"][0].startswith(f"{NAME} for sm_89: ")
    path.write_bytes(before)
    none = run("tune", NAME, "mha_full_tiny", "--target=sm_89", "-o", path)
    assert none.exit_code == 1
    assert not none.stdout


def test_python_finds_what_the_command_found(tuned, monkeypatch):
    path, _ = tuned
    monkeypatch.setattr("irattn.api.figures.executor_of", lambda words: Here())
    (entry,) = read_tuning(path).entries
    (found,) = irattn.tune(NAME, path, target="rx7900xtx", budget=2, out=path.parent / "a")
    assert replace(found, command=entry.command) == entry
    for mistake, message in (
        ({"device": "gpu"}, "device: expected one of auto, cpu, "),
        ({"tokens": "many"}, "tokens: expected a whole number of at least 512, got 'many'"),
        ({"tokens": 100}, "tokens: expected a whole number of at least 512, got 100"),
    ):
        with pytest.raises(UsageError, match=message):
            irattn.tune(NAME, path, target="gfx1100", **mistake)
    # Nobody could read a file again that has such an entry.
    with pytest.raises(ArgumentError, match=r"name: expected .* got '\.\./x'"):
        irattn.tune({"../x": SPEC.replace(kv_len=48)}, path, target="gfx1100")
    assert read_tuning(path).entries == (found,)
    monkeypatch.setattr(Here, "is_elsewhere", True)
    with pytest.raises(UsageError, match="cpu means the machine that compiles"):
        irattn.tune(NAME, path, target="cpu")


def test_gains_over_one_tile_for_all(capsys):
    """Own tiles are the tables'; of one tile for both, 32 keys do best: 2 and 8, a mean of 4."""
    small, big = {"keys": 32}, {"keys": 64}
    costs = [{32: 2.0, 64: 4.0}, {32: 8.0, 64: 8.0, 128: 2.0}]
    entries = [
        TuningEntry(
            **dict.fromkeys(
                ("spec", "target_identity", "ranked_by", "cut", "copies", "work"), None
            ),
            **dict.fromkeys(("device", "machine", "versions", "date", "command"), None),
            name=name,
            target="gfx1100",
            tile=tile,
            own_tile=own,
            tried=[
                tried(keys, cost, figures={"executed_instructions": 10 * keys})
                for keys, cost in cost_of.items()
            ],
        )
        for name, tile, own, cost_of in zip(
            "ab", (small, {"keys": 128}), (small, big), costs, strict=True
        )
    ]
    (gain,) = gains(entries)
    assert (gain.tile, gain.names, gain.measured) == (small, ("a", "b"), False)
    assert (gain.own, gain.chosen) == pytest.approx((1.0, 2.0))
    # 32 and 64 keys to twice 32; 32 and 128.
    assert (gain.own_work, gain.chosen_work) == pytest.approx((2**0.5, 2.0))
    print_gains(entries)
    assert "; they execute 1.41x and 2.00x its instructions" in capsys.readouterr().out
    assert gains(entries[:1]) == []


def test_the_page_has_the_gains_of_the_evidence():
    found = importlib.import_module("gains")
    assert found.page() in found.PAGE.read_text()


# What was ranked, measured.


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([(1, 10), (2, 20), (3, 30)], 1.0),
        ([(1, 30), (2, 20), (3, 10)], -1.0),
        ([(1, 10), (2, 30), (3, 20)], 0.5),
        # Equal numbers share a rank: 0, 1.5, 1.5, 3 against 0, 1, 2, 3.
        ([(1, 10), (2, 20), (2, 30), (9, 31)], 4.5 / (4.5 * 5) ** 0.5),
        ([(1, 10), (1, 20), (1, 30)], None),
    ],
)
def test_the_correlation_of_ranks(pairs, expected):
    found = spearman(pairs)
    assert found == (expected if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("count", "most", "places"),
    [(3, 12, [0, 1, 2]), (20, 4, [0, 1, 10, 19]), (20, 1, [0, 10]), (11, 4, [0, 1, 6, 10])],
)
def test_tiles_of_all_ranks_are_measured(count, most, places):
    """The tables' own too, here the one of rank 10."""
    ranked = [tried(n + 1) for n in range(count)]
    found = spread_over(ranked, most, {"keys": 11})
    assert [one.tile["keys"] - 1 for one in found] == places


@pytest.fixture
def timed_cpu(fakes, tmp_path, monkeypatch):
    """A file for this processor, whose tiles take as long as they have keys, in the end."""
    monkeypatch.setattr(
        irattn.lab.tuning.search,
        "try_tile",
        lambda job, tile: Tried(dict(tile), SOUND, estimate=float(tile["queries"])),
    )
    path, target = tmp_path / "cpu.json", targets.get("cpu")
    spec = SPEC.replace(q_len=1)
    monkeypatch.setattr(irattn.lab.tuning.session, "device_for", no_device)
    monkeypatch.setattr(irattn.lab.tuning.session, "trial_device", lambda target, device: "cpu")
    session(path, Budget(tiles=4)).tune("few", spec, target)

    def measure(tiles, device):
        keys = [whole.manifest.tile["keys"] / 1e3 for whole, _ in tiles]
        return [Timed(strain=0.5, times=spread(m, m / 2)) for m in keys]

    monkeypatch.setattr(irattn.lab.tuning.confirming, "measure", measure)
    return path


def no_device(target, device):
    raise DeviceError("none")


@pytest.mark.slow
def test_confirm_tells_what_fails_at_the_end(timed_cpu, tmp_path, monkeypatch):
    """The others are measured, and the report keeps what was before an entry that stops all."""
    measure = irattn.lab.tuning.confirming.measure

    def one_is_wrong(tiles, device):
        _, *others = measure(tiles, device)
        return [Timed("wrong numbers", "9 times what is allowed"), *others]

    monkeypatch.setattr(irattn.lab.tuning.confirming, "measure", one_is_wrong)
    words = ("tune", "--confirm", timed_cpu, "--store", tmp_path / "store", "--budget", 3)
    result = run(*words)
    assert result.exit_code == 1
    (wrong,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert wrong.startswith("Error: few for cpu: heads ")
    assert wrong.endswith(": wrong numbers: 9 times what is allowed")
    own = tmp_path / "cpu.report.cpu.few.json"
    assert f"again: irattn tune few --target cpu --confirm {timed_cpu} --output {own} " in (
        result.stderr
    )
    (entry,) = json.loads((tmp_path / "cpu.report.json").read_text())["entries"]
    assert [one["outcome"] for one in entry["failed"]] == ["wrong numbers"]
    assert len(entry["failed"][0]["key"]) == len(entry["tiles"][0]["key"])
    assert len(entry["tiles"]) == 2

    def lost(tiles, device):
        raise BenchmarkError("the process of own died")

    monkeypatch.setattr(irattn.lab.tuning.confirming, "measure", lost)
    result = run(*words, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["failed"] == ["few for cpu: the process of own died"]
    assert "again: irattn tune few " in result.stderr


def test_confirm_says_how_well_the_order_holds(timed_cpu, tmp_path):
    result = run("tune", "--confirm", timed_cpu, "--store", tmp_path / "store", "--budget", 3)
    assert result.exit_code == 0, result.output
    assert "on device cpu" in result.stdout
    report = json.loads((tmp_path / "cpu.report.json").read_text())
    (entry,) = report["entries"]
    assert report["tuning_sha256"] == sha256(timed_cpu.read_bytes())
    assert report["command"].startswith(f"irattn tune --confirm {timed_cpu} ")
    assert {"irattn", "compiler", "runtime", "files"} == report["versions"].keys()
    assert {"processor", "threads", "system"} <= entry["machine"].keys()
    # The estimates are all alike.
    assert entry["rank_correlation"] is None
    assert entry["own_correlation"] == pytest.approx(1.0)
    medians = [one["measured"]["median"] for one in entry["tiles"]]
    assert entry["top_loss"] == pytest.approx(medians[0] / min(medians) - 1)
    assert entry["quickest"]["keys"] == min(one["tile"]["keys"] for one in entry["tiles"])
    (folder,) = {
        path.parent
        for path in (tmp_path / "store" / ".tuning").rglob("manifest.json")
        if json.loads(path.read_text())["key"] == entry["tiles"][0]["key"]
    }
    assert sha256((folder / "module.vmfb").read_bytes()) == entry["tiles"][0]["sha256"][VMFB]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--confirm", "none.json"], "does not exist"),
        (["--confirm", "FILE"], "nothing in it runs on a device that is here"),
        (["--confirm", "FILE", "--device", "cuda"], "device cuda: the target gfx1100"),
        (["--confirm", "FILE", "--target", "gfx942"], f"has {NAME} for gfx1100, and none of"),
        (["--confirm", "FILE", "mha_full_tiny"], "and none of what was asked for"),
        (["--confirm", "FILE", "--budget", "10m"], "--budget counts tiles"),
        (["--confirm", "FILE", "--set", "q_len=3"], "measures a file as it is"),
        (["--confirm", "FILE", "-o", "FILE"], "is the tuning file; name another file"),
    ],
)
def test_mistakes_of_confirm(tuned, words, message):
    path, _ = tuned
    result = run("tune", *[str(path) if word == "FILE" else word for word in words])
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert read_tuning(path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([NAME], "expected --target, what to tune for, or --confirm FILE"),
        (["--target", "cpu"], "expected NAMES of attention entries"),
        (["rope_tiny", "--target", "cpu"], "rope_tiny: tile: rope in linalg has none to choose"),
        ([NAME, "--target", "cpu", "--budget", "soon"], "budget: expected how many tiles"),
        ([NAME, "--target", "cpu", "--device", "hip"], "device hip: the target cpu"),
        ([NAME, "--target", "sm_89"], "nothing can verify and rank tiles"),
    ],
)
def test_mistakes_of_tune(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("tune", *words)
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert not Path("tuning.json").exists()
