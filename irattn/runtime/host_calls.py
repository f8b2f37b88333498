"""Calls of a kernel for CPUs that differ in nothing but where some of their arrays lie."""

import ctypes
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import DeviceError
from irattn.core.tensors import TensorType
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.kernel import Kernel
from irattn.runtime.memory import Device
from irattn.runtime.session import Session

# Addresses that are known to the runtime, of all kernels: an engine's allocator has few.
_MOST_VIEWS = 4096


class HostCalls:
    """Calls of a kernel with these arrays, but for those that `moved` names.

    Arrays, in call order, are checked here, once. Of the moved ones, and of the outputs with memory
    of their own, each call gives the address, a multiple of `ALIGNMENT`, of dense memory in the
    host that is there until the call returns; those that the kernel updates are written there. A
    call is done when it returns.
    DeviceError for a kernel that does not write where it is told to.
    """

    def __init__(self, kernel: Kernel, arrays: Mapping[str, DeviceArray], moved: Sequence[str]):
        session: Any = kernel._session
        if not isinstance(session, Session) or not session.into:
            raise DeviceError(f"device {kernel.driver}: writes no outputs where they are wanted")
        signature = kernel._signature
        given = signature.in_order((), arrays)
        form = signature.form(given)
        self._session, self._device = session, session.device
        places = {tensor.name: i for i, tensor in enumerate(form.inputs)}
        self._moved = [(places[name], *_kind(form.inputs[places[name]])) for name in moved]
        # What stays is kept, with all that its memory belongs to.
        self._arrays = dict(enumerate(signature.values(form, given)))
        for name in moved:
            del self._arrays[places[name]]
        for array in self._arrays.values():
            array.synchronize()
        self._memory = [
            self._arrays[i]._memory() if i in self._arrays else None for i in range(len(given))
        ]
        self._made = [_kind(one) for one in form.outputs if one.name not in session.spec.updates]

    def run(self, moved: Sequence[int], outputs: Sequence[int]) -> None:
        """Call with the addresses of what is moved, in its order, and of new outputs."""
        memory, device = [*self._memory], self._device
        for (i, shape, name), address in zip(self._moved, moved, strict=True):
            memory[i] = view_at(device, address, shape, name).ref
        buffers = [
            view_at(device, address, shape, name).get_buffer()
            for (shape, name), address in zip(self._made, outputs, strict=True)
        ]
        _, launched = self._session.launch_into(self._session.queue, memory, buffers)
        if launched:
            launched.wait()


@lru_cache(maxsize=_MOST_VIEWS)
def view_at(device: Device, address: int, shape: tuple[int, ...], name: str) -> Any:
    """A view of the host's memory, which nothing keeps there."""
    kind = dtype(name).carrier
    memory: Any = (ctypes.c_char * (math.prod(shape) * kind.itemsize)).from_address(address)
    return device.imported(np.ndarray(shape, kind, memory), name)


def _kind(tensor: TensorType) -> tuple[tuple[int, ...], str]:
    return tensor.largest_shape, tensor.dtype
