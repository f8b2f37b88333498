"""A kernel's code as the machine runs it: basic blocks of functions that change waves."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from irattn.binary.codeobject import Instruction
from irattn.lab.emulator.machine.underway import Passage
from irattn.lab.emulator.machine.waves import Waves

# What one instruction does to the waves that are at it.
Action = Callable[[Waves], None]


@dataclass
class BasicBlock:
    """Instructions that execute one after the other; the last one says where to go on.

    `matrix_cycles` are those for which its matrix instructions keep their unit.
    """

    start: int
    actions: list[Action] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    flops: float = 0.0
    matrix_cycles: int = 0
    transcendental: int = 0
    end: Instruction | None = None
    target: int = -1
    # Where waits are checked.
    passage: Passage | None = None

    @property
    def after(self) -> int:
        """The number of the instruction after its end."""
        return self.start + len(self.actions) + 1

    @property
    def stop(self) -> int:
        """The number after its last instruction, be that its end or not."""
        return self.start + len(self.actions) + (self.end is not None)


@dataclass(frozen=True)
class Code:
    """A kernel that can be executed: its instructions, and the block that begins at each number."""

    instructions: tuple[Instruction, ...]
    blocks: dict[int, BasicBlock]
    entry: int
    least_lds_store: int

    def executed(self, starts: Iterable[int]) -> frozenset[int]:
        """Where the instructions of blocks lie, by what the blocks begin with."""
        places: set[int] = set()
        for start in starts:
            stop = self.blocks[start].stop
            places.update(instruction.at for instruction in self.instructions[start:stop])
        return frozenset(places)
