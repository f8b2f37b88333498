"""Estimates what the matrix instructions of a kernel compute, from its loops.

Only scalar instructions are followed: they count the iterations of loops whose bounds are
constants. What depends on anything else, memory or the lane, is not known, and neither is then the
number of iterations, but for branches around code without matrix instructions, whose ways meet
again. Divergent branches are taken as if some lanes always go on.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from irattn.binary.codeobject.isa import Instruction

_SHAPE = re.compile(r"_(\d+)x(\d+)x(\d+)(?:_(\d+)b)?_")
_MOST_STEPS = 50_000
_LITERAL = 255
_MASK = 0xFFFFFFFF


def matrix_flops_per_wave(instructions: Iterable[Instruction]) -> float | None:
    """Floating-point operations of a wave's matrix instructions; None where loops are not known.

    An instruction on m x n x k counts 2 m n k, as multiplications and additions; a sparse one half
    of that, as it multiplies half of k.
    """
    code = list(instructions)
    if not any(instruction.kind == "matrix" for instruction in code):
        return 0.0
    steps = [_Step(instruction) for instruction in code if _matters(instruction)]
    starts = [step.at for step in steps]
    for step in steps:
        # A branch leads to the first instruction that matters from its target on.
        step.goes_to = bisect_left(starts, step.target or 0)
    scalars = _Scalars()
    total, i = 0.0, 0
    for _ in range(_MOST_STEPS):
        if i == len(steps):
            return None
        step = steps[i]
        total += step.flops
        if step.name == "s_endpgm":
            return total
        goes = scalars.branches(step) if step.target is not None else False
        if goes is False:
            scalars.carry_out(step)
            i += 1
            continue
        if goes is None:
            skipped = _skipped(steps, i)
            if skipped is None:
                return None
            between, i = skipped
            scalars.forget(between)
            continue
        i = step.goes_to
    return None


def matrix_flops(name: str) -> float:
    """FLOPs of one matrix instruction for a wave; 0 for any other instruction."""
    shape = _SHAPE.search(name)
    if shape is None:
        return 0.0
    m, n, k, blocks = (int(size) if size else 1 for size in shape.groups())
    return (1.0 if name.startswith("v_smfmac") else 2.0) * m * n * k * blocks


class _Step:
    """An instruction that matters here, with its operands."""

    def __init__(self, instruction: Instruction) -> None:
        self.name = instruction.name.replace("_co_", "_")
        self.at = instruction.at
        self.target = instruction.branch_target
        self.goes_to = 0
        self.flops = matrix_flops(instruction.name) if instruction.kind == "matrix" else 0.0
        self.sources: list[tuple[int, int]] = []
        self.result: int | None = None
        self.width = 1
        self.constant = 0
        if instruction.kind == "scalar":
            self._read(instruction.encoding.from_bytes(instruction.raw.to_bytes(16, "little")))

    def _read(self, fields: Any) -> None:
        literal = getattr(fields, "literal", 0) or 0
        names = dict(type(fields)._fields)
        for name in ("ssrc0", "ssrc1"):
            if name in names:
                self.sources.append((getattr(fields, name).offset, int(literal)))
        result = next((name for name in ("sdst", "sdata") if name in names), None)
        if result is not None:
            register = getattr(fields, result)
            self.result, self.width = register.offset, register.sz
        if "simm16" in names:
            value = int(fields.simm16)
            self.constant = value - ((value & 0x8000) << 1)


def _skipped(steps: list[_Step], branch: int) -> tuple[list[_Step], int] | None:
    """The steps that only one way of a branch takes, and where it meets the other one's begin.

    None where neither leads there without multiplying.
    """
    ways = branch + 1, steps[branch].goes_to
    for first, last in (ways, ways[::-1]):
        between = _between(steps, first, last)
        if between is not None:
            return between, last
    return None


def _between(steps: list[_Step], first: int, last: int) -> list[_Step] | None:
    """The steps on all ways from one to another; None where one multiplies, or ends the kernel."""
    seen, open_ways = {last}, [first]
    found = []
    while open_ways:
        i = open_ways.pop()
        if i in seen:
            continue
        if i == len(steps):
            return None
        seen.add(i)
        step = steps[i]
        if step.flops or step.name == "s_endpgm":
            return None
        found.append(step)
        if step.target is not None:
            open_ways.append(step.goes_to)
        if step.name != "s_branch":
            open_ways.append(i + 1)
    return found


def _matters(instruction: Instruction) -> bool:
    return instruction.kind in ("scalar", "branch", "matrix")


class _Scalars:
    """Scalar registers and the condition code, as far as they are known."""

    def __init__(self) -> None:
        self.values: dict[int, int] = {}
        self.condition: bool | None = None

    def branches(self, step: _Step) -> bool | None:
        """Whether a branch is taken; None where that is not known."""
        if step.name == "s_branch":
            return True
        if step.name.startswith("s_cbranch_scc") and self.condition is not None:
            return self.condition == step.name.endswith("1")
        if step.name in ("s_cbranch_execz", "s_cbranch_execnz"):
            return step.name.endswith("nz")
        return None

    def forget(self, steps: Iterable[_Step]) -> None:
        """Know nothing of what these write, which may not have been carried out."""
        self.condition = None
        for step in steps:
            for i in range(step.width if step.result is not None else 0):
                self.values.pop((step.result or 0) + i, None)

    def carry_out(self, step: _Step) -> None:
        """Follow an instruction; what is not followed makes its results unknown."""
        kind, _, rest = step.name.removeprefix("s_").partition("_")
        given = [self._value(*source) for source in step.sources]
        if kind in ("cmp", "cmpk"):
            left = given[0] if given else self.values.get(step.result or 0)
            right = given[1] if len(given) > 1 else step.constant
            self.condition = _compare(rest, left, right)
            return
        if step.result is None:
            return
        for i in range(step.width):
            self.values.pop(step.result + i, None)
        value = self._compute(kind, rest, step, given)
        if value is not None:
            self.values[step.result] = value & _MASK

    def _compute(self, kind: str, rest: str, step: _Step, given: list[int | None]) -> int | None:
        if step.width > 1 or rest.endswith("64"):
            return None
        if kind == "movk":
            return step.constant
        if kind == "mov":
            return given[0]
        operation = _OPERATIONS.get(kind)
        if operation is None or kind in _SETS_CONDITION:
            # Additions set the condition to their carry.
            self.condition = None
        if operation is None or len(given) != 2 or None in given:
            return None
        return int(operation(given[0], given[1]))

    def _value(self, offset: int, literal: int) -> int | None:
        if offset == _LITERAL:
            return literal
        if 128 <= offset <= 192:
            return offset - 128
        if 193 <= offset <= 208:
            return 192 - offset
        return self.values.get(offset)


_OPERATIONS: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "lshl": lambda a, b: a << (b & 31),
    "lshr": lambda a, b: (a & _MASK) >> (b & 31),
}
_SETS_CONDITION = frozenset(_OPERATIONS) - {"mul"}


def _compare(what: str, left: int | None, right: int | None) -> bool | None:
    """The outcome of `lt_u32`, `lg_i32` and their like."""
    if left is None or right is None:
        return None
    relation, _, kind = what.partition("_")
    if kind not in ("u32", "i32"):
        return None
    a, b = left & _MASK, right & _MASK
    if kind == "i32":
        a, b = a - ((a & 0x80000000) << 1), b - ((b & 0x80000000) << 1)
    outcomes = {
        "eq": a == b,
        "lg": a != b,
        "lt": a < b,
        "le": a <= b,
        "gt": a > b,
        "ge": a >= b,
    }
    return outcomes.get(relation)
