"""An expression: the steps of a function of one score, in their order."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from irattn.core.dtypes import FLOAT_NAMES
from irattn.core.errors import SpecError, shown
from irattn.core.numbers import whole
from irattn.specs.base import of_json, store_plain
from irattn.specs.expressions.ops import CONSTANTS, NAMES, OPS, Kind

# Each is a few instructions for each score: a loop in Python that makes more is a mistake.
MOST_STEPS = 512

# The array that dropout reads, an input of the same name.
SEED = "dropout_seed"

_MOST_I32 = 2**31 - 1

# The kind of what is read of an array.
READ_KINDS: dict[str, Kind] = {
    **dict.fromkeys(FLOAT_NAMES, "float"),
    "i32": "int",
    "bool": "bool",
}


@dataclass(frozen=True)
class Captured:
    """An array that a function reads: an input of the call. `dtype` is a float's, i32 or bool."""

    name: str
    shape: tuple[int, ...]
    dtype: str

    def __post_init__(self) -> None:
        store_plain(self)
        if not isinstance(self.name, str) or not (self.name.isascii() and self.name.isidentifier()):
            raise SpecError(f"captured: expected a name of letters, got {shown(self.name)}")
        if not isinstance(self.shape, tuple) or not self.shape:
            raise SpecError(f"{self.name}: expected an array with axes, got {shown(self.shape)}")
        for size in self.shape:
            whole(f"{self.name}: shape", size)
        if self.dtype not in READ_KINDS:
            raise SpecError(
                f"{self.name}: expected {', '.join(READ_KINDS)}, got {shown(self.dtype)}"
            )
        if math.prod(self.shape) > _MOST_I32:
            raise SpecError(f"{self.name}: expected at most 2**31 - 1 elements")

    @property
    def kind(self) -> Kind:
        """The kind of its elements as steps have them."""
        return READ_KINDS[self.dtype]

    @property
    def input_name(self) -> str:
        """The name of the call's input: no other input has such a one."""
        return self.name if self.name == SEED else f"captured_{self.name}"


@dataclass(frozen=True)
class ExpressionStep:
    """One step: what it does, the numbers of the steps that it takes, and its text.

    `op` is one of OPS; a name of what the expression is a function of; the kind of a constant,
    whose text is its value (`-inf`, `3`, `True`); or `read`, whose text is the name of an array and
    whose operands are the index.
    """

    op: str
    operands: tuple[int, ...] = ()
    text: str | None = None

    def __post_init__(self) -> None:
        store_plain(self)
        numbers = self.operands if isinstance(self.operands, tuple) else None
        if numbers is None or not all(type(one) is int for one in numbers):
            raise SpecError(f"operands: expected numbers of steps, got {shown(self.operands)}")

    @property
    def value(self) -> float | int | bool:
        """The number of a constant."""
        assert self.text is not None
        if self.op == "bool":
            return self.text == "True"
        return int(self.text) if self.op == "int" else float(self.text)


