"""How much memory a call takes at its peak, as Linux counts it."""

import ctypes
from collections.abc import Callable
from pathlib import Path

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def peak_bytes(call: Callable[[], object]) -> int | None:
    """Bytes that a first call takes beyond what is there before it, its result included.

    A later one may use memory that the first has kept. None where the system does not keep the peak
    of a process.
    """
    _give_back()
    try:
        # Forgets the peak so far.
        _CLEAR.write_text("5")
        before = _kilobytes("VmRSS")
    except OSError:
        return None
    result = call()
    peak = _kilobytes("VmHWM")
    del result
    return max(0, peak - before) * 1024


def _kilobytes(name: str) -> int:
    for line in _STATUS.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise OSError(f"{_STATUS} has no {name}")


def _give_back() -> None:
    """Memory that was freed goes back to the system: used again, it counts as new."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
