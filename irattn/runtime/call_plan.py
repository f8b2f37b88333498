"""Plan the calls of one form once, so that each takes few steps."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError, shown
from irattn.core.tensors import TensorType
from irattn.runtime.arguments import Form
from irattn.runtime.array_types import ArrayType, array_type
from irattn.runtime.block_tables import check_of
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.device_padding import DevicePadding
from irattn.runtime.memory import Device
from irattn.runtime.padding import padded_shape
from irattn.runtime.queue import Queue
from irattn.runtime.session import Session
from irattn.specs import Spec


class CallPlan:
    """The steps by which a session makes the calls of a form that donate the inputs `donated`.

    `uploads` are the positions of NumPy arrays; `has_queues` says that arrays may not be there yet;
    `is_plain` says that all arrays are there, and on the device: `run` makes such calls.
    ArgumentError for a name that cannot be donated.
    """

    def __init__(
        self,
        session: Session,
        form: Form,
        arrays: Sequence[Any],
        donated: Collection[str],
        padding: DevicePadding | None,
    ) -> None:
        self._session, self._device, self._trusted = session, session.device, form.trusted
        # Looked up once: each is used in every call.
        self._new_list, self._invoke = session.new_list, session.invoke
        self._fences = session.fences
        self._names = [tensor.name for tensor in form.inputs]
        self._output_names = [tensor.name for tensor in form.outputs]
        self.types = [_given_type(tensor, self._device) for tensor in form.outputs]
        self._made = _bytes_made(session.spec, form.outputs)
        self._sizes: list[int] | None = None
        self.uploads = [i for i, a in enumerate(arrays) if not isinstance(a, DeviceArray)]
        devices = {self._device, *(a.device for a in arrays if isinstance(a, DeviceArray))}
        self.has_queues = any(device.has_queues for device in devices)
        self.padding = padding
        self.is_plain = not (self.uploads or self.has_queues)
        self._numbered = [*enumerate(self.types)]
        self._num_arguments = len(session.spec.compiled.inputs) + len(session.fences)
        is_cut = padding is not None and padding.cuts
        self._only_type = None if is_cut or len(self.types) > 1 else self.types[0]
        # Outputs by the inputs whose memory they take over.
        updates = {name: output for output, name in session.spec.updates.items()}
        self._taken = [self._taking(name, updates) for name in dict.fromkeys(donated)]
        # Each of them, and the output that lies in its memory.
        self._handed = [(i, self._output_names.index(updates[name])) for i, name, _ in self._taken]
        # What is donated, beside what could be the same array: that has the same type.
        self._pairs = [
            (i, j, name)
            for i, name, _ in self._taken
            for j, array in enumerate(arrays)
            if j not in (i, *self.uploads) and array._type is arrays[i]._type
        ]
        self._copied = [
            (i, tensor.largest_shape, tensor.dtype)
            for i, tensor in enumerate(form.inputs)
            if tensor.name in updates and tensor.name not in donated and i not in self.uploads
        ]
        self._is_direct = not (self._copied or padding)

    def run(self, arrays: Sequence[DeviceArray]) -> Any:
        """The output of a plain call, or a tuple of several.

        Small calls take so little that each step shows: it does what `DeviceCalls.run` does in as
        few as there can be.
        """
        if self._trusted:
            arrays = self._checked(arrays)
        arguments = self._new_list(self._num_arguments)
        push = arguments.push_ref
        try:
            # Not in a list of their own: that would take as long as passing them.
            if self._is_direct:
                for array in arrays:
                    push(array._ref)
                if self._taken:
                    self._take(arrays)
            else:
                for one in self.given(self.memory(arrays), arrays):
                    push(one)
        except AttributeError:
            self.memory(arrays)
            raise
        for fence in self._fences:
            push(fence)
        get = self._invoke(arguments).get_as_ref
        if self._only_type:
            output = DeviceArray(get(0), self._only_type)
            if self._taken:
                self.hand_on(arrays, (output,))
            return output
        if self.padding and self.padding.cuts:
            made, _ = self.padding.cut([get(i) for i, _ in self._numbered], None)
            outputs = self.outputs(made)
            self.hand_on(arrays, outputs)
            return outputs if len(outputs) > 1 else outputs[0]
        outputs = tuple([DeviceArray(get(i), type_) for i, type_ in self._numbered])
        if self._taken:
            self.hand_on(arrays, outputs)
        return outputs

    def memory(self, arrays: Sequence[DeviceArray]) -> list[Any]:
        """The memory of a call's arrays; ArgumentError where one was donated."""
        try:
            return [array._ref for array in arrays]
        except AttributeError:
            pairs = zip(arrays, self._names, strict=True)
            return [array._memory(name) for array, name in pairs]

    def given(
        self, memory: list[Any], arrays: Sequence[DeviceArray], own: Queue | None = None
    ) -> Sequence[Any]:
        """The memory that the function takes: donated or copied where overwritten, and padded.

        `own` is the queue of the calling thread.
        """
        self._take(arrays, own)
        for i, shape, element in self._copied:
            copy = self._device.empty(shape, element)
            self._device.copy(self._device.view_of(memory[i]), copy)
            memory[i] = copy.ref
        return self.padding.pad(memory) if self.padding else memory

    def sizes(self, given: Sequence[Any]) -> list[int]:
        """Bytes of what a call in a queue makes: of new outputs, and between its kernels."""
        if self._sizes is None:
            self._sizes = [*self._made, self._session.bytes_between(given, len(self._made))]
        return self._sizes

    def fills(self, targets: Sequence[DeviceArray | None]) -> bool:
        """Whether all that a call makes can be made where it is wanted."""
        is_new = [name not in self._session.spec.updates for name in self._output_names]
        is_given = [target is not None for target in targets]
        return bool(self._session.into) and not self.padding and is_given == is_new

    def outputs(self, memory: Sequence[Any]) -> tuple[DeviceArray, ...]:
        """The arrays of memory that a call has given."""
        return tuple(map(DeviceArray, memory, self.types))

    def hand_on(self, arrays: Sequence[DeviceArray], outputs: Sequence[DeviceArray]) -> None:
        """Let outputs keep alive what owns the donated memory in which they lie."""
        for i, number in self._handed:
            if (owner := arrays[i]._owner) is not None:
                outputs[number]._owner = owner

    def targets(self, out: Any, arrays: Sequence[Any]) -> Sequence[DeviceArray | None]:
        """The arrays for the outputs; ArgumentError where one does not fit, or is given up."""
        targets = (out,) if isinstance(out, DeviceArray) else out
        if not isinstance(targets, list | tuple) or len(targets) != len(self.types):
            raise ArgumentError(
                f"out: expected a DeviceArray, or one or None for each of "
                f"{', '.join(self._output_names)}, got {type(out).__name__}"
            )
        named = zip(targets, self.types, self._output_names, strict=True)
        uses = {id(arrays[i]): f"is donated as {name}" for i, name, _ in self._taken}
        for target, wanted, name in named:
            if target is not None:
                _check_target(target, wanted, name)
                if use := uses.get(id(target)):
                    raise ArgumentError(
                        f"out: expected an array of its own for {name}, got one that {use}"
                    )
                uses[id(target)] = f"is for {name}, too"
        return targets

    def _checked(self, arrays: Sequence[DeviceArray]) -> list[DeviceArray]:
        """The arrays of a call whose values are still to be checked."""
        checked = [*arrays]
        for i, check in self._trusted:
            checked[i] = check(arrays[i], arrays)
        return checked

    def _take(self, arrays: Sequence[DeviceArray], own: Queue | None = None) -> None:
        """End the arrays that are donated, whose memory is the function's now."""
        for i, j, name in self._pairs:
            if arrays[i] is arrays[j]:
                raise ArgumentError(
                    f"{name}: expected an array of its own to donate, got the one that "
                    f"{self._names[j]} is"
                )
        for i, name, taker in self._taken:
            arrays[i]._take(name, taker, own)

    def _taking(self, name: str, updates: Mapping[str, str]) -> tuple[int, str, str]:
        """Position and name of an input that is donated, and what is then said of its array."""
        if name not in updates:
            known = ", ".join(updates) or "none"
            raise ArgumentError(
                f"donate: expected inputs that {self._session.spec.op} updates ({known}), got "
                f"{shown(name)}"
            )
        i = self._names.index(name)
        if i in self.uploads:
            raise ArgumentError(f"{name}: expected a DeviceArray to donate, got a NumPy array")
        return i, name, f" to {self._session.artifact.manifest.name}: use its {updates[name]}"


def _given_type(tensor: TensorType, device: Device) -> ArrayType:
    """The type of an output: what a kernel gives within limits need not be checked."""
    passed = frozenset({check_of(tensor)} if tensor.limits else ())
    return array_type(device, tensor.largest_shape, tensor.dtype, passed)


def _bytes_made(spec: Spec, outputs: Sequence[TensorType]) -> list[int]:
    """Bytes of a call's new outputs, as large as the function makes them."""
    return [
        math.prod(padded_shape(own.largest_shape, tensor)) * dtype(tensor.dtype).numpy.itemsize
        for own, tensor in zip(outputs, spec.compiled.outputs, strict=True)
        if tensor.name not in spec.updates
    ]


def _check_target(target: Any, wanted: ArrayType, name: str) -> None:
    if not isinstance(target, DeviceArray) or not wanted.device.shares_memory(target.device):
        got = target.device if isinstance(target, DeviceArray) else type(target).__name__
        raise ArgumentError(
            f"out: expected a DeviceArray on device {wanted.device} for {name}, got {got}"
        )
    if (target.shape, target.dtype) != (wanted.shape, wanted.dtype):
        raise ArgumentError(f"out: expected {wanted} for {name}, got {target._type}")
    target._live("out")
