"""Calls with arrays that stay on the device."""

import math
from collections.abc import Collection, Sequence
from typing import Any

from irattn.dtypes import dtype
from irattn.errors import ArgumentError
from irattn.runtime.arguments import MOST_REMEMBERED, Form
from irattn.runtime.array_types import ArrayType, array_type
from irattn.runtime.block_tables import check_of
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.device_padding import DevicePadding
from irattn.runtime.padding import CallSizes, padded_shape
from irattn.runtime.queue import Launched, Queue
from irattn.runtime.session import Session
from irattn.specs import Spec


class DeviceCalls:
    """Calls of a session with device arrays among the arguments; outputs are device arrays."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.device = session.device
        self._sizes = CallSizes(session.spec)
        # Outputs by the inputs whose memory they take over.
        self._updates = {name: output for output, name in session.spec.updates.items()}
        self._plans: dict[Form, _Plan] = {}
        self._paddings: dict[Spec, DevicePadding] = {}

    def run(
        self, form: Form, arrays: Sequence[Any], out: Any = None, donate: Collection[str] = ()
    ) -> tuple[DeviceArray, ...]:
        """The outputs of checked arrays; those of NumPy are copied to the device.

        ArgumentError for an array that is elsewhere or was donated, DeviceError if the launch
        fails.
        """
        plan = self._plans.get(form) or self._plan(form, arrays)
        if plan.uploads:
            arrays = self._uploaded(plan, arrays)
        views = plan.views(arrays)
        targets = plan.targets(out) if out is not None else ()
        is_shared = plan.has_queues and _joined(self._session.queue, arrays)
        if self._updates or donate:
            self._give_up(plan, arrays, views, donate)
        if plan.padding:
            views = plan.padding.pad(views)
        if plan.has_queues:
            results, launched = self._launched(plan, views)
        else:
            results, launched = self._session.run_views(views), None
        if plan.padding:
            results, launched = plan.padding.cut(results, launched)
        outputs = plan.outputs(results)
        if launched:
            for output in outputs:
                output._launched, output._queue = launched, launched.queue
            if is_shared:
                launched.wait()
        return self._filled(outputs, targets) if targets else outputs

    def _launched(self, plan: "_Plan", views: list[Any]) -> tuple[list[Any], Launched | None]:
        if queue := self._session.queue:
            return self._session.launch_views(queue, views, plan.sizes(views))
        if prepared := self.device.queue:
            # The artifact is older: its function does not wait for what is in a queue.
            prepared.wait()
        return self._session.run_views(views), None

    def _plan(self, form: Form, arrays: Sequence[Any]) -> "_Plan":
        for array, tensor in zip(arrays, form.inputs, strict=True):
            if isinstance(array, DeviceArray) and not self.device.shares_memory(array.device):
                raise ArgumentError(
                    f"{tensor.name}: expected an array on device {self.device}, got one on "
                    f"{array.device}; copy it there: DeviceArray.from_numpy("
                    f"{tensor.name}.to_numpy(), kernel.device)"
                )
        if len(self._plans) >= MOST_REMEMBERED:
            self._plans.clear()
            self._paddings.clear()
        plan = _Plan(self._session, form, arrays, self._padding(form.call))
        self._plans[form] = plan
        if plan.is_plain:
            form.ready = plan.check_and_run if form.trusted else plan.run
        return plan

    def _padding(self, call: Spec) -> DevicePadding | None:
        """How calls of these sizes are padded; None where none is."""
        if self._sizes.is_static:
            return None
        if call not in self._paddings:
            self._paddings[call] = DevicePadding(self.device, self._sizes.compiled, call)
        return self._paddings[call]

    def _uploaded(self, plan: "_Plan", arrays: Sequence[Any]) -> list[Any]:
        arrays = list(arrays)
        for i in plan.uploads:
            arrays[i] = DeviceArray.from_numpy(arrays[i], self.device)
        return arrays

    def _give_up(
        self, plan: "_Plan", arrays: Sequence[Any], views: list[Any], donate: Collection[str]
    ) -> None:
        """Give the function memory that it may overwrite: what is donated, else a copy."""
        for name in donate:
            self._check_donated(plan, arrays, name)
        for name, output in self._updates.items():
            i = plan.positions[name]
            if name in donate:
                arrays[i]._end_uses(self._session.queue)
                taker = f" to {self._session.artifact.manifest.name}: use its {output}"
                views[i] = arrays[i]._take(name, taker)
            elif i not in plan.uploads:
                copy = DeviceArray.empty(arrays[i].shape, arrays[i].dtype, self.device)._view
                self.device.copy(views[i], copy)
                views[i] = copy

    def _check_donated(self, plan: "_Plan", arrays: Sequence[Any], name: str) -> None:
        if name not in self._updates:
            known = ", ".join(self._updates) or "none"
            raise ArgumentError(
                f"donate: expected inputs that {self._session.spec.op} updates ({known}), got "
                f"{name!r}"
            )
        if plan.positions[name] in plan.uploads:
            raise ArgumentError(f"{name}: expected a DeviceArray to donate, got a NumPy array")
        for other, i in plan.positions.items():
            if arrays[i] is arrays[plan.positions[name]] and other != name:
                raise ArgumentError(
                    f"{name}: expected an array of its own to donate, got the one that {other} is"
                )

    def _filled(
        self, outputs: tuple[DeviceArray, ...], targets: Sequence[DeviceArray | None]
    ) -> tuple[DeviceArray, ...]:
        """The outputs, copied into the arrays that the caller wants them in."""
        pairs = list(zip(outputs, targets, strict=True))
        for output, target in pairs:
            if target is not None:
                target._copy_parts(output, [(0, 0, output._view.byte_length)])
                if target._type.passed is not None:
                    target._has_passed(output._type.passed)
        return tuple(output if target is None else target for output, target in pairs)


class _Plan:
    """What all calls of a form have in common.

    `uploads` are the positions of NumPy arrays, `positions` those of all inputs by name;
    `has_queues` says that arrays may not be there yet.
    `is_plain` says that all arrays are there, and nothing of them is overwritten.
    """

    def __init__(
        self,
        session: Session,
        form: Form,
        arrays: Sequence[Any],
        padding: DevicePadding | None,
    ) -> None:
        device = session.device
        self._session, self._inputs, self._trusted = session, form.inputs, form.trusted
        self._names = [tensor.name for tensor in form.outputs]
        # What a kernel gives within limits need not come to the host to be checked.
        self.types = [
            array_type(
                device,
                tensor.largest_shape,
                tensor.dtype,
                frozenset({check_of(tensor)} if tensor.limits else ()),
            )
            for tensor in form.outputs
        ]
        # Bytes of new outputs, as large as the function makes them.
        self._made = [
            math.prod(padded_shape(own.largest_shape, tensor)) * dtype(tensor.dtype).numpy.itemsize
            for own, tensor in zip(form.outputs, session.spec.compiled.outputs, strict=True)
            if tensor.name not in session.spec.updates
        ]
        self._sizes: list[int] | None = None
        self.uploads = [i for i, a in enumerate(arrays) if not isinstance(a, DeviceArray)]
        devices = {device, *(a.device for a in arrays if isinstance(a, DeviceArray))}
        self.has_queues = any(device.has_queues for device in devices)
        self.positions = {tensor.name: i for i, tensor in enumerate(form.inputs)}
        self.padding = padding
        self.is_plain = not (self.uploads or self.has_queues or session.spec.updates)

    def run(self, arrays: Sequence[DeviceArray]) -> Any:
        """The output of a plain call, or a tuple of several.

        Small calls take so little that each step shows: it does what `DeviceCalls.run` does in as
        few as there can be.
        """
        try:
            views = [array._view for array in arrays]
        except AttributeError:
            views = self.views(arrays)
        if self.padding:
            made, _ = self.padding.cut(self._session.run_views(self.padding.pad(views)), None)
        else:
            made = self._session.run_views(views)
        types = self.types
        return DeviceArray(made[0], types[0]) if len(types) == 1 else self.outputs(made)

    def sizes(self, views: list[Any]) -> list[int]:
        """Bytes of what a call in a queue makes: of new outputs, and between its kernels."""
        if self._sizes is None:
            self._sizes = [*self._made, self._session.bytes_between(views, len(self._made))]
        return self._sizes

    def check_and_run(self, arrays: Sequence[DeviceArray]) -> Any:
        """The same where values are still to be checked."""
        checked = [*arrays]
        for i, check in self._trusted:
            checked[i] = check(arrays[i], arrays)
        return self.run(checked)

    def views(self, arrays: Sequence[DeviceArray]) -> list[Any]:
        """The memory of a call's arrays; ArgumentError where one was donated."""
        try:
            return [array._view for array in arrays]
        except AttributeError:
            pairs = zip(arrays, self._inputs, strict=True)
            return [array._live(tensor.name) for array, tensor in pairs]

    def outputs(self, views: list[Any]) -> tuple[DeviceArray, ...]:
        """The arrays of memory that a call has given."""
        return tuple(map(DeviceArray, views, self.types))

    def targets(self, out: Any) -> Sequence[DeviceArray | None]:
        """The arrays for the outputs; ArgumentError where one does not fit."""
        targets = (out,) if isinstance(out, DeviceArray) else out
        if not isinstance(targets, list | tuple) or len(targets) != len(self.types):
            raise ArgumentError(
                f"out: expected a DeviceArray, or one or None for each of "
                f"{', '.join(self._names)}, got {type(out).__name__}"
            )
        for target, wanted, name in zip(targets, self.types, self._names, strict=True):
            if target is not None:
                _check_target(target, wanted, name)
        return targets


def _joined(queue: Queue | None, arrays: Sequence[DeviceArray]) -> bool:
    """Let a call use arrays; whether another library may change one while it does."""
    is_shared = False
    for array in arrays:
        if array._queue is not queue and queue not in array._others:
            is_shared |= array._join(queue)
    return is_shared


def _check_target(target: Any, wanted: ArrayType, name: str) -> None:
    if not isinstance(target, DeviceArray) or not wanted.device.shares_memory(target.device):
        got = target.device if isinstance(target, DeviceArray) else type(target).__name__
        raise ArgumentError(
            f"out: expected a DeviceArray on device {wanted.device} for {name}, got {got}"
        )
    if (target.shape, target.dtype) != (wanted.shape, wanted.dtype):
        raise ArgumentError(f"out: expected {wanted} for {name}, got {target._type}")
    target._live("out")
