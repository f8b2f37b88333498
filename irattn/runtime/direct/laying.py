"""Lay out one call in numbers, given where its inputs are: what is made, launched and given back.

A call's memory is a list of blocks: its inputs, outputs that the caller gave, what is made for it,
one block of scratch, and the constants of the code. Nothing here asks a driver.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from irattn.binary.vmfb.formulas import evaluate
from irattn.runtime.direct.capsules import itemsize
from irattn.runtime.direct.steps import Address, Copying, Filling, Launch, Shape, Step

if TYPE_CHECKING:
    from irattn.binary.launches import LaunchPlan, LaunchStep, Place

# What kernels may rely on of memory that is made here.
_SCRATCH_ALIGNMENT = 256
# The largest element type.
_ELEMENT_BYTES = 8
# Scratch and constants come after all that is made, of which the number shows at the end.
_SCRATCH, _FIRST_CONSTANT = -1, -2


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


class Output(NamedTuple):
    """An output as the caller gets it; `given` is the block of one that the caller has made."""

    shape: Shape
    dtype: str
    given: int | None = None

    @property
    def num_bytes(self) -> int:
        """The bytes of its elements."""
        return num_bytes_of(self.shape, self.dtype)


class Laying:
    """The work on one layout of a plan's calls, with the shapes that its function is given."""

    def __init__(self, plan: "LaunchPlan", num_given: int) -> None:
        self.plan = plan
        self.layout = CallLayout(num_given)
        self._blocks: dict[str, Address] = {}
        self._dims: Mapping[tuple[str, int], int] = {}

    def take(self, number: int, address: Address) -> None:
        """Give the function its input of this number."""
        self._blocks[f"input{number}"] = address

    def size(self, shapes: Sequence[Shape], outputs: Sequence[Output]) -> None:
        """Make what the host program allocates, for inputs of these shapes and these outputs."""
        self._dims = dims_of(shapes)
        constants = 0
        for buffer in self.plan.buffers:
            if buffer.role == "constant":
                self._blocks[buffer.id] = Address(_FIRST_CONSTANT - constants)
                constants += 1
            elif buffer.role == "transient":
                self._blocks[buffer.id] = self.reserve(evaluate(buffer.bytes, self._dims))
            elif buffer.role == "output":
                held = [
                    one
                    for one, placed in zip(outputs, self.plan.outputs, strict=True)
                    if placed.place.buffer == buffer.id
                ]
                num_bytes = evaluate(buffer.bytes, self._dims)
                self._blocks[buffer.id] = self._output_block(held, num_bytes)

    def outputs(self) -> Iterator[tuple[Address, Shape]]:
        """Where the function leaves its outputs, and of what shapes."""
        for placed in self.plan.outputs:
            shape = tuple(evaluate(size, self._dims) for size in placed.shape)
            yield self._place(placed.place), shape

    def give(self, output: Output, place: Address) -> None:
        """Give an output back from where it is."""
        number = place.block - self.layout.num_given
        is_part = 0 <= number < len(self.layout.made) and self.layout.made[number][1] == "bytes"
        offset = place.offset if is_part else None
        self.layout.results.append(Result(output.shape, output.dtype, place.block, offset))

    def finish(self, before: Sequence[Step] = (), after: Sequence[Step] = ()) -> CallLayout:
        """The layout, with the plan's launches between other steps."""
        scratch = self.layout.num_given + len(self.layout.made)
        steps = [*before, *self._launches(), *after]
        self.layout.steps = [_numbered(step, scratch) for step in steps]
        return self.layout

    def make(self, shape: Shape, element: str) -> Address:
        """An array of its own."""
        self.layout.made.append((shape, element))
        return Address(self.layout.num_given + len(self.layout.made) - 1)

    def reserve(self, num_bytes: int) -> Address:
        """Part of the scratch."""
        start = self.layout.scratch_bytes
        self.layout.scratch_bytes += num_bytes + -num_bytes % _SCRATCH_ALIGNMENT
        return Address(_SCRATCH, start)

    def _output_block(self, held: Sequence[Output], num_bytes: int) -> Address:
        """A buffer of outputs: the array itself, where it holds one that needs no cutting."""
        first, *others = held
        if others:
            # Whole elements of every type.
            return self.make((num_bytes + -num_bytes % _ELEMENT_BYTES,), "bytes")
        if first.num_bytes != num_bytes:
            return self.reserve(num_bytes)
        if first.given is None:
            return self.make(first.shape, first.dtype)
        return Address(first.given)

    def _launches(self) -> Iterator[Step]:
        for step in self.plan.steps:
            if (made := self._step(step)) is not None:
                yield made

    def _step(self, step: "LaunchStep") -> Step | None:
        if step.what == "dispatch":
            x, y, z = (evaluate(size, self._dims) for size in step.grid)
            words = tuple(evaluate(size, self._dims) & 0xFFFFFFFF for size in step.constants)
            bindings = tuple(map(self._place, step.bindings))
            return Launch(step.kernel, (x, y, z), bindings, words) if x * y * z else None
        length = evaluate(step.target.length, self._dims)
        if step.what == "copy":
            return Copying(self._place(step.target), self._place(step.source), length)
        width = step.pattern_bytes
        pattern = step.pattern & ((1 << 8 * width) - 1)
        return Filling(self._place(step.target), pattern, width, length // width)

    def _place(self, place: "Place") -> Address:
        return self._blocks[place.buffer].plus(evaluate(place.offset, self._dims))


def dims_of(shapes: Sequence[Shape]) -> dict[tuple[str, int], int]:
    """The lengths of inputs of these shapes, by the names and axes that a plan's formulas have."""
    return {
        (f"input{i}", axis): size
        for i, shape in enumerate(shapes)
        for axis, size in enumerate(shape)
    }


def num_bytes_of(shape: Shape, element: str) -> int:
    """The bytes of a dense array."""
    return math.prod(shape) * itemsize(element)


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
