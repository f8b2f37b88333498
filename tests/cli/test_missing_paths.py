"""A path that is not there: one exit status in every command, for every option and argument."""

import json

import click
import pytest

import irattn
from support.command import run
from support.commands import COMMANDS

# Command lines with GONE where nothing is; `here` is an artifact, `config.json` an empty object.
GONE = "no/such/place"
LINES = {
    "baseline update": ["--store GONE"],
    "bench": ["tiny_32_f32_bench --plot GONE/x.svg"],
    "bundle": ["--list GONE", "--list GONE.irattn", "--config GONE --target cpu -o b.irattn"],
    "certify": ["GONE", "GONE.irattn", "here GONE", "--check GONE", "--check here GONE.json"],
    "compare": [
        *("GONE here", "here GONE", "GONE.irattn here", "here here -o GONE/report"),
        "here here --policy GONE",
    ],
    "compile": ["mha_full_tiny --target cpu --tuning GONE", "--config GONE --target cpu"],
    "export": ["GONE -o new", "a --target gfx1100 --certificates GONE --torch new"],
    "generate": [
        *("GONE --prompt a", "GONE/config.json --prompt a", "here --prompt-file GONE"),
    ],
    "inspect": ["GONE", "here GONE", "here --execute --launch GONE"],
    "repro": ["GONE", "./GONE", "GONE/config.json"],
    "run": [
        *("GONE", "GONE.irattn", "./gone", "mha_full_tiny --input query=GONE.npy"),
        *("mha_full_tiny --input query=GONE.npz:a", "mha_full_tiny -o GONE/o.npy"),
    ],
    "tune": ["--confirm GONE", "--config GONE --target cpu"],
    "verify": ["GONE", "GONE.irattn", "./gone", "here GONE", "--config GONE"],
}
# What makes the folder that it is given, or that of its file.
MADE = {
    "--store": COMMANDS,
    "--output": {"baseline", "bundle", "certify", "export", "repro", "tune"},
    "--torch": {"export"},
}


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return irattn.compile("mha_full_tiny", target="cpu", out=tmp_path_factory.mktemp("here")).path


@pytest.mark.parametrize(
    "line", [f"{name} {rest}" for name, lines in LINES.items() for rest in lines]
)
def test_the_exit_status_is_2(line, here, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").symlink_to(here)
    words = line.replace("GONE", GONE).split()
    told = run(*words, code=2)
    assert told.stdout == ""
    assert any(word in told.stderr for word in (GONE, "gone"))
    error = json.loads(run(*words, "--json", code=2).stdout)["error"]
    assert told.stderr.endswith(f"Error: {error['message']}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


def test_every_path_of_every_command_is_tried():
    for path, command in COMMANDS.items():
        lines = LINES.get(" ".join(path), [])
        tried = {word for line in lines for word in line.split()}
        for parameter in command.params:
            if not isinstance(parameter.type, click.Path):
                continue
            if isinstance(parameter, click.Argument):
                assert lines, path
                continue
            word = max(parameter.opts, key=len)
            if not {path, path[0]} & {*MADE.get(word, ())}:
                assert tried & {*parameter.opts}, (path, word)
