"""MLIR text to VM bytecode. The only room that imports iree.compiler."""

import importlib
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from irattn.core.errors import MissingPackageError, UsageError, shown
from irattn.core.packages import (
    COMPILER,
    RUNTIME,
    install_command,
    installed_version,
    needed_version,
)

TIMEOUT = "IRATTN_COMPILE_TIMEOUT"

_GUARD = ("/bin/sh", "-c", "read -r end; kill -s KILL 0")

# The compiler's plugins, each with the word that a text or flag has which needs it. Passes look
# through every operation that any plugin brings: with all of them, small graphs take half as long
# again. Those for CPUs stay, as constants are evaluated on the host.
_PLUGINS = {
    "input_torch": "torch",
    "input_stablehlo": "hlo",
    "input_tosa": "tosa",
    "hal_target_cuda": "cuda",
    "hal_target_metal_spirv": "metal",
    "hal_target_rocm": "rocm",
    "hal_target_vmvx": "vmvx",
    "hal_target_vulkan_spirv": "vulkan",
}

# The text is checked when it is read. To check all of it again after each pass, and before it
# numbers the values of a module, is a quarter of the compiler's time; the bytes are the same.
_UNCHECKED = ("--verify=false", "--mlir-print-assume-verified")

# The compiler makes and drops millions of small objects. The C library of Linux then keeps more of
# them at hand, in large pages, and gives none back: a twentieth less of the processor's time.
_KEPT = ("tcache_count=60000", "hugetlb=1", "top_pad=67108864")
_NEVER_GIVEN_BACK = ("trim_threshold=4294967296", "mmap_threshold=4294967296")
_ALLOCATOR = {
    "GLIBC_TUNABLES": ":".join(f"glibc.malloc.{one}" for one in _KEPT + _NEVER_GIVEN_BACK)
}

_TILE_ATTRIBUTES = ("lowering_config", "compilation_info", "decomposition_config")

_ERROR_LINE = re.compile(r"^<stdin>:(\d+):\d+: error: (.*)$", re.MULTILINE)
_ANY_ERROR = re.compile(r"error: (.*)$", re.MULTILINE)


def compiler_version() -> str:
    """The version of the compiler whose artifacts are looked for.

    Without a compiler that is the version of the runtime, which loads no others: what is compiled
    is found and run on machines that cannot compile. MissingPackageError where neither is there.
    """
    found = installed_version(COMPILER) or installed_version(RUNTIME)
    return found or needed_version(COMPILER, "compiling")


@dataclass
class DiagnosticsError(Exception):
    """The compiler's words when it failed: all of them, the first error, and its line if known."""

    text: str
    first_error: str
    line: int | None


def compile_installed(
    text: str, flags: tuple[str, ...], *, timeout: float | None = None, compiler: str | None = None
) -> bytes:
    """Compile MLIR text in a child process, by the installed compiler or the executable `compiler`.

    The text travels through standard input: with a file, the path would end up in the bytes. After
    `timeout` seconds, by default those of IRATTN_COMPILE_TIMEOUT, the compiler is stopped, which
    counts as a failure. DiagnosticsError where the compiler fails.
    """
    timeout = timeout or default_timeout()
    how = ("--mlir-print-op-on-diagnostic=false", *_without_unneeded(text, flags))
    command = [compiler or find_compiler(), "-", *how, *flags]
    done = _run_compiler([*command, *_UNCHECKED], text, timeout)
    if done.returncode != 0:
        # What a pass made wrong is told by the check after that pass, not by a later one's trouble.
        done = _run_compiler(command, text, timeout)
    if done.returncode != 0:
        raise _diagnose(done.stderr.decode(errors="replace"), done.returncode)
    return done.stdout


