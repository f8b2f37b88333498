"""`--json`: every command has it, and then its stdout is JSON, whatever goes wrong."""

import json
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

import irattn
import irattn.core.errors
from irattn.cli import main
from irattn.compiling import catalog
from irattn.runtime import Kernel
from support.commands import COMMANDS


def run(*args):
    return CliRunner().invoke(main, [*map(str, args)])


def error_of(result, code):
    """The error that a command told: on stdout, alone, and with nothing on stderr."""
    assert result.exit_code == code, result.output + repr(result.exception)
    assert result.stderr == ""
    (told,) = json.loads(result.stdout).items()
    name, error = told
    assert name == "error"
    assert set(error) == {"type", "message"}
    return error


def faults():
    """Command lines that click refuses, of every command and for every option and argument."""
    for path, command in COMMANDS.items():
        yield *path, "--no-such-option"
        for parameter in command.params:
            if isinstance(parameter, click.Argument):
                if parameter.nargs == 1:
                    yield *path, "one", "two", "three", "four"
                if parameter.required:
                    yield path
                continue
            if parameter.required:
                yield path
            kind = parameter.type
            if isinstance(kind, click.Choice | click.types.IntParamType | click.FloatRange):
                yield *path, parameter.opts[0], "no-such-value"
            elif isinstance(kind, click.Path) and kind.exists:
                yield *path, parameter.opts[0], "no/such/place"


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_takes_it(path):
    assert "--json" in [word for option in COMMANDS[path].params for word in option.opts]


@pytest.mark.parametrize("words", sorted({*faults()}), ids=" ".join)
def test_usage_errors_are_json(words):
    """Before the fault, behind it, and with the exit code that they have without it."""
    plain = run(*words)
    assert plain.exit_code == 2
    assert plain.stderr.startswith("Usage: ")
    assert plain.stdout == ""
    depth = next(len(path) for path in COMMANDS if words[: len(path)] == path)
    for asked in ((*words, "--json"), (*words[:depth], "--json", *words[depth:])):
        error = error_of(run(*asked), code=2)
        assert error["type"] == "UsageError"
        assert plain.stderr.endswith(f"Error: {error['message']}\n")


@pytest.mark.parametrize("words", [("nope",), ("--nope", "list"), ("baseline", "nope")])
def test_so_are_those_before_the_command(words):
    assert error_of(run(*words, "--json"), code=2)["type"] == "UsageError"


# One mistake that each command finds itself, and its type.
MISTAKES = {
    ("list",): None,
    ("targets",): None,
    ("doctor",): None,
    ("render", "nope"): "CatalogueError",
    ("compile", "nope", "--target", "cpu"): "CatalogueError",
    ("compile", "mha_full_tiny", "--target", "gfx1"): "TargetError",
    ("bundle",): "UsageError",
    ("bundle", "mha_full_tiny", "-o", "b.zip", "--target", "cpu"): "ArgumentError",
    ("run", "mha_full_tiny", "--input", "query=nope.npy"): "ArgumentError",
    ("run", "no/such/place"): "MissingArtifactError",
    ("generate", "no/such/place", "--prompt", "Once"): "ModelError",
    ("verify", "mha_full_tiny", "--set", "q_len=0"): "SpecError",
    ("verify", "gqa_paged_decode_tiny", "--dialect", "torch"): "RenderError",
    ("inspect", "."): "UsageError",
    ("certify", "no/such/place"): "MissingArtifactError",
    ("certify", "--check", "."): "UsageError",
    ("compare", "no/such/place", "."): "SourceError",
    ("compare", ".", ".", "--policy", "no/such/place"): "PolicyError",
    ("baseline", "catalogue", "nope"): "CatalogueError",
    ("baseline", "update", "--store", "."): "ArtifactError",
    ("repro", "mha_full_tiny", "--case", "full_context"): "UsageError",
    ("export", "no/such/place", "-o", "new"): "MissingArtifactError",
    ("matrix", "--iree", "1.0"): "UsageError",
    ("opcodes", "cpu"): "UsageError",
    ("tune", "rope_tiny", "--target", "gfx1100"): "RenderError",
    ("compile", "mha_full_tiny", "--target", "cpu", "--tuning", "no/such/place"): "TuningError",
    ("bench", "tiny_32_f32_bench", "--plot", "x.pdf"): "UsageError",
}


def test_a_mistake_of_every_command_is_known():
    assert {words[: len(path)] for words in MISTAKES for path in COMMANDS} >= {*COMMANDS}


@pytest.mark.parametrize("words", [key for key in MISTAKES if MISTAKES[key]], ids=" ".join)
def test_errors_of_irattn_are_json(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = run(*words)
    assert plain.stdout == ""
    error = error_of(run(*words, "--json"), plain.exit_code)
    assert error["type"] == MISTAKES[words]
    assert plain.stderr.endswith(f"Error: {error['message']}\n")
    kind = getattr(irattn.core.errors, error["type"])
    assert plain.exit_code == (2 if issubclass(kind, irattn.core.errors.UsageError) else 1)


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (MemoryError("3 TiB"), "MemoryError", "this needs more memory than there is: 3 TiB"),
        (OSError(28, "No space left", "a/b"), "OSError", "a/b: No space left"),
        (PermissionError(13, "Permission denied"), "PermissionError", "Permission denied"),
        # A fault of irattn's own.
        (KeyError("x"), "KeyError", "'x'"),
    ],
)
def test_whatever_else_goes_wrong_is_json(error, kind, message, monkeypatch):
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr("irattn.rendering.render", fail)
    result = run("render", "mha_full_tiny", "--json")
    assert json.loads(result.stdout) == {"error": {"type": kind, "message": message}}
    assert result.exit_code == 1
    assert "Error: " not in result.stderr


