"""Work out one call's steps in numbers: grids, constants, and where in which memory each reads.

A call's memory is a list of blocks: its inputs, outputs that the caller gave, what is made for it,
one block of scratch, and the constants of the code. Nothing here asks a driver.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from irattn.binary.launches import Copy, Dispatch, Fill, LaunchPlan, LaunchStep, Place
from irattn.binary.vmfb import evaluate
from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.runtime.direct.steps import Address, Copying, Filling, Launch, Shape, Step, copyings
from irattn.runtime.padding import LENGTHS, filler, padded_shape
from irattn.specs import Spec

# What kernels may rely on of memory that is made here.
_SCRATCH_ALIGNMENT = 256
# The largest element type.
_ELEMENT_BYTES = 8


@dataclass(frozen=True)
class Result:
    """Where a call's output is: an array of the call's memory, whole, or part of one in bytes.

    `block` counts the inputs, given outputs and made arrays of the call.
    """

    shape: Shape
    dtype: str
    block: int
    offset: int | None = None


@dataclass
class CallLayout:
    """One call in numbers.

    `made` are shapes and element types of arrays to make, by number of block from `num_given` on;
    the block after them has `scratch_bytes`, and those after it are the plan's constants in order.
    """

    num_given: int
    made: list[tuple[Shape, str]] = field(default_factory=list)
    scratch_bytes: int = 0
    steps: list[Step] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)


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
    return _Laying(plan, call, compiled, donated, given_outputs).layout()


class _Laying:
    """The work on one layout."""

    def __init__(
        self,
        plan: LaunchPlan,
        call: Spec,
        compiled: Spec,
        donated: Sequence[str],
        given_outputs: Sequence[str],
    ) -> None:
        self._plan, self._call, self._compiled = plan, call, compiled
        self._donated = donated
        names = [tensor.name for tensor in call.inputs]
        self._outs = {name: len(names) + i for i, name in enumerate(given_outputs)}
        self._layout = CallLayout(len(names) + len(given_outputs))
        # Scratch and constants come after all that is made, of which the number shows at the end.
        self._scratch, self._first_constant = -1, -2
        self._given = {tensor.name: (i, tensor) for i, tensor in enumerate(call.inputs)}
        self._blocks: dict[str, Address] = {}
        self._before: list[Step] = []
        self._after: list[Step] = []

    def layout(self) -> CallLayout:
        shapes = [self._input(i, tensor) for i, tensor in enumerate(self._compiled.inputs)]
        self._dims = {
            (f"input{i}", axis): size
            for i, shape in enumerate(shapes)
            for axis, size in enumerate(shape)
        }
        self._buffers()
        self._results()
        steps = [*self._before, *self._launches(), *self._after]
        scratch = self._layout.num_given + len(self._layout.made)
        self._layout.steps = [_numbered(step, scratch) for step in steps]
        return self._layout

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
            address = self._make(shape, tensor.dtype)
            self._before.append(Copying(address, Address(block), _bytes(shape, tensor.dtype)))
        self._blocks[f"input{i}"] = address
        return shape

    def _lengths(self, i: int, tensor: TensorType) -> Shape:
        """Lengths that the call does not name, as all of its sequences are equally long."""
        # The lengths of a layer are its attention's.
        attention: Any = getattr(self._call, "attention", self._call)
        length, batch = getattr(attention, LENGTHS[tensor.role]), attention.batch
        target = self._blocks[f"input{i}"] = self._reserve(_bytes((batch,), tensor.dtype))
        self._before.append(Filling(target, length, 4, batch))
        return (batch,)

    def _padded(self, block: int, own: TensorType, tensor: TensorType, shape: Shape) -> Address:
        num_bytes, size = _bytes(shape, tensor.dtype), dtype(tensor.dtype).numpy.itemsize
        target = self._reserve(num_bytes)
        self._before.append(Filling(target, filler(tensor) & 0xFF, 1, num_bytes))
        self._before += copyings(target, shape, Address(block), own.largest_shape, size)
        return target

    def _buffers(self) -> None:
        """Blocks for what the host program allocates, and for constants."""
        constants = 0
        for buffer in self._plan.buffers:
            if buffer.role == "constant":
                self._blocks[buffer.id] = Address(self._first_constant - constants)
                constants += 1
            elif buffer.role == "transient":
                self._blocks[buffer.id] = self._reserve(evaluate(buffer.bytes, self._dims))
            elif buffer.role == "output":
                self._output_buffer(buffer.id, evaluate(buffer.bytes, self._dims))

    def _output_buffer(self, buffer: str, num_bytes: int) -> None:
        """A buffer of outputs: the array itself, where it holds one that needs no cutting."""
        held = [
            tensor
            for tensor, placed in zip(self._call.outputs, self._plan.outputs, strict=True)
            if placed.place.buffer == buffer
        ]
        (first, *others), alone = held, len(held) == 1
        if alone and _bytes(first.largest_shape, first.dtype) == num_bytes:
            given = self._outs.get(first.name)
            made = given is None
            self._blocks[buffer] = (
                self._make(first.largest_shape, first.dtype) if made else Address(given or 0)
            )
        elif others:
            # Whole elements of every type.
            self._blocks[buffer] = self._make((num_bytes + -num_bytes % _ELEMENT_BYTES,), "bytes")
        else:
            self._blocks[buffer] = self._reserve(num_bytes)

    def _results(self) -> None:
        compiled = self._compiled.outputs
        for own, tensor, placed in zip(
            self._call.outputs, compiled, self._plan.outputs, strict=True
        ):
            place, shape = self._place(placed.place), own.largest_shape
            full = tuple(evaluate(size, self._dims) for size in placed.shape)
            given = self._outs.get(own.name)
            size = dtype(tensor.dtype).numpy.itemsize
            if shape != full or (given is not None and place.block != given):
                target = self._make(shape, own.dtype) if given is None else Address(given)
                self._after += copyings(target, shape, place, full, size)
                place = target
            self._layout.results.append(Result(shape, own.dtype, place.block, self._part(place)))

    def _part(self, place: Address) -> int | None:
        """Where a result begins in an array of bytes that is made for several."""
        number = place.block - self._layout.num_given
        is_part = 0 <= number < len(self._layout.made) and self._layout.made[number][1] == "bytes"
        return place.offset if is_part else None

    def _launches(self) -> Iterator[Step]:
        for step in self._plan.steps:
            if (made := self._step(step)) is not None:
                yield made

    def _step(self, step: LaunchStep) -> Step | None:
        if isinstance(step, Dispatch):
            x, y, z = (evaluate(size, self._dims) for size in step.grid)
            words = tuple(evaluate(size, self._dims) & 0xFFFFFFFF for size in step.constants)
            bindings = tuple(map(self._place, step.bindings))
            return Launch(step.kernel, (x, y, z), bindings, words) if x * y * z else None
        if isinstance(step, Copy):
            length = evaluate(step.target.length, self._dims)
            return Copying(self._place(step.target), self._place(step.source), length)
        assert isinstance(step, Fill)
        length = evaluate(step.target.length, self._dims)
        width = step.pattern_bytes
        pattern = step.pattern & ((1 << 8 * width) - 1)
        return Filling(self._place(step.target), pattern, width, length // width)

    def _place(self, place: Place) -> Address:
        return self._blocks[place.buffer].plus(evaluate(place.offset, self._dims))

    def _make(self, shape: Shape, element: str) -> Address:
        self._layout.made.append((shape, element))
        return Address(self._layout.num_given + len(self._layout.made) - 1)

    def _reserve(self, num_bytes: int) -> Address:
        start = self._layout.scratch_bytes
        self._layout.scratch_bytes += num_bytes + -num_bytes % _SCRATCH_ALIGNMENT
        return Address(self._scratch, start)


def _numbered(step: Step, scratch: int) -> Step:
    """A step with scratch and constants numbered after what is made."""

    def number(address: Address) -> Address:
        if address.block >= 0:
            return address
        return replace(address, block=scratch - 1 - address.block)

    if isinstance(step, Launch):
        return replace(step, bindings=tuple(map(number, step.bindings)))
    if isinstance(step, Filling):
        return replace(step, target=number(step.target))
    return replace(step, target=number(step.target), source=number(step.source))


def _bytes(shape: Shape, element: str) -> int:
    return math.prod(shape) * dtype(element).numpy.itemsize
