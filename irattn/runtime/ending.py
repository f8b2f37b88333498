"""Let go of what is IREE's when Python ends, whoever still holds what is irattn's.

A module, a cycle or another library's registry may hold kernels and device arrays to the very end,
when the bindings of IREE's runtime print a line for every object, type and function that is left,
and GPU drivers may be gone already.
"""

import atexit
import gc
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from irattn.core.errors import DeviceError
from irattn.runtime.call_plan import CallPlan
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.device_calls import DeviceCalls
from irattn.runtime.memory import Device
from irattn.runtime.queue import Launched, Queue
from irattn.runtime.session import Session
from irattn.runtime.staging import Staging

# What holds something of IREE's, in the order in which it lets it go: memory before devices.
_HOLDERS = (DeviceArray, Launched, Queue, CallPlan, DeviceCalls, Staging, Session, Device)
_afterwards: list[Callable[[], None]] = []


def afterwards(forget: Callable[[], None]) -> None:
    """Have devices of a provider forgotten at the end, once nothing is left on them."""
    _afterwards.append(forget)


class _Released:
    """An object whose contents are gone: whatever is asked of it, it says why it has nothing."""

    def __getattr__(self, name: str) -> NoReturn:
        raise DeviceError("Python is ending: kernels, arrays and devices have been released")


def _release() -> None:
    """Empty every holder, and what remembers devices."""
    if gc.get_freeze_count():
        # Frozen objects are not among those that can be listed.
        gc.unfreeze()
    # Listed, not registered when made: that would take part in every call.
    objects = gc.get_objects()
    for kind in _HOLDERS:
        for one in objects:
            if type(one) is kind:
                _empty(one)
    for forget in _afterwards:
        forget()
    for name, module in list(sys.modules.items()):
        if name.startswith(__package__):
            _forget(module)


def _empty(one: Any) -> None:
    if isinstance(one, DeviceArray):
        one._release()
    elif isinstance(one, Device | Launched):
        for slot in type(one).__slots__:
            delattr(one, slot)
    else:
        vars(one).clear()
        one.__class__ = _Released


def _forget(module: Any) -> None:
    """Clear a module's caches."""
    for value in list(vars(module).values()):
        clear = getattr(value, "cache_clear", None)
        if clear is not None:
            clear()


atexit.register(_release)