def test_a_word_behind_two_dashes_asks_for_nothing():
    result = run("render", "--", "--json")
    assert result.stderr.startswith("Error: --json: not in the catalogue")
    assert result.stdout == ""


def test_nothing_is_printed_before_a_failure(tmp_path):
    result = run("run", "mha_full_tiny", "--output", tmp_path / "missing" / "o.npy", "--json")
    assert error_of(result, code=2)["type"] == "MissingPathError"


@pytest.mark.parametrize(
    ("command", "last"),
    [
        (["bundle", "-o", "b.irattn", "--cpu", "none"], "1 failed: b.irattn is not written"),
        (["baseline", "catalogue", "--output", "kept"], "1 failed: no baseline is written"),
    ],
)
def test_what_is_not_written_is_an_error(command, last, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IRATTN_CACHE", str(tmp_path / "store"))
    monkeypatch.setattr(irattn.compiling.build, "render", lambda request: "nonsense")
    args = (*command, "mha_full_tiny", "--target", "gfx1100")
    told = run(*args).stderr.splitlines()
    assert told[0].startswith("Error: mha_full_tiny does not compile for gfx1100: ")
    assert told[-1] == f"Error: {last}"
    result = run(*args, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"] == {"type": "CompileError", "message": last}
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


# What those say that had no JSON


def test_render():
    args = ("render", "gqa_causal_tiny", "--target", "gfx1100", "--set", "q_len=7", "--json")
    found = json.loads(run(*args).stdout)
    spec = catalog.get("gqa_causal_tiny").replace(q_len=7)
    assert found == {
        "name": "gqa_causal_tiny+q_len=7",
        "spec": spec.to_dict(),
        "target": "gfx1100",
        "formulation": "fused",
        "dialect": "linalg",
        "mlir": irattn.render(spec, target="gfx1100"),
    }


def test_run_says_what_ran_and_what_came_out(tmp_path):
    args = ("run", "lse_tiny", "--output", tmp_path / "o.npz", "--json")
    result = run(*args)
    assert result.stderr == ""
    found = json.loads(result.stdout)
    outputs = np.load(tmp_path / "o.npz")
    assert found == {
        "name": "lse_tiny",
        "target": "cpu",
        "device": "local-sync",
        "outputs": [
            {
                "name": name,
                "dtype": "f32",
                "shape": list(outputs[name].shape),
                "mean": outputs[name].mean(dtype=np.float64),
                "min": outputs[name].min(),
                "max": outputs[name].max(),
                "not_finite": {},
            }
            for name in ("output", "lse")
        ],
        "saved_to": str(tmp_path / "o.npz"),
    }


def test_run_says_in_words_what_json_has_no_number_for(monkeypatch):
    output = np.ones((1, 4, 32, 32), np.float32)
    output[0, 0, 0, :2] = np.inf, -np.inf
    monkeypatch.setattr(Kernel, "outputs", lambda self, **tensors: (output,))
    (found,) = json.loads(run("run", "mha_full_tiny", "--json").stdout)["outputs"]
    assert [found[name] for name in ("mean", "min", "max")] == [None, None, None]
    assert found["not_finite"] == {"mean": "nan", "min": "-inf", "max": "inf"}
    assert "mean nan  min -inf  max inf" in run("run", "mha_full_tiny").stdout


@pytest.mark.parametrize(
    "words", [("catalogue", "mha_full_tiny", "--target", "gfx1100"), ("update", "--store", "store")]
)
def test_baselines(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    irattn.compile("mha_full_tiny", target="gfx1100", out="store")
    args = ("baseline", *words, "--output", tmp_path, "--json")
    file = tmp_path / "gfx1100" / "mha_full_tiny.json"
    expected = {"path": str(tmp_path), "baselines": 1, "written": [str(file)], "removed": []}
    assert json.loads(run(*args).stdout) == expected
    assert file.exists()
    assert json.loads(run(*args).stdout) == {**expected, "written": []}


def test_compare_says_the_same_with_either_word(tmp_path):
    artifact = irattn.compile("mha_full_tiny", target="cpu", out=tmp_path)
    sides = ("compare", artifact.path, artifact.path)
    expected = run(*sides, "--format", "json").stdout
    assert json.loads(expected)["counts"] == {"identical": 1}
    assert run(*sides, "--json").stdout == expected
    assert run(*sides, "--json", "--format", "json").stdout == expected
    file = Path(tmp_path / "found.json")
    told = json.loads(run(*sides, "--json", "-o", file).stdout)
    assert told == {"path": str(file), "summary": "1 artifact: 1 identical", "falls_short": False}
    assert file.read_text() == expected
    for form in ("text", "markdown", "html"):
        error = error_of(run(*sides, "--format", form, "--json"), code=2)
        assert error["message"].startswith(f"--json is --format json, and --format {form} was")
