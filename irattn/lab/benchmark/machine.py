"""The machine of a benchmark: the processor and the versions."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def processor() -> str:
    """The processor's name, as far as the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def widest_vectors(flags: frozenset[str]) -> str:
    """The widest vector instructions among a processor's flags, with those for bf16."""
    named = {"avx512f": "AVX-512", "avx2": "AVX2", "asimd": "NEON"}
    widest = next((words for flag, words in named.items() if flag in flags), "")
    return f"{widest} with bf16" if widest and flags & {"avx512_bf16", "bf16"} else widest


def installed(package: str) -> str | None:
    """The version of an installed package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
