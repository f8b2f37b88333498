"""How long a wave takes that is alone: it executes in order, and waits for what it needs.

Other waves hide its waits and keep units from it; neither is seen here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from irattn.binary.codeobject import Instruction
from irattn.lab.emulator.isa.families import Family, family
from irattn.lab.emulator.isa.fields import ANYWHERE
from irattn.lab.emulator.isa.matrix_cycles import cycles
from irattn.lab.emulator.isa.transcendental import is_transcendental
from irattn.lab.emulator.machine.branches import CONDITIONS
from irattn.lab.emulator.machine.code import Code
from irattn.lab.emulator.measure.latencies import Latencies, Span, latencies_of
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.waits.passages import WaitStep, step_of
from irattn.lab.emulator.waits.touched import touched

_BARRIERS = ("s_barrier", "s_barrier_wait")
_BRANCHES = (*CONDITIONS, "s_branch")
_LDS = ("lgkmcnt", "dscnt")


@dataclass(frozen=True)
class _Paced:
    """A step with its pace: how long it keeps its wave, when its result is there for the vector
    unit and for the scalar unit, how long it keeps the matrix unit, and what it begins takes.
    """

    step: WaitStep
    busy: int
    result: int
    for_scalars: int
    matrix: int = 0
    access: tuple[tuple[str, Span], ...] = ()
    is_vector: bool = False
    waits_for_vectors: bool = False


def wave_cycles(code: Code, path: Sequence[int], gfx: str) -> Span:
    """The cycles of a wave that came to these blocks in this order, at the least and the most."""
    own = family(gfx)
    blocks = {start: list(_paced(code, start, own)) for start in set(path)}
    steps = [one for start in path for one in blocks[start]]
    latencies = latencies_of(own)
    return Span(*(_Wave(latencies, which).through(steps) for which in (0, 1)))


def _paced(code: Code, start: int, own: Family) -> Iterator[_Paced]:
    for instruction in code.instructions[start : code.blocks[start].stop]:
        ops = Operands(instruction, own, ANYWHERE)
        yield _pace(ops, step_of(ops, touched(ops)), latencies_of(own))


def _pace(ops: Operands, step: WaitStep, its: Latencies) -> _Paced:
    if step.instruction.kind == "matrix":
        matrix = cycles(step.instruction.name, ops.family)
        result = matrix + its.vector
        return _Paced(step, its.issue, result, result, matrix, is_vector=True)
    if step.instruction.kind == "vector":
        slow = is_transcendental(ops.name)
        result = its.transcendental if slow else its.vector
        return _Paced(step, its.issue * (4 if slow else 1), result, its.to_scalar, is_vector=True)
    if step.begins:
        return _Paced(step, 1, 0, 0, access=tuple(_accesses(step, its)))
    return _Paced(
        step,
        _busy(ops, step.instruction, its),
        its.scalar,
        its.scalar,
        waits_for_vectors=_waits_for_vectors(ops),
    )


def _accesses(step: WaitStep, its: Latencies) -> Iterator[tuple[str, Span]]:
    """The counters of what a step begins, and how long that takes."""
    words = sum(register >= 0 for register in step.writes)
    for operation in step.begins:
        if operation.order is None:
            yield operation.counter, its.scalar_load
        elif operation.counter in _LDS:
            yield operation.counter, Span(its.lds + words, its.lds + words)
        else:
            yield operation.counter, its.load


def _busy(ops: Operands, instruction: Instruction, its: Latencies) -> int:
    if instruction.name in _BARRIERS:
        return its.barrier
    if instruction.name in _BRANCHES:
        return its.branch
    if instruction.name == "s_nop":
        return ops.field("simm16") % 16 + 1
    return 0 if instruction.name == "s_delay_alu" else 1


def _waits_for_vectors(ops: Operands) -> bool:
    """Whether it waits until something that the vector unit wrote is there."""
    if ops.name not in ("s_wait_alu", "s_waitcnt_depctr"):
        return False
    mask = ops.field("simm16")
    return not (mask & 2 and mask >> 9 & 7 and mask >> 12)


class _Wave:
    """A wave at some cycle: when what it waits for is there."""

    def __init__(self, its: Latencies, which: int) -> None:
        self.its, self.which = its, which
        self.now = its.start[which]
        self.for_vectors: dict[int, int] = {}
        self.for_scalars: dict[int, int] = {}
        self.under_way: dict[str, list[int]] = {}
        self.matrix_free = self.last_vector = 0

    def through(self, steps: Sequence[_Paced]) -> int:
        """The cycle in which it has left."""
        for one in steps:
            self._take(one)
        return self.now + self.its.end

    def _take(self, one: _Paced) -> None:
        at = max(self.now, self._operands(one))
        for counter, most in one.step.waits.items():
            at = max(at, self._arrived(counter, most))
        if one.access or one.waits_for_vectors:
            at = max(at, self.last_vector + self.its.to_memory)
        if one.matrix:
            at = max(at, self.matrix_free)
            self.matrix_free = at + one.matrix
        if one.is_vector:
            self.last_vector = at
        self._begin(one, at)
        self.now = at + one.busy

    def _operands(self, one: _Paced) -> int:
        ready = self.for_vectors if one.is_vector else self.for_scalars
        return max((ready.get(register, 0) for register in one.step.reads), default=0)

    def _arrived(self, counter: str, most: int) -> int:
        """When at most so many are under way; what has come is forgotten."""
        under_way = self.under_way.get(counter, [])
        ended = under_way[: max(0, len(under_way) - most)]
        del under_way[: len(ended)]
        return max(ended, default=0)

    def _begin(self, one: _Paced, at: int) -> None:
        for counter, span in one.access:
            self.under_way.setdefault(counter, []).append(at + span[self.which])
        if not one.access:
            for register in one.step.writes:
                self.for_vectors[register] = at + one.result
                self.for_scalars[register] = at + one.for_scalars
