"""What long work is at: noted in every room, shown on a terminal, and nowhere else."""

import dataclasses
import io
import re
import subprocess
import sys
import threading

import pytest
from click.testing import CliRunner

import irattn
import irattn.cli.matrix
from irattn.cli import main
from irattn.cli.progress import _Above, _fitted, _Line
from irattn.compiling.compiler import compiler_version
from irattn.core import progress
from irattn.core.errors import DeviceError
from irattn.core.progress import step, steps
from irattn.lab.iree_versions import toolchain
from irattn.rendering.attention import tiles_table
from support.comparisons import SPEC, mutated
from support.terminal import Terminal

pytestmark = pytest.mark.slow

REFERENCE = "irattn.lab.verification.cases:reference"
VERIFIED = ("verify", "mha_full_tiny", "gqa_decode_tiny")


def test_steps_are_noted_while_they_last():
    seen = []
    with step("outside") as note:
        for letter in steps("ab", "letter {}".format):
            seen.append((letter, progress.now()))
        note("elsewhere")
        seen.append(progress.now())
    assert seen == [
        ("a", ["outside", "1 of 2: letter a"]),
        ("b", ["outside", "2 of 2: letter b"]),
        ["elsewhere"],
    ]
    assert [progress.now() for _ in steps("a", str)] == [["a"]]
    assert progress.now() == []


def test_an_error_ends_the_steps_that_it_leaves():
    def fail():
        for _ in steps("ab", str):
            raise DeviceError("no")

    with pytest.raises(DeviceError) as caught, step("outside"):
        fail()
    # Also while someone keeps the error, and with it the frames that it came through.
    assert caught.value
    assert progress.now() == []


def test_steps_of_other_threads_are_seen():
    begun, ended = threading.Event(), threading.Event()

    def work():
        with step("there"):
            begun.set()
            ended.wait()

    thread = threading.Thread(target=work)
    with step("here"):
        thread.start()
        begun.wait()
        assert progress.now() == ["here", "there"]
        ended.set()
        thread.join()
        assert progress.now() == ["here"]


# On a terminal


def test_a_terminal_shows_which_entry_and_case_it_is_at():
    terminal = Terminal(*VERIFIED, held=[REFERENCE])
    terminal.until("1 of 2: mha_full_tiny; 1 of 8: case normal")
    terminal.go_on()
    terminal.until("1 of 2: mha_full_tiny; 2 of 8: case uniform")
    for _ in range(7):
        terminal.go_on()
    terminal.until("2 of 2: gqa_decode_tiny; 1 of 8: case normal")
    assert "mha_full_tiny: ok" in terminal.screen
    assert terminal.end() == (0, "")
    assert "2 of 2 passed" in terminal.screen
    assert terminal.screen[:2] == ["mha_full_tiny: ok", "gqa_decode_tiny: ok"]
    assert not [line for line in terminal.screen if "case n" in line or re.match(r"\d+:\d", line)]


def test_results_that_are_piped_hold_nothing_of_it():
    terminal = Terminal(*VERIFIED, "--json", held=[REFERENCE], piped=True)
    terminal.until("1 of 2: mha_full_tiny; 1 of 8: case normal")
    code, piped = terminal.end()
    assert code == 0
    assert piped == CliRunner().invoke(main, [*VERIFIED, "--json"]).stdout
    assert terminal.screen == ["mha_full_tiny: ok", "gqa_decode_tiny: ok", ""]


def test_without_a_terminal_nothing_of_it_is_said():
    command = [sys.executable, "-m", "irattn", *VERIFIED]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stderr == "mha_full_tiny: ok\ngqa_decode_tiny: ok\n"
    assert "\r" not in done.stdout
    assert "\x1b" not in done.stdout


def test_a_terminal_that_cannot_erase_is_left_alone():
    terminal = Terminal(*VERIFIED, TERM="dumb")
    assert terminal.end() == (0, "")
    assert "\x1b" not in terminal.drawn
    assert "case normal" not in terminal.drawn


def test_an_error_stands_alone():
    arguments = ("run", "mha_full_tiny", "--output", "/dev/full")
    terminal = Terminal(*arguments, held=["irattn.cli.run:random_tensors"])
    terminal.until("running mha_full_tiny")
    assert terminal.end() == (1, "")
    said = "Error: full: not written to /dev: No space left on device"
    assert terminal.screen == [said, ""]


def test_a_narrow_terminal_has_one_line_of_it():
    terminal = Terminal(*VERIFIED, held=[REFERENCE], columns=30)
    terminal.until("1 of 2: mha_full_tin...")
    terminal.end()
    assert max(len(line) for line in re.findall(r"\d:\d\d  [^\r\n]*", terminal.drawn)) < 30


def test_the_line_holds_whatever_a_step_is_called():
    assert _fitted("a\nb\x1b[2Jc é", 80) == "a?b?[2Jc ?"
    assert _fitted("abcdefgh", 9) == "abcdefgh"
    assert _fitted("abcdefgh", 8) == "abcd..."
    assert _fitted("abcdefgh", 1) == "..."


