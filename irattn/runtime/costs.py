"""Say what a spec will cost this machine, in memory and time, before it is paid."""

import logging
import os
from pathlib import Path

from irattn.core.errors import TooLargeError
from irattn.core.tensors import largest
from irattn.specs import Spec
from irattn.specs.features import AttentionFeatures

logger = logging.getLogger("irattn")

# What a container's memory is limited to, in either version of Linux's cgroups.
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

# Of how many queries the reference holds scores at a time, and the bytes that each takes.
_REFERENCE_ROWS, _REFERENCE_BYTES = 256, 24

# What is quicker is not announced.
_LONG_SECONDS = 30


def check_call(spec: Spec) -> None:
    """TooLargeError where inputs and outputs of one call do not fit into memory."""
    check_memory(f"a call of {spec.op}", sum(t.bytes for t in (*spec.inputs, *spec.outputs)))


def check_verification(spec: Spec) -> None:
    """TooLargeError where a call and its float64 reference do not fit into memory.

    Counted are all tensors as they are and in float64, three more of the largest output, which
    measuring takes, and the scores that the reference holds at a time. The need that was measured
    is 0.9 to 1.1 times as much.
    """
    tensors = (*spec.inputs, *spec.outputs)
    measuring = 24 * max(tensor.elements for tensor in spec.outputs)
    copies = sum(tensor.bytes + 8 * tensor.elements for tensor in tensors)
    check_memory(f"verifying {spec.op}", copies + measuring + _scores(spec))


def announce(what: str, seconds: float) -> None:
    """Say beforehand what takes long, in seconds of processor time."""
    if seconds >= _LONG_SECONDS:
        time = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
        logger.warning("%s may take %s of processor time", what, time)


def memory() -> int | None:
    """Bytes that this process may have: the machine's, or its container's; None if unknown."""
    try:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):
        return None
    texts = (path.read_text() for path in map(Path, _LIMITS) if path.exists())
    return min([most, *(int(text) for text in texts if text.strip().isdigit())])


def check_memory(what: str, needed: int) -> None:
    """TooLargeError where this machine does not have so many bytes; `what` takes them."""
    most = memory()
    if most is not None and needed > most:
        raise TooLargeError(
            f"this needs more memory than there is: {what} takes about {_gib(needed)}, and this "
            f"machine has {_gib(most)}"
        )


def _scores(spec: Spec) -> int:
    if not isinstance(spec, AttentionFeatures):
        return 0
    return (
        min(largest(spec.num_queries), _REFERENCE_ROWS) * largest(spec.num_keys) * _REFERENCE_BYTES
    )


def _gib(count: int) -> str:
    return f"{count / 2**30:,.1f} GiB"
