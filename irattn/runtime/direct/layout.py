"""Work out the steps of a spec's calls: pad inputs, cut outputs, copy or overwrite caches."""

from collections.abc import Sequence
from typing import Any

from irattn.binary.launches import LaunchPlan
from irattn.core.tensors import TensorType
from irattn.runtime.direct.capsules import itemsize
from irattn.runtime.direct.laying import CallLayout, Laying, Output, num_bytes_of
from irattn.runtime.direct.steps import Address, Copying, Filling, Shape, Step, copyings
from irattn.runtime.padding import LENGTHS, filler, padded_shape
from irattn.specs import Spec


def laid_out(
    plan: LaunchPlan,
    call: Spec,
    compiled: Spec,
    donated: Sequence[str],
    given_outputs: Sequence[str],
) -> CallLayout:
    """The layout of calls of these sizes.

    `call` is their static spec, `compiled` that of the function. Inputs that `donated` names are
    overwritten in place; `given_outputs` names the outputs that the caller gave memory for.
    """
    return _SpecLaying(plan, call, compiled, donated, given_outputs).finished()


class _SpecLaying:
    """The work on one layout."""

    def __init__(
        self,
        plan: LaunchPlan,
        call: Spec,
        compiled: Spec,
        donated: Sequence[str],
        given_outputs: Sequence[str],
    ) -> None:
        self._call, self._compiled, self._donated = call, compiled, donated
        num_inputs = len(call.inputs)
        self._laying = Laying(plan, num_inputs + len(given_outputs))
        self._given = {tensor.name: (i, tensor) for i, tensor in enumerate(call.inputs)}
        outs = {name: num_inputs + i for i, name in enumerate(given_outputs)}
        self._outputs = [
            Output(one.largest_shape, one.dtype, outs.get(one.name)) for one in call.outputs
        ]
        self._before: list[Step] = []
        self._after: list[Step] = []

    def finished(self) -> CallLayout:
        shapes = [self._input(i, tensor) for i, tensor in enumerate(self._compiled.inputs)]
        self._laying.size(shapes, self._outputs)
        self._results()
        return self._laying.finish(self._before, self._after)

    def _input(self, i: int, tensor: TensorType) -> Shape:
        """Give the function its input, and say of what shape."""
        given = self._given.get(tensor.name)
        if given is None:
            return self._lengths(i, tensor)
        block, own = given
        shape = padded_shape(own.largest_shape, tensor)
        overwritten = tensor.name in self._compiled.updates.values()
        address = Address(block)
        if shape != own.largest_shape:
            address = self._padded(block, own, tensor, shape)
        elif overwritten and tensor.name not in self._donated:
            address = self._laying.make(shape, tensor.dtype)
            copied = num_bytes_of(shape, tensor.dtype)
            self._before.append(Copying(address, Address(block), copied))
        self._laying.take(i, address)
        return shape

    def _lengths(self, i: int, tensor: TensorType) -> Shape:
        """Lengths that the call does not name, as all of its sequences are equally long."""
        # The lengths of a layer are its attention's.
        attention: Any = getattr(self._call, "attention", self._call)
        length, batch = getattr(attention, LENGTHS[tensor.role]), attention.batch
        target = self._laying.reserve(num_bytes_of((batch,), tensor.dtype))
        self._laying.take(i, target)
        self._before.append(Filling(target, length, 4, batch))
        return (batch,)

    def _padded(self, block: int, own: TensorType, tensor: TensorType, shape: Shape) -> Address:
        num_bytes, size = num_bytes_of(shape, tensor.dtype), itemsize(tensor.dtype)
        target = self._laying.reserve(num_bytes)
        self._before.append(Filling(target, filler(tensor) & 0xFF, 1, num_bytes))
        self._before += copyings(target, shape, Address(block), own.largest_shape, size)
        return target

    def _results(self) -> None:
        for output, (place, full) in zip(self._outputs, self._laying.outputs(), strict=True):
            given = output.given
            if output.shape != full or (given is not None and place.block != given):
                target = self._laying.make(*output[:2]) if given is None else Address(given)
                size = itemsize(output.dtype)
                self._after += copyings(target, output.shape, place, full, size)
                place = target
            self._laying.give(output, place)
