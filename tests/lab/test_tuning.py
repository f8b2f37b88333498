"""Tuning: which tiles are tried, what becomes of them, and the file that keeps both."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import irattn
import irattn.lab.tuning.confirming
import irattn.lab.tuning.measuring
import irattn.lab.tuning.search
import irattn.lab.tuning.session
from irattn import targets
from irattn.binary.manifest import VMFB, sha256
from irattn.cli.tune import _failures
from irattn.core.errors import (
    BenchmarkError,
    DeviceError,
    ExecutorError,
    StorageError,
    UsageError,
)
from irattn.lab.inputs import random_tensors
from irattn.lab.tuning import (
    Budget,
    Tried,
    TuningSession,
    read_tuning,
    tiles_in_order,
)
from irattn.lab.tuning.confirming import spearman, spread_over
from irattn.lab.tuning.entries import SOUND
from irattn.lab.tuning.session import measuring_device
from irattn.lab.tuning.timed import Timed, TimedTile
from irattn.lab.tuning.trials import Job
from irattn.lab.verification import KnownCase
from irattn.rendering import GraphRequest, tile_numbers
from support.command import called
from support.here import Here
from support.tiles_tried import GFX, NAME, SPEC, spread, tried


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
    known = KnownCase("ones", SPEC, random_tensors(SPEC), (np.ones(tensor.shape),), (None,))
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
    result = called(*words)
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
    result = called(*words, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["failed"] == ["few for cpu: the process of own died"]
    assert "again: irattn tune few " in result.stderr


def test_confirm_says_how_well_the_order_holds(timed_cpu, tmp_path):
    result = called("tune", "--confirm", timed_cpu, "--store", tmp_path / "store", "--budget", 3)
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
    result = called("tune", *words)
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert not Path("tuning.json").exists()