@dataclass(frozen=True, repr=False)
class Expression:
    """A function of one score: the last of its steps is the result.

    It is a function of `score` (f32, the scaled and capped logit), and of `batch`, `head`, `query`
    and `key` (int32). Floats are computed in f32 and integers in int32, which wraps.
    """

    steps: tuple[ExpressionStep, ...]
    captured: tuple[Captured, ...] = ()

    def __post_init__(self) -> None:
        for name, kind in (("steps", ExpressionStep), ("captured", Captured)):
            object.__setattr__(self, name, _parts(name, kind, getattr(self, name)))
        if not 0 < len(self.steps) <= MOST_STEPS:
            raise SpecError(f"steps: expected 1 to {MOST_STEPS}, got {len(self.steps)}")
        names = [array.name for array in self.captured]
        if len(set(names)) < len(names):
            raise SpecError(f"captured: expected each name once, got {', '.join(names)}")
        _ = self.kinds

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of what each step gives; SpecError where a step cannot be."""
        kinds: list[Kind] = []
        for number, step in enumerate(self.steps):
            if any(not 0 <= operand < number for operand in step.operands):
                raise SpecError(f"steps: step {number} takes one that does not come before it")
            kind = _kind_of(step, [kinds[one] for one in step.operands], self.captured)
            if kind is None:
                raise SpecError(f"steps: step {number} is none: {shown(step)}")
            kinds.append(kind)
        return tuple(kinds)

    @property
    def kind(self) -> Kind:
        """The kind of the result."""
        return self.kinds[-1]

    @property
    def names(self) -> set[str]:
        """Names that the result depends on: some of `score`, `batch` and so on."""
        return {step.op for step in self.steps if step.op in NAMES}

    def up_to(self, result: int) -> "Expression":
        """The expression of which this step is the result: without what that does not need."""
        needed = {result}
        for number in range(result, -1, -1):
            if number in needed:
                needed.update(self.steps[number].operands)
        order = {old: new for new, old in enumerate(sorted(needed))}
        kept = [self.steps[number] for number in order]
        steps = (
            ExpressionStep(step.op, tuple(order[one] for one in step.operands), step.text)
            for step in kept
        )
        read = {step.text for step in kept if step.op == "read"}
        return Expression(tuple(steps), tuple(one for one in self.captured if one.name in read))

    def renamed(self, names: Mapping[str, str]) -> "Expression":
        """The function with other names for its arrays, by their own."""
        steps = (
            replace(step, text=names.get(step.text or "", step.text)) if step.op == "read" else step
            for step in self.steps
        )
        arrays = [replace(one, name=names.get(one.name, one.name)) for one in self.captured]
        return Expression(tuple(steps), tuple(arrays))

    def array(self, name: str) -> Captured:
        """The captured array of a name."""
        return next(one for one in self.captured if one.name == name)

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        """The text that one would write; what is used more than once has a name before it."""
        used = Counter(one for step in self.steps for one in step.operands)
        lines: list[str] = []
        said: list[str] = []
        for number, step in enumerate(self.steps):
            text = _written(step, [said[one] for one in step.operands])
            if used[number] > 1 and step.operands:
                lines.append(f"t{number} = {_bare(text)}")
                text = f"t{number}"
            said.append(text)
        return "; ".join([*lines, _bare(said[-1])])


def _is_wrapped(text: str) -> bool:
    """Whether the first parenthesis of a text is closed by the last."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return letter == ")" and place == len(text) - 1 and text[0] == "("
    return False


def _parts(name: str, kind: type[Any], given: object) -> tuple[Any, ...]:
    """The parts of an expression, some of them maybe as JSON has them."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise SpecError(f"{name}: expected a list, got {shown(given)}")
    parts = [of_json(kind, name, one) if isinstance(one, dict) else one for one in given]
    for part in parts:
        if not isinstance(part, kind):
            raise SpecError(f"{name}: expected {kind.__name__}s, got {shown(part)}")
    return tuple(parts)


def _kind_of(
    step: ExpressionStep, taken: list[Kind], captured: tuple[Captured, ...]
) -> Kind | None:
    """The kind of what a step gives; None where there is no such step."""
    if step.op in CONSTANTS:
        return step.op if not taken and _is_constant(step) else None
    if step.op == "read":
        array = next((one for one in captured if one.name == step.text), None)
        is_index = array and taken == ["int"] * len(array.shape)
        return array.kind if array and is_index else None
    if step.text is not None:
        return None
    if step.op in NAMES:
        return NAMES[step.op] if not taken else None
    if step.op == "where":
        is_choice = len(taken) == 3 and taken[0] == "bool" and taken[1] == taken[2]
        return taken[1] if is_choice else None
    return _kind_of_op(step.op, taken)


def _kind_of_op(name: str, taken: list[Kind]) -> Kind | None:
    op = OPS.get(name)
    if op is None or len(taken) != op.count or len(set(taken)) != 1 or taken[0] not in op.takes:
        return None
    return op.gives or taken[0]


def _is_constant(step: ExpressionStep) -> bool:
    try:
        value = step.value
    except (TypeError, ValueError, AssertionError):
        return False
    if repr(value) != step.text:
        return False
    return step.op != "int" or -_MOST_I32 - 1 <= value <= _MOST_I32


def _written(step: ExpressionStep, operands: list[str]) -> str:
    if step.op in CONSTANTS:
        return str(step.text)
    if step.op in NAMES:
        return step.op
    if step.op == "read":
        return f"{step.text}[{', '.join(map(_bare, operands))}]"
    if step.op == "where":
        return f"where({', '.join(map(_bare, operands))})"
    return OPS[step.op].written.format(*operands)


def _bare(text: str) -> str:
    return text[1:-1] if _is_wrapped(text) else text
