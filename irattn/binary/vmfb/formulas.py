"""Sizes that a call chooses, as formulas: kept as trees, printed as C, computed from numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from irattn.core.errors import ArtifactError, shown

_INFIX = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "rem": "%",
    "and": "&",
    "or": "|",
    "xor": "^",
    "shl": "<<",
    "shr": ">>",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
}


def _quotient(a: int, b: int) -> int:
    """Division as C does it, towards zero."""
    if b == 0:
        raise ArtifactError("a size is divided by zero")
    magnitude = abs(a) // abs(b)
    return magnitude if (a < 0) == (b < 0) else -magnitude


_COMPUTE: dict[str, Callable[..., int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _quotient,
    "rem": lambda a, b: a - b * _quotient(a, b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
    "shr": lambda a, b: a >> b,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "min": min,
    "max": max,
    "select": lambda condition, a, b: a if condition else b,
}


@dataclass(frozen=True)
class SizeFormula:
    """An operation on sizes, or the name of one: `("dim", ("input0", 2))` is axis 2 of input 0."""

    operation: str
    operands: tuple[Any, ...]

    def __str__(self) -> str:
        """The formula as an expression of C on 64-bit integers."""
        if self.operation == "dim":
            return f"{self.operands[0]}_dim{self.operands[1]}"
        parts = [str(operand) for operand in self.operands]
        if self.operation == "select":
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        if self.operation in ("min", "max"):
            a, b = parts
            return f"({a} {'<' if self.operation == 'min' else '>'} {b} ? {a} : {b})"
        return f"({parts[0]} {_INFIX[self.operation]} {parts[1]})"

    def to_json(self) -> list[Any]:
        """The formula as nested lists, the operation first."""
        return [self.operation, *(size_to_json(operand) for operand in self.operands)]


Size: TypeAlias = int | SizeFormula


def size_to_json(size: Any) -> Any:
    """A number as it is, a formula as nested lists."""
    return size.to_json() if isinstance(size, SizeFormula) else size


def size_from_json(data: Any) -> Size:
    """The size that was written as JSON; ValueError where it is none."""
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    match data:
        case ["dim", str(name), int(axis)] if not isinstance(axis, bool):
            return SizeFormula("dim", (name, axis))
        case [str(operation), _, _, *rest] if len(rest) == (operation == "select"):
            if operation in _COMPUTE:
                return SizeFormula(operation, tuple(map(size_from_json, data[1:])))
    raise ValueError(f"expected a number or a formula, got {shown(data)}")


def evaluate(size: Size, dims: Mapping[tuple[str, int], int]) -> int:
    """The value of a size, given those of the axes that it names."""
    if not isinstance(size, SizeFormula):
        return size
    if size.operation == "dim":
        return dims[size.operands]
    return _COMPUTE[size.operation](*(evaluate(operand, dims) for operand in size.operands))


def combine(operation: str, *operands: Size) -> Size:
    """The result of an operation: a number where all operands are, else a formula."""
    if all(isinstance(operand, int) for operand in operands):
        return _COMPUTE[operation](*operands)
    if operation == "select" and isinstance(operands[0], int):
        return operands[1] if operands[0] else operands[2]
    if operation == "add" and 0 in operands:
        return operands[1] if operands[0] == 0 else operands[0]
    if operation == "mul" and 1 in operands:
        return operands[1] if operands[0] == 1 else operands[0]
    return SizeFormula(operation, operands)
