"""Operations under way in a wave: loads, stores and messages not waited for yet."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from irattn.binary.codeobject import Instruction, assembly


@dataclass(frozen=True, eq=False)
class Operation:
    """An operation that an instruction began, until a wait for its counter says that it has ended.

    Operations of one `order` end in the order in which they began; one of None ends at any time,
    and where it `disorders` its counter, so do the others. An operation `writes` registers when
    it ends, and `holds` those that it may still read; scalar registers are negative numbers, see
    `scalar_key`. Where it `yields`, a later operation of its order may write the same registers.
    A load from LDS has `past_barrier` what it becomes when its wave comes to a barrier before it
    has ended.
    """

    instruction: Instruction
    counter: str
    order: str | None
    writes: frozenset[int] = frozenset()
    holds: frozenset[int] = frozenset()
    disorders: bool = False
    yields: bool = False
    changes_lds: bool = False
    past_barrier: "Operation | None" = None
    is_past_barrier: bool = False

    @cached_property
    def touches(self) -> frozenset[int]:
        """All registers that it keeps from being used."""
        return self.writes | self.holds


# Each operation with the number of later ones of its counter and order: the least where a wave may
# have come here by several paths.
Underway = frozenset[tuple[Operation, int]]
NOTHING_UNDERWAY: Underway = frozenset()


@dataclass(frozen=True)
class Early:
    """An instruction that came before the wait that it needs, and what it did too early."""

    instruction: Instruction
    what: str
    counter: str
    most: int
    began: Instruction
    register: str | None = None

    def __str__(self) -> str:
        return (
            f"{self.what} before {self.began.name} at {self.began.at:#x} has ended: no wait for "
            f"{self.counter} <= {self.most} comes between"
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            **place(self.instruction),
            "what": self.what,
            "register": self.register,
            "before_the_end_of": place(self.began),
            "needs": {"counter": self.counter, "at_most": self.most},
        }


def place(instruction: Instruction) -> dict[str, Any]:
    """An instruction for JSON: where it lies, and what it is."""
    return {"at": instruction.at, "instruction": assembly(instruction)}


# What passing a basic block makes of what is under way, and what comes too early in it.
Passage = Callable[[Underway], tuple[Underway, tuple[Early, ...]]]


def either(states: Iterable[Underway]) -> Underway:
    """The operations that may be under way where paths meet."""
    distinct = set(states)
    if len(distinct) == 1:
        return distinct.pop()
    ages: dict[Operation, int] = {}
    for state in distinct:
        for operation, age in state:
            ages[operation] = min(age, ages.get(operation, age))
    return frozenset(ages.items())


def scalar_key(register: int) -> int:
    """The number of a scalar register among registers of both kinds."""
    return ~register
