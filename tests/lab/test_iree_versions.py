"""Versions of IREE side by side. No test here reaches for the network.

The versions are the installed one under several names, some of them behind a script that breaks it.
"""

import dataclasses
import json
import pickle
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

import irattn.cli.matrix
import irattn.lab.iree_versions.outcomes
import irattn.lab.iree_versions.toolchains as toolchains
from irattn.cli import main
from irattn.compiling import catalog
from irattn.compiling.compiler import compiler_version
from irattn.core.errors import ToolchainError, UsageError
from irattn.lab.iree_versions import (
    RESOURCES,
    Comparing,
    Outcome,
    Toolchain,
    compare_versions,
    first_changes,
    is_worse,
    toolchain,
    version_order,
)
from irattn.rendering import GraphRequest
from irattn.targets import get as get_target
from support.here import Here

pytestmark = pytest.mark.slow

GOOD = Outcome("1.0", compile_seconds=1.0, relative=1e-7, strain=0.01, worst_case="normal")


@pytest.fixture
def present():
    return toolchain(compiler_version())


@pytest.fixture
def broken(tmp_path, present):
    """Makes a toolchain whose compiler or runner is a shell script; `$TOOL` is the real one."""

    def make(version, tool, script):
        real = getattr(present, tool)
        path = tmp_path / f"{tool}-{version}"
        path.write_text(f"#!/bin/sh\nTOOL={real}\n{script}\n")
        path.chmod(0o755)
        return dataclasses.replace(present, version=version, **{tool: str(path)})

    return make


def compared(*tools, name="gqa_decode_tiny", target="cpu", **how):
    how = {"repeats": 1, **how}
    request = GraphRequest(catalog.get(name), get_target(target))
    return compare_versions(name, request, tools, **how).outcomes


def matrix(*args, code=0):
    result = CliRunner().invoke(main, ["matrix", *map(str, args)])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


@pytest.fixture
def versions(monkeypatch):
    """Puts these toolchains in the place of installed versions."""

    def put(*tools):
        by_version = {tool.version: tool for tool in tools}
        monkeypatch.setattr(irattn.cli.matrix, "toolchain", by_version.__getitem__)

    return put


@pytest.mark.parametrize(
    ("name", "target"),
    [("gqa_decode_tiny", "cpu"), ("paged_soft_cap_lse_tiny", "gfx1100"), ("keep_mask_tiny", "cpu")],
)
def test_equal_versions_differ_in_nothing(present, name, target):
    other = dataclasses.replace(present, version="99")
    first, second = compared(present, other, name=name, target=target)
    assert (first.verdict, first.relative) == ("ok", second.relative)
    assert 0 < first.relative < 1e-5
    assert first.worst_case in {case.name for case in irattn.lab.inputs.CASES.values()}
    assert set(first_changes([first, second])) <= {"compile time"}
    assert first.resources == second.resources
    assert set(first.resources) == (set(RESOURCES) if target == "gfx1100" else set())
    assert not is_worse(first, second)


def test_wrong_numbers_are_seen(present, broken):
    """A compiler that adds where it is to subtract."""
    wrong = broken("2.0", "compiler", "sed 's/subf %logit,/addf %logit,/' | exec $TOOL \"$@\"")
    before, after = compared(present, wrong)
    assert (before.verdict, after.verdict) == ("ok", "wrong numbers")
    assert after.strain > 100 > 1 > before.strain
    assert first_changes([before, after])["numerics"] == "2.0"
    assert is_worse(before, after)
    assert not is_worse(after, before)


def test_a_refusal_is_told_in_the_compilers_words(present, broken):
    refusing = broken("2.0", "compiler", "echo 'x:1:1: error: no such op' >&2; exit 1")
    before, after = compared(present, refusing)
    assert (after.verdict, after.compile_error) == ("does not compile", "no such op")
    assert (after.compile_seconds, after.relative) == (None, None)
    assert first_changes([before, after]) == {"success": "2.0"}
    assert is_worse(before, after)


def test_a_gpu_graph_may_compile_where_its_numbers_do_not(present, broken):
    refusing = broken(
        "2.0", "compiler",
        'case "$*" in *rocm-target*) exec $TOOL "$@";; *) echo "error: no CPU" >&2; exit 1;; esac',
    )  # fmt: skip
    _, after = compared(present, refusing, target="gfx1100")
    assert after.verdict == "does not run"
    assert after.run_error == "the graph does not compile for the CPU: no CPU"
    assert after.compile_seconds > 0


def test_tools_that_hang_or_crash_are_told_and_stop_nothing(present, broken):
    hanging = broken("2.0", "compiler", "sleep 1000")
    crashing = broken("3.0", "runner", "kill -SEGV $$")
    stuck = broken("4.0", "runner", "sleep 1000")
    silent = broken(
        "5.0", "runner", "for a; do case $a in --output=@*) : > ${a#--output=@};; esac; done"
    )
    slow = compared(hanging, timeout=0.5)[0]
    assert slow.verdict == "does not compile"
    assert slow.compile_error.startswith("not done after 0.5 s")
    crashed, empty = compared(crashing, silent)
    assert crashed.run_error == "case normal: exit status -11"
    assert empty.run_error.startswith("case normal: output has 0 elements, expected ")
    # The compiler has the same time.
    (stopped,) = compared(stuck, timeout=4)
    assert stopped.run_error == "case normal: not done after 4 s, and stopped"


