"""Waiting for IREE's workers, which have the host's cores to themselves but for who waits."""

import os
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


def without_preempting(wait: Callable[..., _T], *arguments: object) -> _T:
    """Make a call that waits for workers; on Linux it takes no core from them.

    In IREE 3.13.0 a worker wakes who waits, and who waits then spins until the worker has left the
    function that did so. An ordinary thread that wakes on the worker's core may take its place: it
    spins for nothing, up to the system's next tick or the one after (4 ms each; calls of 5.5 ms
    took 7.7 in the median, 11.7 at worst). One of the policy for batches takes nobody's place.
    Launches in a queue wait too: to allocate, IREE waits for the one before.
    """
    if not _gives_way():
        return wait(*arguments)
    try:
        return wait(*arguments)
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def _gives_way() -> bool:
    """Put this thread, if it is an ordinary one, into the policy for batches; says if it was."""
    try:
        if os.sched_getscheduler(0) != os.SCHED_OTHER:
            return False
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        return True
    except (AttributeError, OSError):
        # Systems that have no policies, and sandboxes that refuse to change one.
        return False
