"""A score or mask function as a kernel has it: its steps, and the arrays that they read."""

from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.rendering.values import Value, tensor_type
from irattn.specs.expressions import HasFunctions, Kind

# Bits that a kernel shifts by, at most.
MOST_BITS = 31


@dataclass(frozen=True, kw_only=True)
class CapturedArray:
    """An array that functions read, as the kernel has it: all elements in one row.

    `name` is the input's; bools are bytes in the row. `dims` are the input's axes.
    """

    name: str
    value: Value
    dims: list[int]
    is_bool: bool
    # The type of all of it, bools as bytes, with its own axes.
    type: str


@dataclass(frozen=True)
class NumberPlace:
    """Where a kernel has a number: its name there, and the level that it differs at."""

    name: str
    level: str


@dataclass(frozen=True, kw_only=True)
class ScoreStep:
    """A step in a kernel: an operation on operands of one level, which gives a number of a kind.

    A `broadcast` takes one `of_level`; comparisons and conversions take such `of_kind`. A `read`
    takes the place in an array's row, a `read_keys` that of key 0 in it: its keys lie one after the
    other. The `least` and the `greatest` of a row take the first place and the last.
    """

    name: str
    op: str
    kind: Kind
    level: str
    operands: list[str]
    of_kind: Kind
    of_level: str
    value: float | int | bool | None = None
    array: CapturedArray | None = None


@dataclass(frozen=True, kw_only=True)
class ScoreFunction:
    """A function of scores: its steps, the name of its result, and what of a score it asks."""

    steps: list[ScoreStep]
    result: str
    asks: set[str]

    def at(self, *levels: str) -> list[ScoreStep]:
        """The steps on numbers that differ at one of these levels."""
        return [step for step in self.steps if step.level in levels]


def captured_arrays(spec: HasFunctions) -> list[CapturedArray]:
    """The arrays that a spec's functions read."""
    return [
        CapturedArray(
            name=tensor.name,
            value=Value(_row_name(tensor), (tensor.elements,), _stored(tensor)),
            dims=list(range(len(tensor.shape))),
            is_bool=tensor.dtype == "bool",
            type=tensor_type(tensor.shape, _stored(tensor)),
        )
        for tensor in spec.captured
    ]


def _row_name(tensor: TensorType) -> str:
    """The name of the row: the input's own where that is one."""
    is_same = len(tensor.shape) == 1 and tensor.dtype != "bool"
    return tensor.name if is_same else f"{tensor.name}_row"


def _stored(tensor: TensorType) -> str:
    return "i8" if tensor.dtype == "bool" else dtype(tensor.dtype).mlir
