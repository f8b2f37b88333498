"""IREE's compiler and runner in a version of their own, installed beside irattn's."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from packaging.version import InvalidVersion, Version

from irattn.compiling.compiler import find_compiler, run_group
from irattn.compiling.store import default_root
from irattn.core.errors import ToolchainError, UsageError
from irattn.core.folders import keeping
from irattn.core.packages import COMPILER, RUNTIME, installed_version

_PACKAGES = (COMPILER, RUNTIME)
_COMPILER = Path("iree", "compiler", "_mlir_libs", "iree-compile")
_RUNNER = Path("iree", "_runtime_libs", "iree-run-module")
# Seconds that pip may take to fetch two packages of a hundred megabytes.
_PIP_SECONDS = 1800


@dataclass(frozen=True)
class Toolchain:
    """The executables of one version: `iree-compile` and `iree-run-module`."""

    version: str
    compiler: str
    runner: str


def version_order(names: Iterable[str]) -> list[str]:
    """The versions, each once, oldest first; UsageError for what is no version."""
    try:
        return sorted(dict.fromkeys(names), key=Version)
    except InvalidVersion as error:
        raise UsageError(f"--iree: expected versions such as 3.13.0: {error}") from error


def toolchain(wanted: str) -> Toolchain:
    """The tools of a version: those installed with irattn, or else of a folder in the user's cache.

    What is not there yet is installed by pip. ToolchainError where that fails.
    """
    if all(installed_version(package) == wanted for package in _PACKAGES):
        return _present(wanted)
    folder = default_root() / ".iree" / wanted
    if not folder.exists():
        with keeping(f"IREE {wanted}", folder.parent):
            _install(wanted, folder)
    tools = Toolchain(wanted, str(folder / _COMPILER), str(folder / _RUNNER))
    for path in (tools.compiler, tools.runner):
        if not os.access(path, os.X_OK):
            raise ToolchainError(
                f"IREE {wanted}: {path} is missing; remove {folder}, and it is installed again"
            )
    return tools


def _present(wanted: str) -> Toolchain:
    package = find_spec("iree._runtime_libs")
    places = package.submodule_search_locations if package else None
    if not places:
        raise ToolchainError("iree-run-module: not found; install iree-base-runtime again")
    return Toolchain(wanted, find_compiler(), str(Path(places[0]) / _RUNNER.name))


def _install(wanted: str, folder: Path) -> None:
    """Install both packages into a folder, which appears complete or not at all.

    The tools are executables: the packages that their Python parts need are left out.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".staging-", dir=folder.parent))
    try:
        _pip_install([f"{package}=={wanted}" for package in _PACKAGES], staging / "new", wanted)
        try:
            (staging / "new").rename(folder)
        except OSError:
            # Another process has just finished the same.
            if not folder.exists():
                raise
    finally:
        shutil.rmtree(staging)


def _pip_install(requirements: list[str], folder: Path, wanted: str) -> None:
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check"]
    what = ["--no-deps", "--only-binary=:all:", "--target", str(folder), *requirements]
    try:
        done = run_group(
            [sys.executable, "-m", "pip", "install", *quiet, *what], b"", timeout=_PIP_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise ToolchainError(f"IREE {wanted}: pip was not done after {_PIP_SECONDS} s") from error
    if done.returncode != 0:
        raise ToolchainError(f"IREE {wanted} cannot be installed: {_words_of_pip(done.stderr)}")


def _words_of_pip(stderr: bytes) -> str:
    """The words of pip for what went wrong, shortened."""
    lines = stderr.decode(errors="replace").strip().splitlines() or ["pip said nothing"]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    said = (errors or lines[-1:])[0][:400]
    if "(from versions: none)" in said:
        said += "; is the package index within reach?"
    return said
