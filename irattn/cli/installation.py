"""Find IREE's packages and ROCm, and advise what is missing, for `irattn doctor`."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from irattn.compiling.compiler import check_compiler
from irattn.core.errors import MissingPackageError
from irattn.core.packages import COMPILER, RUNTIME, install_command, installed_version

# Where IREE's driver looks for it besides the system's folders, and its name.
_HIP_FOLDER, _HIP_LIBRARY = "IREE_HIP_DYLIB_PATH", "libamdhip64.so"
# What every program that uses an AMD GPU opens.
_KFD = Path("/dev/kfd")


@dataclass(frozen=True)
class Installation:
    """IREE's packages here in a word or two, what that means, and what mends it where it is ill."""

    state: str
    meaning: str
    advice: str | None = None

    @property
    def is_sound(self) -> bool:
        """Whether it does all that it is there for."""
        return self.state in ("complete", "runtime only")


def installation() -> Installation:
    """Whether IREE's packages are here, whole, and of one version."""
    compiler, runtime = installed_version(COMPILER), installed_version(RUNTIME)
    both = f"{install_command(COMPILER)} {install_command(RUNTIME).removeprefix('pip install ')}"
    if runtime is None:
        meaning = f"{RUNTIME} is missing: nothing runs"
        return Installation(
            "no runtime", meaning, both if compiler is None else install_command(RUNTIME)
        )
    if problem := _import_problem():
        meaning = f"{RUNTIME} {runtime} is damaged: {problem}"
        return Installation("damaged", meaning, f"{install_command(RUNTIME)} --force-reinstall")
    if compiler is None:
        meaning = "what is compiled loads and runs; nothing is compiled"
        return Installation("runtime only", meaning, f"to compile: {install_command(COMPILER)}")
    if compiler != runtime:
        meaning = f"runtime {runtime} does not load what compiler {compiler} makes"
        return Installation("versions differ", meaning, both)
    try:
        check_compiler()
    except MissingPackageError as error:
        return Installation("damaged", str(error), f"{install_command(COMPILER)} --force-reinstall")
    return Installation("complete", "compiler and runtime match")


def _import_problem() -> str | None:
    try:
        import_module("iree.runtime")
    except ImportError as error:
        return str(error)
    return None


def hip_advice(problem: str) -> Iterator[str]:
    """Advice on what an AMD card needs here; `problem` is why the driver finds none."""
    if sys.platform != "linux":
        return
    folder = os.environ.get(_HIP_FOLDER)
    if folder and not (Path(folder) / _HIP_LIBRARY).exists():
        yield f"{_HIP_FOLDER} names {folder}, which has no {_HIP_LIBRARY}"
    elif "library" in problem:
        yield (
            "install ROCm's HIP runtime (AMD's package rocm-hip-runtime); where the system does "
            f"not find its {_HIP_LIBRARY}, set {_HIP_FOLDER} to the folder that has it"
        )
    if not _KFD.exists():
        yield (
            f"{_KFD} is not there: no AMD GPU, or its kernel driver (amdgpu) is not loaded; a "
            f"container is given it with --device {_KFD} --device /dev/dri"
        )
    elif not os.access(_KFD, os.R_OK | os.W_OK):
        yield (
            f"{_KFD} is not yours to open: be in the groups render and video (sudo usermod -aG "
            "render,video $USER), and log in again"
        )
