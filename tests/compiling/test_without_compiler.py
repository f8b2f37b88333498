"""What is compiled loads and runs without the compiler; what needs it says how to get it."""

import json
import os
import subprocess
import sys
from importlib.metadata import version

import pytest

import irattn
from irattn.cli import installation
from irattn.core.errors import MissingPackageError
from irattn.core.packages import COMPILER, RUNTIME, install_command
from support.places import TESTS

SCRIPT = TESTS / "support" / "without_packages.py"
NAME = "rms_norm_tiny"
PINNED = f"pip install iree-base-compiler=={version(COMPILER)}"
MISSING = f"compiling needs iree-base-compiler, which is not installed: {PINNED}"


def without(*words, packages=(COMPILER,), code=0, **environment):
    """Standard output and error of a command line, or of `-c` and code, without some packages."""
    hidden = [f"-{package}" for package in packages]
    command = [sys.executable, SCRIPT, *hidden, "--", *map(str, words)]
    env = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    ran = subprocess.run(command, capture_output=True, text=True, env=env)
    assert ran.returncode == code, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr
    return ran.stdout, ran.stderr


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store with a graph for this CPU and for a GPU."""
    folder = tmp_path_factory.mktemp("store")
    for target in ("cpu", "gfx1100"):
        irattn.compile(NAME, target=target, out=folder)
    return folder


@pytest.fixture(scope="module")
def bundle(store, tmp_path_factory):
    file = tmp_path_factory.mktemp("bundle") / "b.irattn"
    irattn.bundle([NAME], file, target="gfx1100", cpu="cpu", out=store)
    return file


@pytest.mark.slow
def test_what_is_compiled_runs(store, bundle, tmp_path):
    """A folder, a bundle, and what the store has of a spec: of a GPU's artifact too."""
    code = f"""
import irattn, numpy as np
x, weight = np.ones((32, 128), np.float32), np.ones(128, np.float32)
for given, options in (
    ({str(store / "cpu" / NAME)!r}, {{}}),
    ({str(bundle)!r}, {{}}),
    ({NAME!r}, {{}}),
    ({str(store / "gfx1100" / NAME)!r}, dict(out={str(store)!r})),
):
    output = irattn.load(given, **options)(x=x, weight=weight)
    assert np.allclose(output, 1, atol=1e-5), output
print("ran")
"""
    stdout, _ = without("-c", code, IRATTN_CACHE=store)
    assert stdout == "ran\n"


@pytest.mark.slow
def test_commands_that_compile_nothing(store, bundle):
    stdout, stderr = without("run", store / "cpu" / NAME)
    assert "ran cpu code on device local-sync" in stderr
    assert "output f32 [32, 128]" in stdout
    found = json.loads(without("verify", bundle, "--json")[0])
    assert [one["passed"] for one in found] == [True]
    compiled = json.loads(
        without("compile", NAME, "--target", "gfx1100", "--json", IRATTN_CACHE=store)[0]
    )
    assert [one["outcome"] for one in compiled["artifacts"]] == ["found"]


@pytest.mark.slow
def test_what_compiles_says_what_to_install(store, tmp_path):
    """One process for all: to start one takes as long as all of them."""
    gpu = str(store / "gfx1100" / NAME)
    commands = [
        ["compile", NAME, "--target", "gfx1100"],
        ["run", NAME],
        ["run", gpu],
        ["run", gpu, "--json"],
        ["verify", NAME],
        ["bundle", NAME, "--target", "gfx1100", "-o", str(tmp_path / "made.irattn")],
        ["repro", NAME],
    ]
    code = f"""
import json
from click.testing import CliRunner
from irattn.cli import main
results = [CliRunner().invoke(main, words) for words in {commands!r}]
print(json.dumps([[one.exit_code, one.stdout, one.stderr] for one in results]))
"""
    stdout, _ = without("-c", code, IRATTN_CACHE=tmp_path)
    results = json.loads(stdout)
    for words, (exit_code, told, failed) in zip(commands, results, strict=True):
        assert exit_code == 1, words
        if "--json" in words:
            error = json.loads(told)["error"]
            assert error["type"] == "MissingPackageError"
            assert error["message"].startswith("device hip: ")
            assert error["message"].endswith(MISSING)
        else:
            assert MISSING in failed


@pytest.mark.slow
def test_doctor_tells_what_is_missing():
    stdout, _ = without("doctor")
    assert "runtime only: what is compiled loads and runs; nothing is compiled\n" in stdout
    assert f"  to compile: {PINNED}\n" in stdout
    assert ".dll" not in stdout
    found = json.loads(without("doctor", "--json", packages=(RUNTIME,), code=1)[0])
    assert found["installation"]["state"] == "no runtime"
    assert found["installation"]["advice"] == install_command(RUNTIME)
    stdout, stderr = without("run", NAME, packages=(COMPILER, RUNTIME), code=1)
    assert "needs iree-base-compiler, which is not installed" in stderr


def test_a_compiler_that_is_not_whole_is_another_thing(monkeypatch):
    def damaged():
        raise MissingPackageError("iree-base-compiler does not start (exit 127): no")

    monkeypatch.setattr(installation, "check_compiler", damaged)
    found = installation.installation()
    assert (found.state, found.is_sound) == ("damaged", False)
    assert found.advice == f"{PINNED} --force-reinstall"
    monkeypatch.setattr(
        installation, "installed_version", {COMPILER: "3.1.0", RUNTIME: "3.13.0"}.get
    )
    found = installation.installation()
    assert (found.state, found.is_sound) == ("versions differ", False)
    assert found.meaning == "runtime 3.13.0 does not load what compiler 3.1.0 makes"


def test_advice_for_a_card(monkeypatch, tmp_path):
    """What README says of an AMD card, where it applies."""
    monkeypatch.delenv("IREE_HIP_DYLIB_PATH", raising=False)
    monkeypatch.setattr(installation.sys, "platform", "linux")
    monkeypatch.setattr(installation, "_KFD", tmp_path / "kfd")
    library, device = installation.hip_advice("HIP runtime library 'libamdhip64.so' not available")
    assert "rocm-hip-runtime" in library
    assert "IREE_HIP_DYLIB_PATH" in library
    assert "amdgpu" in device
    (tmp_path / "kfd").touch()
    assert list(installation.hip_advice("the driver finds no device")) == []
    monkeypatch.setattr(installation.os, "access", lambda *_: False)
    (groups,) = installation.hip_advice("the driver finds no device")
    assert "groups render and video" in groups
    monkeypatch.setenv("IREE_HIP_DYLIB_PATH", str(tmp_path))
    named, _ = installation.hip_advice("HIP runtime library 'libamdhip64.so' not available")
    assert named == f"IREE_HIP_DYLIB_PATH names {tmp_path}, which has no libamdhip64.so"
