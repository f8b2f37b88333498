"""Find a driver's library: the one that the process has mapped, before any other of its name.

A second copy of the same library has streams and memory of its own: launches on those of the first
fail (on ROCm with error 709). PyTorch's wheels bring one along.
"""

import ctypes
import re
from collections.abc import Sequence
from pathlib import Path

from irattn.core.errors import DeviceError

_MAPS = Path("/proc/self/maps")


def opened(driver: str, names: Sequence[str], maps: Path = _MAPS) -> ctypes.CDLL:
    """The library of a driver, by the first of its names that loads; DeviceError where none does.

    `maps` is the list of what a process has mapped, as Linux writes it.
    """
    problems = []
    for name in (*mapped(names[0], maps), *names):
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            problems.append(str(error))
    raise DeviceError(f"device {driver}: its library does not load: {'; '.join(problems)}")


def mapped(name: str, maps: Path = _MAPS) -> list[str]:
    """Paths of the libraries of this name, of whatever version, that a process has mapped."""
    try:
        lines = maps.read_text().splitlines()
    except OSError:
        # Only Linux tells.
        return []
    wanted = re.compile(rf"\S+ \S+ \S+ \S+ \S+\s+(/.*/{re.escape(name)}(?:\.[\d.]+)?)")
    found = (wanted.fullmatch(line) for line in lines)
    return list(dict.fromkeys(match[1] for match in found if match))
