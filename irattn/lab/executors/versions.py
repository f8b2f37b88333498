"""The versions that two processes must share for a task to give the same bytes in both."""

import hashlib
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

import irattn
from irattn.compiling.compiler import compiler_version
from irattn.core.packages import RUNTIME
from irattn.rendering import template_root


@dataclass(frozen=True)
class Versions:
    """Versions of irattn, compiler and runtime; `files` hashes irattn's code and templates."""

    irattn: str
    compiler: str
    runtime: str
    files: str

    def differences(self, other: "Versions") -> str:
        """The differences in words, each with what is there and here; empty where all is equal."""
        here, there = asdict(self), asdict(other)
        return ", ".join(
            f"{name} {there[name]} instead of {here[name]}"
            for name in here
            if here[name] != there[name]
        )


@cache
def versions() -> Versions:
    """The versions of this process."""
    return Versions(version("irattn"), compiler_version(), version(RUNTIME), _hash_of_files())


def _hash_of_files() -> str:
    code = Path(irattn.__file__).parent
    digest = hashlib.sha256()
    for folder, pattern in ((code, "*.py"), (template_root(), "*.j2")):
        for path in sorted(folder.rglob(pattern)):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]
