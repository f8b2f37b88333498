"""What the command `tune` writes and says, and files of evidence, taken or refused."""

import importlib
import json
from dataclasses import replace

import pytest

import irattn
import irattn.lab.tuning.confirming
import irattn.lab.tuning.measuring
import irattn.lab.tuning.search
import irattn.lab.tuning.session
from irattn.cli.tuned import print_entry, print_gains, say_step
from irattn.compiling.build import build
from irattn.compiling.store import Store
from irattn.core.errors import (
    ArgumentError,
    TuningError,
    UsageError,
)
from irattn.lab.tuning import (
    Tried,
    TuningEntry,
    gains,
    read_tuning,
    tiles_in_order,
)
from irattn.lab.tuning.entries import SOUND
from irattn.rendering import GraphRequest
from support.command import called
from support.here import Here
from support.tiles_tried import GFX, NAME, SPEC, spread, tried


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    """A tuning file for an AMD GPU, of two tiles."""
    path = tmp_path_factory.mktemp("tuning") / "t.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irattn.cli.tune.open_executor", lambda words, jobs: Here())
        words = ("--target", "gfx1100", "--budget", "2", "-o", path, "--store", path.parent / "a")
        result = called("tune", NAME, *words)
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
    result = called("compile", NAME, "--target=gfx1100", "--tuning", path, "--store", tmp_path)
    assert result.stdout.startswith("found ")
    assert called("inspect", found.path, "--json").exit_code == 0


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
        result = called("compile", *words, "--tuning", path, "--store", tmp_path)
        assert result.exit_code == 2
        assert message in result.stderr
    result = called(
        *("compile", NAME, "rope_tiny", "--target=gfx1100", "--tuning", path, "--store", tmp_path)
    )
    assert result.exit_code == 0
    assert "which has no tile; attention has one; the tables' tile is used" in result.stderr
    for option in (("--dialect", "torch"), ("--formulation", "blocked")):
        result = called("compile", NAME, "--target=gfx1100", "--tuning", path, *option)
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
    result = called("compile", NAME, *words)
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
    result = called("compile", NAME, "--target=gfx1100", "--tuning", old, "--store", tmp_path)
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
    result = called("tune", NAME, "--target", "gfx1100", "-o", path)
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
    alone = called("tune", NAME, "--target=sm_89", *words[1:])
    assert "nothing can verify and rank tiles" in alone.stderr
    result = called("tune", NAME, "--target=sm_89", *words, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [one["target"] for one in found["entries"]] == ["gfx1100"]
    assert f"Error: {NAME} for sm_89: sm_89 is not code for an AMD GPU" in result.stderr
    assert result.stderr.splitlines()[-1].startswith(f"again: irattn tune {NAME} --target sm_89 ")
    assert found["failed"][0].startswith(f"{NAME} for sm_89: ")
    path.write_bytes(before)
    none = called("tune", NAME, "mha_full_tiny", "--target=sm_89", "-o", path)
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
    result = called("tune", *[str(path) if word == "FILE" else word for word in words])
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert read_tuning(path)
