"""The cores of IREE's workers: the process's own, whatever the thread that opens a device may use.

IREE makes a worker for each physical core that this thread may use. Others bind threads: vLLM, and
OpenMP where it is told to, give the main thread one core.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_CPUS = Path("/sys/devices/system/cpu")

# Turns for which idle threads of GNU's OpenMP spin: a tenth of a millisecond. PyTorch's operators
# follow one another within it. Its own are 300,000, and two threads that spin beside IREE's workers
# took a fifth of a decode's time: 8 sequences of 2,048 tokens 8.8 ms, and 5.9 with these.
_SPINS = "10000"

_given: list[frozenset[int]] = []


def give_cores(cpus: Iterable[int]) -> None:
    """Devices that are opened from now on use these logical CPUs; of none, the process's own."""
    _given[:] = [chosen] if (chosen := frozenset(cpus)) else []


def allowed() -> frozenset[int]:
    """The logical CPUs that devices use: those given, or the process's own."""
    if _given:
        return _given[0]
    if not hasattr(os, "sched_getaffinity"):
        return frozenset(range(os.cpu_count() or 1))
    # The main thread goes by the number of the process: it or this one may be bound, and not both.
    return frozenset(os.sched_getaffinity(os.getpid()) | os.sched_getaffinity(0))


def cores() -> int:
    """Physical cores that devices use: as many workers as `local-task` has."""
    return len({_core(cpu) for cpu in allowed()})


def spin_briefly() -> None:
    """Leave the cores to IREE's workers soon after OpenMP's work, unless the user said otherwise.

    GNU's OpenMP reads it as it is loaded: before PyTorch is, or in processes that are started then.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", _SPINS)


@contextmanager
def on_all_cores() -> Iterator[None]:
    """The block, in which this thread may use all cores; the thread's own are put back.

    Other systems than Linux do not bind threads, and sandboxes may refuse to.
    """
    before = _bind(allowed())
    try:
        yield
    finally:
        if before is not None:
            os.sched_setaffinity(0, before)


def _bind(cpus: frozenset[int]) -> set[int] | None:
    """Bind this thread to CPUs; gives those of before, None where it cannot be done."""
    try:
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cpus)
        return before
    except (AttributeError, OSError):
        return None


def _core(cpu: int) -> tuple[str, str]:
    """Tells physical cores apart; where the system does not say, each logical CPU is one."""
    places = [
        _CPUS / f"cpu{cpu}" / "topology" / part for part in ("physical_package_id", "core_id")
    ]
    if not all(place.exists() for place in places):
        return ("", str(cpu))
    package, core = (place.read_text().strip() for place in places)
    return (package, core)
