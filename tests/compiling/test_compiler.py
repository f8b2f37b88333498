"""The compiler as a child process: what it says when it fails, and that it cannot hang us."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import irattn.compiling.compiler
from irattn import AttentionSpec, targets
from irattn.compiling import catalog
from irattn.compiling.build import build
from irattn.compiling.compiler import DiagnosticsError, compile_installed
from irattn.compiling.store import Store
from irattn.core.errors import CompileError, UsageError
from irattn.rendering import GraphRequest, render

FLAGS = targets.get("cpu").flags

# A process that compiles, in its main thread or in another one.
IN_THREAD = "import threading; threading.Thread(target=compile).start()"
COMPILE = """
import sys
from irattn.compiling.compiler import compile_installed
def compile():
    compile_installed("", (), compiler=sys.argv[1])
"""


@pytest.fixture
def hanging(tmp_path):
    """A compiler that starts another process, tells both ids, and waits with it for ever."""
    script = tmp_path / "iree-compile"
    script.write_text(f"#!/bin/sh\nsleep 1000 &\necho $$ $! > {tmp_path}/ids\nwait\n")
    script.chmod(0o755)
    return str(script)


def is_running(pid):
    # A killed child of a killed parent stays in the table until somebody asks for it.
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(holds):
    for _ in range(200):
        if holds():
            return True
        time.sleep(0.1)
    return False


def has_started(ids):
    return wait_until(lambda: ids.exists() and ids.read_text())


def all_end(ids):
    """Whether the compiler and its child are gone soon; they are killed if not."""
    pids = [int(pid) for pid in ids.read_text().split()]
    ended = wait_until(lambda: not any(map(is_running, pids)))
    for pid in filter(is_running, pids):
        os.kill(pid, signal.SIGKILL)
    return ended


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")


@needs_proc
def test_a_compiler_that_hangs_is_stopped_with_its_children(hanging, tmp_path):
    started = time.monotonic()
    with pytest.raises(DiagnosticsError) as caught:
        compile_installed("", FLAGS, timeout=1, compiler=hanging)
    assert time.monotonic() - started < 20
    assert caught.value.first_error.startswith("not done after 1 s, and stopped; IRATTN_COMPILE_")
    assert all_end(tmp_path / "ids")


@needs_proc
@pytest.mark.parametrize("how", ["compile()", IN_THREAD], ids=["main thread", "other thread"])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM], ids=["KILL", "TERM"])
def test_the_compiler_ends_when_its_parent_is_killed(hanging, tmp_path, how, end):
    parent = subprocess.Popen([sys.executable, "-c", COMPILE + how, hanging])
    assert has_started(tmp_path / "ids")
    parent.send_signal(end)
    parent.wait()
    assert all_end(tmp_path / "ids")


@needs_proc
def test_ctrl_c_stops_the_compiler(hanging, tmp_path):
    # Where the tests run in a shell's background, it is ignored, and their children inherit that.
    heeded = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = heeded + COMPILE + "compile()"
    parent = subprocess.Popen([sys.executable, "-c", code, hanging], stderr=subprocess.DEVNULL)
    assert has_started(tmp_path / "ids")
    parent.send_signal(signal.SIGINT)
    assert parent.wait() != 0
    assert all_end(tmp_path / "ids")


@needs_proc
def test_a_compiler_that_hangs_is_stopped_without_a_shell_too(tmp_path, monkeypatch):
    script = tmp_path / "iree-compile"
    script.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/ids\nexec sleep 1000\n")
    script.chmod(0o755)
    monkeypatch.setattr(irattn.compiling.compiler, "_GUARD", (str(tmp_path / "no-shell"),))
    with pytest.raises(DiagnosticsError):
        compile_installed("", FLAGS, timeout=1, compiler=str(script))
    assert all_end(tmp_path / "ids")


@needs_proc
def test_nothing_is_left_of_a_compiler_that_ends_itself(tmp_path):
    script = tmp_path / "iree-compile"
    script.write_text("#!/bin/sh\nsleep 1000 >/dev/null 2>&1 &\necho -n $!\n")
    script.chmod(0o755)
    (tmp_path / "ids").write_bytes(compile_installed("", FLAGS, compiler=str(script)))
    assert all_end(tmp_path / "ids")


def test_the_compiler_keeps_memory_at_hand_unless_the_user_says_how(tmp_path, monkeypatch):
    script = tmp_path / "iree-compile"
    script.write_text('#!/bin/sh\ncat >/dev/null\nprintf %s "$GLIBC_TUNABLES"\n')
    script.chmod(0o755)
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    assert b"glibc.malloc.hugetlb=1:" in compile_installed("", FLAGS, compiler=str(script))
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.perturb=1")
    assert compile_installed("", FLAGS, compiler=str(script)) == b"glibc.malloc.perturb=1"


def test_the_environment_says_how_long_to_wait(hanging, tmp_path, monkeypatch):
    monkeypatch.setenv("IRATTN_COMPILE_TIMEOUT", "0.5")
    monkeypatch.setattr(irattn.compiling.compiler, "find_compiler", lambda: hanging)
    spec = AttentionSpec(num_q_heads=1, num_kv_heads=1, q_len=4, kv_len=4, head_dim=16)
    with pytest.raises(CompileError, match=r"small does not compile for cpu: not done after 0.5 s"):
        build(GraphRequest(spec, targets.get("cpu")), Store(tmp_path / "store"), name="small")
    (kept,) = (tmp_path / "store" / ".failed").iterdir()
    assert "not done after 0.5 s" in (kept / "diagnostics.txt").read_text()


@pytest.mark.parametrize("given", ["soon", "0", "-1", "nan", "inf"])
def test_a_time_that_is_none_is_refused(given, monkeypatch):
    monkeypatch.setenv("IRATTN_COMPILE_TIMEOUT", given)
    with pytest.raises(UsageError, match="IRATTN_COMPILE_TIMEOUT: expected a number of seconds"):
        compile_installed("", FLAGS)


def test_a_crash_without_words_tells_its_status(tmp_path):
    script = tmp_path / "iree-compile"
    script.write_text(f"#!{sys.executable}\nimport os\nos.abort()\n")
    script.chmod(0o755)
    with pytest.raises(DiagnosticsError) as caught:
        compile_installed("", FLAGS, compiler=os.fspath(script))
    assert caught.value.first_error == "the compiler crashed (exit status -6)"


@pytest.mark.parametrize(
    ("target", "dialect", "kept"),
    [
        ("cpu", "linalg", set()),
        ("gfx1100", "linalg", {"hal_target_rocm"}),
        ("sm_89", "torch", {"hal_target_cuda", "input_torch"}),
    ],
)
def test_plugins_that_nothing_asks_for_are_left_out(tmp_path, target, dialect, kept):
    script = tmp_path / "iree-compile"
    script.write_text('#!/bin/sh\ncat >/dev/null\necho -n "$@"\n')
    script.chmod(0o755)
    request = GraphRequest(catalog.get("gqa_causal_tiny"), targets.get(target), dialect=dialect)
    given = compile_installed(render(request), request.target.flags, compiler=os.fspath(script))
    left_out = re.findall(r"--iree-plugin=-(\w+)", given.decode())
    assert set(left_out) == irattn.compiling.compiler._PLUGINS.keys() - kept


@pytest.mark.slow
@pytest.mark.parametrize("target", ["cpu", "gfx1100"])
def test_code_is_the_same_with_every_plugin_and_check(target, monkeypatch):
    request = GraphRequest(catalog.get("softmax_tiny"), targets.get(target))
    quickly = compile_installed(render(request), request.target.flags)
    monkeypatch.setattr(irattn.compiling.compiler, "_PLUGINS", {})
    monkeypatch.setattr(irattn.compiling.compiler, "_UNCHECKED", ())
    assert compile_installed(render(request), request.target.flags) == quickly


def test_what_fails_is_told_by_the_checks_after_each_pass(tmp_path):
    script = tmp_path / "iree-compile"
    script.write_text(
        "#!/bin/sh\ncat >/dev/null\n"
        'case "$*" in *--verify=false*) exit 134;; esac\n'
        'echo "<stdin>:7:3: error: op makes no sense" >&2\nexit 1\n'
    )
    script.chmod(0o755)
    with pytest.raises(DiagnosticsError) as caught:
        compile_installed("", FLAGS, compiler=os.fspath(script))
    assert (caught.value.first_error, caught.value.line) == ("op makes no sense", 7)