def test_the_first_version_that_changes_something():
    slow = dataclasses.replace(GOOD, version="1.1", compile_seconds=1.1)
    slower = dataclasses.replace(GOOD, version="1.2", compile_seconds=1.8)
    rounder = dataclasses.replace(slower, version="1.3", strain=0.05)
    wrong = dataclasses.replace(rounder, version="1.4", strain=1.5)
    gone = Outcome("1.5", compile_error="no")
    found = first_changes([GOOD, slow, slower, rounder, wrong, gone])
    assert found == {"success": "1.5", "numerics": "1.3", "compile time": "1.2"}
    assert first_changes([GOOD, slow]) == {}
    # A quick compilation that takes twice as long is noise.
    quick = [dataclasses.replace(GOOD, compile_seconds=seconds) for seconds in (0.1, 0.2)]
    assert first_changes(quick) == {}


def test_resources_that_change_are_told():
    more = dataclasses.replace(GOOD, version="1.1", resources={"VGPRs": 96})
    most = dataclasses.replace(GOOD, version="1.2", resources={"VGPRs": 128})
    # What is not known of one version is no change.
    assert first_changes([GOOD, more, most]) == {"resources": "1.2"}


def test_worse_is_a_worse_verdict():
    ranked = [
        GOOD,
        dataclasses.replace(GOOD, strain=float("inf")),
        Outcome("1", compile_seconds=1.0, run_error="no"),
        Outcome("1", compile_error="no"),
    ]
    for i, old in enumerate(ranked):
        for j, new in enumerate(ranked):
            assert is_worse(old, new) == (j > i)
    assert ranked[1].to_dict()["strain"] is None
    assert ranked[1].to_dict()["verdict"] == "wrong numbers"


def test_the_command_shows_every_version_and_exits_1_for_a_worse_one(present, broken, versions):
    refusing = broken("3.0", "compiler", "echo 'error: no such op' >&2; exit 1")
    versions(dataclasses.replace(present, version="2.0"), refusing)
    args = ("gqa_decode_tiny", "--iree", "3.0", "--iree", "2.0", "--repeat", 1)
    lines = matrix(*args, code=1).stdout.splitlines()
    assert lines[0].split()[:6] == ["name", "target", "IREE", "compile", "s", "error"]
    assert lines[2].split()[:3] == ["gqa_decode_tiny", "cpu", "2.0"]
    assert lines[2].endswith("ok")
    assert lines[3].endswith("does not compile: no such op")
    assert "gqa_decode_tiny for cpu: first change in success with 3.0" in lines
    assert lines[-1] == "1 of 1 worse in the newest version than in the oldest"
    found = json.loads(matrix(*args, "--json", code=1).stdout)
    assert found["versions"] == ["2.0", "3.0"]
    (entry,) = found["entries"]
    assert entry["is_worse"] is True
    assert entry["first_changes"]["success"] == "3.0"
    assert [one["verdict"] for one in entry["versions"]] == ["ok", "does not compile"]


def test_the_case_of_wrong_numbers_is_named(present, broken, versions):
    wrong = broken("2.0", "compiler", "sed 's/subf %logit,/addf %logit,/' | exec $TOOL \"$@\"")
    versions(wrong, dataclasses.replace(present, version="3.0"))
    lines = matrix("gqa_decode_tiny", "--iree", "2.0", "--iree", "3.0").stdout.splitlines()
    assert "wrong numbers: case " in lines[2]
    assert "gqa_decode_tiny for cpu: first change in numerics with 3.0" in lines


def test_an_upgrade_that_mends_something_exits_0(present, broken, versions):
    refusing = broken("2.0", "compiler", "echo 'error: no such op' >&2; exit 1")
    versions(refusing, dataclasses.replace(present, version="10.0"))
    args = ("gqa_decode_tiny", "--iree", "2.0", "--iree", "10.0", "--repeat", 1)
    assert "first change in success with 10.0" in matrix(*args).stdout


