"""Builds the stand-in for AMD's runtime library with the system's C compiler, once."""

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from importlib.resources import files
from pathlib import Path

from irattn.core.errors import DeviceError

_SOURCE = "hip_stand_in.c"
_COMPILERS = ("cc", "gcc", "clang")
_FLAGS = ("-std=gnu11", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread")


def library(root: Path) -> Path:
    """The library under a folder, built where it is not there; DeviceError where that fails.

    The name of the file holds a hash of the source, so that an older one is never taken.
    """
    source = files(__package__).joinpath(_SOURCE).read_bytes()
    digest = hashlib.sha256(source + " ".join(_FLAGS).encode()).hexdigest()[:16]
    path = root / "emulator" / f"hip-stand-in-{digest}.so"
    if not path.exists():
        try:
            _build(source, path)
        except OSError as error:
            raise DeviceError(
                f"device emulator: its library cannot be kept: {error}; IRATTN_CACHE names another "
                "folder"
            ) from error
    return path.absolute()


def _build(source: bytes, path: Path) -> None:
    """Compile beside the library's place and move it there: it appears whole or not at all."""
    compiler = _compiler()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".staging-", dir=path.parent) as staging:
        built = Path(staging, path.name)
        command = [*compiler, *_FLAGS, "-x", "c", "-", "-o", str(built)]
        try:
            done = subprocess.run(command, input=source, capture_output=True, timeout=120)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DeviceError(f"device emulator: {shlex.join(command)}: {error}") from error
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            raise DeviceError(
                f"device emulator: its library does not compile: {shlex.join(command)}: {said}"
            )
        os.replace(built, path)


def _compiler() -> list[str]:
    """The command of a C compiler: `CC`, or the first that is there."""
    chosen = shlex.split(os.environ.get("CC", ""))
    for command in [chosen] if chosen else [[name] for name in _COMPILERS]:
        if shutil.which(command[0]):
            return command
    looked = " ".join(chosen) or ", ".join(_COMPILERS)
    raise DeviceError(
        f"device emulator: no C compiler is here (looked for {looked}), and its library is built "
        "on first use; install gcc or clang (Debian: apt install gcc), or name one in CC"
    )