def test_a_line_that_someone_has_begun_is_left_alone(monkeypatch):
    monkeypatch.setattr("irattn.cli.progress._columns", lambda terminal: 80)
    terminal = io.StringIO()
    line = _Line(terminal)
    stream = _Above(terminal, line)
    stream.write("half")
    line.show("at work")
    assert terminal.getvalue() == "half"
    stream.write(" and half\n")
    line.show("at work")
    stream.write("more\n")
    assert terminal.getvalue() == "half and half\n\r\x1b[Kat work\r\x1b[Kmore\n"


@pytest.mark.parametrize("how", [{"held": [REFERENCE]}, {"stuck": [REFERENCE]}])
def test_ctrl_c_ends_a_command_with_130(how):
    """Also where Python's own thread is in C, where KeyboardInterrupt cannot be raised."""
    terminal = Terminal(*VERIFIED, **how)
    terminal.until("1 of 2: mha_full_tiny; 1 of 8: case normal")
    terminal.interrupt()
    terminal.until("Aborted!")
    assert terminal.end() == (130, "")
    assert terminal.screen == ["", "Aborted!", ""]


def test_ctrl_c_does_not_wait_for_compilations(tmp_path):
    arguments = ("compile", "mha_full_tiny", "--target", "cpu", "--store", tmp_path)
    terminal = Terminal(*arguments, stuck=["irattn.lab.executors.local:compile_mlir"])
    terminal.until("compiling mha_full_tiny for cpu")
    terminal.interrupt()
    assert terminal.end() == (130, "")


# In every room


class Notes(dict):
    """Keeps all words that were ever noted."""

    def __init__(self):
        self.words = []

    def __setitem__(self, key, words):
        super().__setitem__(key, words)
        self.words.append(words)


@pytest.fixture
def noted(monkeypatch):
    """Runs a command; the words that it noted."""

    def run(*args):
        notes = Notes()
        monkeypatch.setattr(progress, "_notes", notes)
        result = CliRunner().invoke(main, [*map(str, args)])
        assert result.exit_code in (0, 1), result.output
        assert not isinstance(result.exception, Exception), result.output
        assert notes == {}
        return notes.words

    return run


def test_compiling_is_noted(noted, tmp_path):
    names = ("mha_full_tiny", "gqa_decode_tiny")
    compiled = noted("compile", *names, "--target", "cpu", "--store", tmp_path)
    assert {f"compiling {name} for cpu" for name in names} <= {*compiled}
    assert {"0 of 2 artifacts done", "2 of 2 artifacts done"} <= {*compiled}
    file = tmp_path / "b.irattn"
    assert "1 of 1 artifact done" in noted("bundle", "-o", file, *names[:1], "--cpu", "cpu")
    kept = noted(
        "baseline", "catalogue", *names, "--target", "gfx1100", "--output", tmp_path / "kept"
    )
    assert "2 of 2: figures of gqa_decode_tiny for gfx1100" in kept


def test_running_is_noted(noted, tmp_path):
    assert "running mha_full_tiny" in noted("run", "mha_full_tiny")
    assert "8 of 8: case huge_scale" in noted("verify", "mha_full_tiny")
    assert "8 of 8: case huge_scale" in noted("verify", "--stages", "mha_full_tiny")
    reproduced = noted("repro", "mha_full_tiny", "-o", tmp_path / "repro")
    assert "reference of case normal" in reproduced


def test_emulation_is_noted(noted, tmp_path):
    pytest.importorskip("tinygrad")
    artifact = irattn.compile("gqa_decode_tiny", target="gfx1100", out=tmp_path)
    (kernel,) = {
        step.kernel for step in irattn.binary.inspection.inspect_artifact(artifact).module.steps
    }
    workgroups = f"workgroups of {kernel}"
    assert workgroups in noted("verify", artifact.path, "--device", "emulator")
    every = noted("verify", artifact.path, "--device", "emulator-schedules")
    assert {workgroups, "4 of 4: schedule random", "dispatch"} <= {*every}
    executed = noted("inspect", artifact.path, "--execute")
    assert {"gqa_decode_tiny for gfx1100", workgroups} <= {*executed}


def test_comparing_is_noted(noted, tmp_path, monkeypatch):
    old = irattn.compile(SPEC, target="gfx1100", name="small", out=tmp_path / "old")
    monkeypatch.setitem(tiles_table._CUTS["WMMAR3"], 64, (64, 256, 4, 1))
    text = irattn.render(SPEC, target="gfx1100")
    new = mutated(old, tmp_path / "new", (old.mlir, text))
    compared = {*noted("compare", old.path, new.path, "--format", "html")}
    assert {"reading both sides", "small for gfx1100", "1 of 8: case normal"} <= compared
    assert "compiling its graph for this CPU" in compared
    executed = noted("compare", old.path, new.path, "--no-numerics", "--execute")
    assert {"executing the baseline", "executing the candidate"} <= {*executed}


def test_versions_side_by_side_are_noted(noted, monkeypatch):
    present = toolchain(compiler_version())
    monkeypatch.setattr(
        irattn.cli.matrix,
        "toolchain",
        lambda version: dataclasses.replace(present, version=version),
    )
    found = noted("matrix", "mha_full_tiny", "--iree", "1.0", "--iree", "2.0", "--repeat", 2)
    assert {"installing IREE 1.0", "mha_full_tiny for cpu", "2 of 2: IREE 2.0"} <= {*found}
    assert {"2 of 2: compiling", "1 of 8: case normal"} <= {*found}
