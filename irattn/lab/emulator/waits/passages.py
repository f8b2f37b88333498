"""Follows what is under way through basic blocks, and finds what comes before its wait."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from irattn.binary.codeobject import Instruction
from irattn.lab.emulator.isa.counters import Counters, counters_of
from irattn.lab.emulator.machine.underway import Early, Operation, Passage, Underway, scalar_key
from irattn.lab.emulator.machine.waves import EXEC, VCC
from irattn.lab.emulator.ops.effects import Touches
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.waits.operations import operations_of

# Where waves say that they have come: what they stored to LDS must be there then.
_BARRIERS = ("s_barrier", "s_barrier_signal", "s_barrier_signal_isfirst")


@dataclass(frozen=True)
class WaitStep:
    """An instruction's part in waits. Registers are numbered as in `Operation`."""

    instruction: Instruction
    reads: frozenset[int]
    writes: frozenset[int]
    waits: Mapping[str, int]
    begins: tuple[Operation, ...]
    # Where accumulation registers begin among the vector registers.
    accumulators: int | None
    # Whether others may go on when the wave has come here.
    is_barrier: bool

    @cached_property
    def touches(self) -> frozenset[int]:
        """All registers that it reads or writes."""
        return self.reads | self.writes


def step_of(ops: Operands, touches: Touches) -> WaitStep:
    """The step of an instruction that touches these registers."""
    counters = counters_of(ops.family)
    is_arithmetic = ops.instruction.kind in ("vector", "matrix")
    waits = {} if is_arithmetic else counters.waits(ops)
    # Of a register whose lanes are written one by one, the others stay.
    vectors = touches.reads | touches.lanes_written if touches.lanes_written else touches.reads
    return WaitStep(
        instruction=ops.instruction,
        reads=_keys(vectors, touches.s_reads),
        writes=_keys(touches.writes, touches.s_writes),
        waits={counter: n for counter, n in waits.items() if n < counters.most[counter]},
        begins=() if is_arithmetic else operations_of(ops, touches, counters),
        accumulators=ops.accumulators,
        is_barrier=ops.instruction.name in _BARRIERS,
    )


def _keys(vectors: frozenset[int], scalars: frozenset[int]) -> frozenset[int]:
    return vectors.union(map(scalar_key, scalars)) if scalars else vectors


def passage(steps: Sequence[WaitStep], counters: Counters) -> Passage:
    """The passage through these steps; each state is worked out once."""
    known: dict[Underway, tuple[Underway, tuple[Early, ...]]] = {}

    def passed(before: Underway) -> tuple[Underway, tuple[Early, ...]]:
        if before not in known:
            ages, early = dict(before), []
            for step in steps:
                early += _take(step, ages, counters)
            known[before] = frozenset(ages.items()), tuple(early)
        return known[before]

    return passed


def _take(step: WaitStep, ages: dict[Operation, int], counters: Counters) -> list[Early]:
    """Take a step: what is under way changes, and what comes too early is found."""
    for counter, most in step.waits.items():
        _wait(ages, counter, most)
    too_early = []
    for operation in list(ages):
        if not step.is_barrier and not step.begins and step.touches.isdisjoint(operation.touches):
            # Without a closer look: so it is nearly always.
            continue
        early = _early(step, operation, ages)
        if early is not None:
            too_early.append(early)
            # Once is enough: what follows needs the same wait.
            del ages[operation]
    if step.is_barrier:
        _come_to_barrier(ages)
    for operation in step.begins:
        _begin(ages, operation, counters)
    return too_early


def _come_to_barrier(ages: dict[Operation, int]) -> None:
    for operation in [one for one in ages if one.past_barrier is not None]:
        age, later = ages.pop(operation), operation.past_barrier
        assert later is not None
        ages[later] = min(age, ages.get(later, age))


def _wait(ages: dict[Operation, int], counter: str, most: int) -> None:
    own = [operation for operation in ages if operation.counter == counter]
    in_order = not any(operation.disorders for operation in own)
    for operation in own:
        if most == 0 or (in_order and operation.order is not None and ages[operation] >= most):
            del ages[operation]


def _begin(ages: dict[Operation, int], operation: Operation, counters: Counters) -> None:
    for other in [one for one in ages if _in_one_order(one, operation)]:
        ages[other] += 1
        # A wave waits by itself where its counter is full.
        if ages[other] >= counters.most[operation.counter]:
            del ages[other]
    ages[operation] = 0


def _in_one_order(one: Operation, other: Operation) -> bool:
    return one.counter == other.counter and one.order is not None and one.order == other.order


def _early(step: WaitStep, operation: Operation, ages: Mapping[Operation, int]) -> Early | None:
    """The accesses of a step that must not come before an operation has ended."""
    if step.is_barrier and operation.changes_lds:
        return _too_early("others may go on", None, step, operation, ages)
    if operation.is_past_barrier and any(one.changes_lds for one in step.begins):
        return _too_early("other waves, too, may write to LDS", None, step, operation, ages)
    for what, registers, until in (
        ("read of", step.reads, operation.writes),
        ("write to", step.writes, operation.writes),
        ("write to", step.writes, operation.holds),
    ):
        both = registers & until
        if both and not (what == "write to" and _follows(step, operation)):
            name = register_name(min(both, key=abs), step.accumulators)
            return _too_early(f"{what} {name}", name, step, operation, ages)
    return None


def _follows(step: WaitStep, operation: Operation) -> bool:
    """Whether what a step writes comes after what the operation writes by itself."""
    return operation.yields and any(_in_one_order(operation, one) for one in step.begins)


def _too_early(
    what: str,
    register: str | None,
    step: WaitStep,
    operation: Operation,
    ages: Mapping[Operation, int],
) -> Early:
    own = [other for other in ages if other.counter == operation.counter]
    in_order = operation.order is not None and not any(other.disorders for other in own)
    return Early(
        instruction=step.instruction,
        what=what,
        counter=operation.counter,
        most=ages[operation] if in_order else 0,
        began=operation.instruction,
        register=register,
    )


_SPECIAL = {VCC: "vcc", VCC + 1: "vcc_hi", EXEC: "exec", EXEC + 1: "exec_hi"}


def register_name(key: int, accumulators: int | None) -> str:
    """A register as people write it."""
    if key < 0:
        return _SPECIAL.get(~key, f"s{~key}")
    if accumulators is not None and key >= accumulators:
        return f"a{key - accumulators}"
    return f"v{key}"