def test_an_entry_that_cannot_be_compared_ends_alone(present, versions, monkeypatch):
    """Run by processes of an executor; the command that tries it again comes last."""
    versions(dataclasses.replace(present, version="2.0"), present)
    compare = irattn.lab.iree_versions.outcomes.compare_versions

    def fail(name, *args, **how):
        if name == "mha_full_tiny":
            raise MemoryError("3 TiB")
        return compare(name, *args, **how)

    monkeypatch.setattr(irattn.lab.iree_versions.outcomes, "compare_versions", fail)
    monkeypatch.setattr(irattn.cli.matrix, "executor_of", lambda words: Here())
    iree = ("--iree", "2.0", "--iree", present.version)
    words = ("--repeat", 1, "--executor", "local:2")
    result = matrix("mha_full_tiny", "gqa_decode_tiny", *iree, *words, code=1)
    assert "gqa_decode_tiny: 2.0 ok" in result.stderr
    again = f"matrix mha_full_tiny {' '.join(iree)} --target cpu --repeat 1 --executor local:2"
    assert result.stderr.endswith(f"\nagain: irattn {again}\n")
    assert "0 of 1 worse" in result.stdout
    (failed,) = json.loads(matrix("mha_full_tiny", *iree, *words, "--json", code=1).stdout)[
        "failed"
    ]
    assert failed.pop("error") == {
        "type": "IrattnError",
        "message": "this needs more memory than there is: 3 TiB",
    }
    assert failed == {"name": "mha_full_tiny", "target": "cpu"}


def test_what_other_machines_compare_is_a_task_of_versions(present, monkeypatch):
    monkeypatch.setattr(
        irattn.lab.iree_versions.outcomes, "toolchain", {"2.0": present}.__getitem__
    )
    task = pickle.loads(pickle.dumps(Comparing(("2.0", "2.0"), None, "linalg", 1, 300)))
    found = task("gqa_decode_tiny", catalog.get("gqa_decode_tiny"), get_target("x86-64-v3"))
    assert [one.verdict for one in found.outcomes] == ["ok", "ok"]
    there = Here()
    there.is_elsewhere = True
    monkeypatch.setattr(irattn.cli.matrix, "executor_of", lambda words: there)
    words = ("--iree", "1.0", "--iree", "2.0", "--executor", "dask://there")
    assert "cpu means the machine" in matrix("gqa_decode_tiny", *words, code=2).stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--iree", "3.13.0"], "expected two versions or more"),
        (["--iree", "3.13.0", "--iree", "3.13.0"], "expected two versions or more"),
        (["--iree", "latest", "--iree", "3.13.0"], "--iree: expected versions such as 3.13.0"),
        (["--iree", "1.0", "--iree", "2.0", "--target", "gfx1030"], "gfx1030: the pinned"),
        (["nope", "--iree", "1.0", "--iree", "2.0"], "nope: not in the catalogue"),
    ],
)
def test_a_users_mistake_exits_2_before_anything_is_installed(args, message, monkeypatch):
    def no_install(*args):
        raise AssertionError("something was installed")

    monkeypatch.setattr(irattn.cli.matrix, "toolchain", no_install)
    assert message in matrix(*args, code=2).stderr


def test_versions_are_ordered_as_versions():
    names = ["3.9.0", "3.10.0", "3.10.0rc20260101", "3.9.0"]
    assert version_order(names) == ["3.9.0", "3.10.0rc20260101", "3.10.0"]
    with pytest.raises(UsageError, match="'three'"):
        version_order(["three"])


def test_another_version_is_installed_once(tmp_path, monkeypatch):
    monkeypatch.setenv("IRATTN_CACHE", str(tmp_path))
    commands = []

    def pip(command, text, timeout):
        commands.append(command)
        site = Path(command[command.index("--target") + 1])
        for tool in (toolchains._COMPILER, toolchains._RUNNER):
            (site / tool).parent.mkdir(parents=True, exist_ok=True)
            (site / tool).touch(mode=0o755)
        return subprocess.CompletedProcess(command, 0, b"", b"")

    monkeypatch.setattr(toolchains, "run_group", pip)
    site = tmp_path / ".iree" / "1.2.3"
    wanted = Toolchain("1.2.3", str(site / toolchains._COMPILER), str(site / toolchains._RUNNER))
    assert [toolchain("1.2.3"), toolchain("1.2.3")] == [wanted, wanted]
    (command,) = commands
    assert command[-2:] == ["iree-base-compiler==1.2.3", "iree-base-runtime==1.2.3"]
    assert [path.name for path in (tmp_path / ".iree").iterdir()] == ["1.2.3"]
    (site / toolchains._RUNNER).unlink()
    with pytest.raises(ToolchainError, match=r"iree-run-module is missing; remove .*1.2.3, and it"):
        toolchain("1.2.3")


def test_a_version_that_pip_does_not_find(tmp_path, monkeypatch):
    """The real pip, told to look nowhere."""
    monkeypatch.setenv("IRATTN_CACHE", str(tmp_path))
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    result = matrix("gqa_decode_tiny", "--iree", "1.2.3", "--iree", "3.13.0", code=1)
    assert "Error: IREE 1.2.3 cannot be installed: Could not find a version" in result.stderr
    assert "is the package index within reach?" in result.stderr
    assert list((tmp_path / ".iree").iterdir()) == []


def test_a_pip_that_does_not_end_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setenv("IRATTN_CACHE", str(tmp_path))

    def pip(command, text, timeout):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(toolchains, "run_group", pip)
    with pytest.raises(ToolchainError, match=r"IREE 1.2.3: pip was not done after 1800 s"):
        toolchain("1.2.3")
    assert list((tmp_path / ".iree").iterdir()) == []
