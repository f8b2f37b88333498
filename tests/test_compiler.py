"""The compiler as a child process: what it says when it fails, and that it cannot hang us."""

import os
import sys
import time
from pathlib import Path

import pytest

import irattn.compiler
from irattn import AttentionSpec, targets
from irattn.build import build
from irattn.compiler import DiagnosticsError, compile_mlir
from irattn.errors import CompileError, UsageError

FLAGS = targets.get("cpu").flags


@pytest.fixture
def hanging(tmp_path):
    """A compiler that starts another process, tells its id, and waits with it for ever."""
    script = tmp_path / "iree-compile"
    script.write_text(f"#!/bin/sh\nsleep 1000 &\necho $! > {tmp_path}/child\nwait\n")
    script.chmod(0o755)
    return str(script)


def is_running(pid):
    # A killed child of a killed parent stays in the table until somebody asks for it.
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_a_compiler_that_hangs_is_stopped_with_its_children(hanging, tmp_path):
    started = time.monotonic()
    with pytest.raises(DiagnosticsError) as caught:
        compile_mlir("", FLAGS, timeout=1, compiler=hanging)
    assert time.monotonic() - started < 20
    assert caught.value.first_error.startswith("not done after 1 s, and stopped; IRATTN_COMPILE_")
    pid = (tmp_path / "child").read_text().strip()
    for _ in range(50):
        if not is_running(pid):
            break
        time.sleep(0.1)
    assert not is_running(pid)


def test_the_environment_says_how_long_to_wait(hanging, tmp_path, monkeypatch):
    monkeypatch.setenv("IRATTN_COMPILE_TIMEOUT", "0.5")
    monkeypatch.setattr(irattn.compiler, "find_compiler", lambda: hanging)
    spec = AttentionSpec(num_q_heads=1, num_kv_heads=1, q_len=4, kv_len=4, head_dim=16)
    with pytest.raises(CompileError, match=r"small does not compile for cpu: not done after 0.5 s"):
        build(spec, targets.get("cpu"), name="small", root=tmp_path / "store")
    (kept,) = (tmp_path / "store" / ".failed").iterdir()
    assert "not done after 0.5 s" in (kept / "diagnostics.txt").read_text()


@pytest.mark.parametrize("given", ["soon", "0", "-1", "nan", "inf"])
def test_a_time_that_is_none_is_refused(given, monkeypatch):
    monkeypatch.setenv("IRATTN_COMPILE_TIMEOUT", given)
    with pytest.raises(UsageError, match="IRATTN_COMPILE_TIMEOUT: expected a number of seconds"):
        compile_mlir("", FLAGS)


def test_a_crash_without_words_tells_its_status(tmp_path):
    script = tmp_path / "iree-compile"
    script.write_text(f"#!{sys.executable}\nimport os\nos.abort()\n")
    script.chmod(0o755)
    with pytest.raises(DiagnosticsError) as caught:
        compile_mlir("", FLAGS, compiler=os.fspath(script))
    assert caught.value.first_error == "the compiler crashed (exit status -6)"
