"""Calls with arrays that stay on the device."""

from collections.abc import Sequence
from typing import Any

from irattn.core.errors import ArgumentError
from irattn.core.tensors import TensorType
from irattn.runtime.arguments import Form
from irattn.runtime.array_types import MOST_REMEMBERED
from irattn.runtime.call_plan import CallPlan
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.device_padding import DevicePadding
from irattn.runtime.padding import CallSizes
from irattn.runtime.queue import Launched, Queue
from irattn.runtime.session import Session
from irattn.specs import Spec


class DeviceCalls:
    """Calls of a session with device arrays among the arguments; outputs are device arrays."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.device = session.device
        self._sizes = CallSizes(session.spec)
        self._plans: dict[tuple[Form, tuple[str, ...]], CallPlan] = {}
        self._paddings: dict[Spec, DevicePadding] = {}

    def run(
        self, form: Form, arrays: Sequence[Any], out: Any = None, donate: tuple[str, ...] = ()
    ) -> tuple[DeviceArray, ...]:
        """The outputs of checked arrays; those of NumPy are copied to the device.

        ArgumentError for an array that is elsewhere or was donated, DeviceError if the launch
        fails.
        """
        plan = self._plans.get((form, donate)) or self._plan(form, arrays, donate)
        if plan.uploads:
            arrays = self._uploaded(plan, arrays)
        memory = plan.memory(arrays)
        targets = plan.targets(out, arrays) if out is not None else ()
        queue = self._session.queue
        is_shared = plan.has_queues and _joined(queue, arrays)
        given = plan.given(memory, arrays, queue)
        if targets and plan.fills(targets):
            outputs = self._into(queue, given, plan, targets, is_shared)
            plan.hand_on(arrays, outputs)
            return outputs
        made, launched = self._launched(queue, given, plan)
        if plan.padding:
            made, launched = plan.padding.cut(made, launched)
        outputs = plan.outputs(made)
        plan.hand_on(arrays, outputs)
        if launched:
            for output in outputs:
                output._launched, output._queue = launched, launched.queue
            if is_shared:
                launched.wait()
        return self._filled(outputs, targets) if targets else outputs

    def check_device(self, tensor: TensorType, array: DeviceArray) -> None:
        """Refuse an array whose memory the function cannot be given."""
        if not self.device.shares_memory(array.device):
            raise ArgumentError(
                f"{tensor.name}: expected an array on device {self.device}, got one on "
                f"{array.device}; copy it there: DeviceArray.from_numpy("
                f"{tensor.name}.to_numpy(), kernel.device)"
            )

    def _launched(
        self, queue: Queue | None, memory: Sequence[Any], plan: CallPlan
    ) -> tuple[list[Any], Launched | None]:
        if queue:
            return self._session.launch(queue, memory, plan.sizes(memory))
        if prepared := self.device.queue:
            # The artifact is older: its function does not wait for what is in a queue.
            prepared.wait()
        return self._session.call(memory), None

    def _into(
        self,
        queue: Queue | None,
        memory: Sequence[Any],
        plan: CallPlan,
        targets: Sequence[DeviceArray | None],
        is_shared: bool,
    ) -> tuple[DeviceArray, ...]:
        """The outputs, of which the new ones are made where the caller wants them."""
        wanted = [target for target in targets if target is not None]
        for target in wanted:
            is_shared |= target._join(queue)
            target._end_uses(queue)
        buffers = [target._live("out").get_buffer() for target in wanted]
        made, launched = self._session.launch_into(queue, memory, buffers)
        outputs = tuple(
            output if target is None else target
            for output, target in zip(plan.outputs(made), targets, strict=True)
        )
        for output in outputs:
            output._written(launched)
        if launched and is_shared:
            launched.wait()
        return outputs

    def _plan(self, form: Form, arrays: Sequence[Any], donate: tuple[str, ...]) -> CallPlan:
        for array, tensor in zip(arrays, form.inputs, strict=True):
            if isinstance(array, DeviceArray):
                self.check_device(tensor, array)
        if len(self._plans) >= MOST_REMEMBERED:
            self._plans.clear()
            self._paddings.clear()
        plan = CallPlan(self._session, form, arrays, donate, self._padding(form.call))
        self._plans[form, donate] = plan
        if plan.is_plain:
            form.ready[donate] = plan.run
        return plan

    def _padding(self, call: Spec) -> DevicePadding | None:
        """The padding of calls of these sizes; None where there is none."""
        if self._sizes.is_static:
            return None
        if call not in self._paddings:
            self._paddings[call] = DevicePadding(self.device, self._sizes.compiled, call)
        padding = self._paddings[call]
        return padding if padding.is_any else None

    def _uploaded(self, plan: CallPlan, arrays: Sequence[Any]) -> list[Any]:
        arrays = list(arrays)
        for i in plan.uploads:
            arrays[i] = DeviceArray.from_numpy(arrays[i], self.device)
        return arrays

    def _filled(
        self, outputs: tuple[DeviceArray, ...], targets: Sequence[DeviceArray | None]
    ) -> tuple[DeviceArray, ...]:
        """The outputs, copied into the arrays that the caller wants them in."""
        pairs = list(zip(outputs, targets, strict=True))
        for output, target in pairs:
            if target is not None:
                target._copy_parts(output, [(0, 0, output._live().byte_length)])
                if target._type.passed is not None:
                    target._has_passed(output._type.passed)
        return tuple(output if target is None else target for output, target in pairs)


def _joined(queue: Queue | None, arrays: Sequence[DeviceArray]) -> bool:
    """Let a call use arrays; whether another library may change one while it does."""
    is_shared = False
    for array in arrays:
        if array._queue is not queue and queue not in array._others:
            is_shared |= array._join(queue)
    return is_shared
