"""Hazards: instructions that need others between them, as hardware does not look itself.

From LLVM's `GCNHazardRecognizer` and AMD's guides. What only delays, as S_DELAY_ALU tells, is none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from irattn.binary.codeobject import Instruction
from irattn.lab.emulator.machine.underway import place
from irattn.lab.emulator.waits.sites import Site
from irattn.lab.emulator.waits.touched import Keys

# Of two instructions, how many wait states must lie between them for each register.
Needs = Callable[[Site, Site], int]


@dataclass(frozen=True)
class Rule:
    """A hazard: what one instruction does to registers `before` another one does `after`.

    What lies between `counts`, until that is `enough`; or it `ends` the hazard at once. `remedy`
    says what would do.
    """

    what: str
    before: Callable[[Site], Keys]
    after: Callable[[Site], Keys]
    states: int
    needs: Needs | None = None
    counts: Callable[[Site], int] = lambda site: site.states
    ends: Callable[[Site], bool] = lambda site: False
    remedy: str = "{} more wait states, as of s_nop"

    def needed(self, producer: Site, consumer: Site) -> int:
        """How much must lie between two instructions that share a register."""
        return self.states if self.needs is None else self.needs(producer, consumer)

    def lacks(self, needed: int, between: int) -> int:
        """How much is missing of what is `needed`, where `between` lies between the two."""
        return needed - between


@dataclass(frozen=True)
class Hazard:
    """An instruction that comes too soon after another one."""

    instruction: Instruction
    what: str
    register: str
    began: Instruction
    remedy: str

    def __str__(self) -> str:
        return (
            f"{self.register} too soon after {self.began.name} at {self.began.at:#x} "
            f"({self.what}): it needs {self.remedy} between"
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            **place(self.instruction),
            "what": self.what,
            "register": self.register,
            "too_soon_after": place(self.began),
            "needs": self.remedy,
        }


def hazards(
    sites: Sequence[Site],
    before: Sequence[Sequence[int]],
    rules: Sequence[Rule],
    name_of: Callable[[int], str],
) -> Iterator[Hazard]:
    """The hazards in code; `before` are the numbers of what may come before each instruction."""
    for number, consumer in enumerate(sites):
        for rule in rules:
            wanted = rule.after(consumer)
            if wanted:
                yield from _of_rule(rule, number, wanted, sites, before, name_of)


def _of_rule(
    rule: Rule,
    number: int,
    wanted: Keys,
    sites: Sequence[Site],
    before: Sequence[Sequence[int]],
    name_of: Callable[[int], str],
) -> Iterator[Hazard]:
    """Walk back from an instruction, on all paths, as far as the rule reaches."""
    seen: dict[int, int] = {}
    todo = [(one, 0) for one in before[number]]
    while todo:
        at, between = todo.pop()
        if seen.get(at, between + 1) <= between:
            continue
        seen[at] = between
        producer, consumer = sites[at], sites[number]
        both = wanted & rule.before(producer)
        if both:
            lacks = rule.lacks(rule.needed(producer, consumer), between)
            if lacks > 0:
                yield Hazard(
                    consumer.ops.instruction,
                    rule.what,
                    name_of(min(both, key=abs)),
                    producer.ops.instruction,
                    rule.remedy.format(lacks),
                )
        further = between + rule.counts(producer)
        if rule.lacks(rule.states, further) > 0 and not rule.ends(producer):
            todo += [(one, further) for one in before[at]]