def _run_compiler(
    command: list[str], text: str, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    """Run the compiler on a text; DiagnosticsError where it takes longer than `timeout` seconds."""
    try:
        # What the user sets for all programs stays.
        return run_group(command, text.encode(), timeout, environment=_ALLOCATOR | os.environ)
    except subprocess.TimeoutExpired as error:
        problem = f"not done after {timeout:g} s, and stopped; {TIMEOUT} changes how long to wait"
        raise DiagnosticsError(f"{problem}\n", problem, None) from error


_in_use: Callable[..., bytes] = compile_installed


def compile_mlir(
    text: str, flags: tuple[str, ...], *, timeout: float | None = None, compiler: str | None = None
) -> bytes:
    """Compile MLIR text by the compiler in use, as `compile_installed` does."""
    return _in_use(text, flags, timeout=timeout, compiler=compiler)


def use_compiler(compile: Callable[..., bytes]) -> None:
    """Compile by another function than `compile_installed`, such as one that remembers."""
    global _in_use
    _in_use = compile


def _without_unneeded(text: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    """Flags that leave plugins out which nothing asks for; the bytes are the same."""
    asked = (text, *flags)
    unneeded = (name for name, word in _PLUGINS.items() if not any(word in one for one in asked))
    return tuple(f"--iree-plugin=-{name}" for name in unneeded)


def run_group(
    command: list[str],
    text: bytes,
    timeout: float,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command; all that it started ends with it, and it ends where this process dies.

    TimeoutExpired after so many seconds.
    """
    pipe = subprocess.PIPE
    with (
        _guarded_group() as group,
        subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=cwd,
            env=environment,
            process_group=group,
        ) as child,
    ):
        try:
            output, errors = child.communicate(text, timeout)
        finally:
            # Ctrl-C too: in a group of its own, the child does not see the terminal's.
            _kill(child, group)
    return subprocess.CompletedProcess(command, child.returncode, output, errors)


@contextmanager
def _guarded_group() -> Iterator[int | None]:
    """The id of a new process group that is killed when this process ends in whatever way.

    A guard in the group waits for the end of a pipe that only this process holds. The kernel's own
    signal for this (prctl) would come when the thread that started the child ends. None where there
    is no shell: on Windows, and in containers with next to nothing.
    """
    if not os.access(_GUARD[0], os.X_OK):
        yield None
        return
    null = subprocess.DEVNULL
    with subprocess.Popen(
        _GUARD, stdin=subprocess.PIPE, stdout=null, stderr=null, process_group=0
    ) as guard:
        yield guard.pid


def _kill(child: subprocess.Popen[bytes], group: int | None) -> None:
    """Kill a child's whole group, or the child where it has none of its own."""
    if group is None:
        child.kill()
    else:
        os.killpg(group, signal.SIGKILL)


@cache
def find_compiler() -> str:
    """Path of the installed compiler itself, without the Python script around it.

    MissingPackageError where it is not installed, or not whole.
    """
    present = needed_version(COMPILER, "compiling")
    try:
        from iree.compiler.tools import binaries

        return str(binaries.find_tool("iree-compile"))
    except (ImportError, OSError, ValueError) as error:
        raise MissingPackageError(
            f"compiling needs {COMPILER}, and {present} is damaged here ({error}): "
            f"{install_command(COMPILER)} --force-reinstall"
        ) from error


def check_compiler() -> None:
    """MissingPackageError where the installed compiler is not there, or does not start."""
    done = run_group([find_compiler(), "--version"], b"", default_timeout())
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()[:200]
        raise MissingPackageError(f"{COMPILER} does not start (exit {done.returncode}): {said}")


def _ir() -> Any:
    """The compiler's module of operations; MissingPackageError where there is no compiler."""
    needed_version(COMPILER, "reading MLIR")
    return importlib.import_module("iree.compiler.ir")


def default_timeout() -> float:
    """Seconds that a compilation may take: IRATTN_COMPILE_TIMEOUT, or a quarter of an hour."""
    given = os.environ.get(TIMEOUT) or "900"
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise UsageError(f"{TIMEOUT}: expected a number of seconds above 0, got {shown(given)}")
    return seconds


def verify_mlir(text: str) -> None:
    """Parse and verify MLIR text in this process; DiagnosticsError where it is malformed."""
    ir = _ir()
    with _verifying() as context:
        try:
            ir.Module.parse(text, context=context).operation.verify()
        except ir.MLIRError as error:
            raise DiagnosticsError(str(error), str(error).splitlines()[0], None) from error


@cache
def _verifying() -> Any:
    """A context for all texts: to make one takes as long as to verify a large text."""
    ir = _ir()
    return ir.Context()


def untiled(text: str) -> str:
    """MLIR text without the tiles that are made for its target; DiagnosticsError if malformed."""
    ir = _ir()
    with ir.Context() as context:
        try:
            module = ir.Module.parse(text, context=context)
        except ir.MLIRError as error:
            raise DiagnosticsError(str(error), str(error).splitlines()[0], None) from error
        for op in _operations(module):
            for name in _TILE_ATTRIBUTES:
                if name in op.attributes:
                    del op.attributes[name]
        return str(module)


def command_line(flags: tuple[str, ...]) -> str:
    """The shell command that compiles `module.mlir` to `module.vmfb` with these flags."""
    return f"{shlex.join(['iree-compile', '-', *flags, '-o', 'module.vmfb'])} < module.mlir"


def _operations(module: Any) -> list[Any]:
    """Every operation of a module, in order."""
    ir = _ir()
    operations = []

    def visit(op: Any) -> Any:
        operations.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return operations


def _diagnose(text: str, status: int) -> DiagnosticsError:
    located = _ERROR_LINE.search(text)
    if located:
        return DiagnosticsError(text, located.group(2), int(located.group(1)))
    error = _ANY_ERROR.search(text)
    crash = f"the compiler crashed (exit status {status})"
    return DiagnosticsError(text, error.group(1) if error else crash, None)
