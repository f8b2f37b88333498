"""Where control goes in a kernel's code."""

from dataclasses import dataclass

from irattn.binary.codeobject import Instruction, instructions
from irattn.core.errors import ArtifactError
from irattn.lab.emulator.machine.schedule import ends_block

# After these, control does not come to the next instruction.
_LEAVES = ("s_endpgm", "s_branch", "s_setpc_b64")


@dataclass(frozen=True)
class Flow:
    """A kernel's instructions, by number, and the numbers where basic blocks begin.

    `first` is where waves start; what control cannot come to is in no block: after the end, code is
    padded.
    """

    instructions: tuple[Instruction, ...]
    numbers: dict[int, int]
    first: int
    starts: frozenset[int]

    def target(self, instruction: Instruction) -> int:
        """Where a branch goes; -1 where it has no target, or one that is no instruction."""
        return _target(instruction, self.numbers)

    def block(self, start: int) -> tuple[Instruction, ...]:
        """The instructions of the block that begins at a number, its end with them."""
        return self.instructions[start : self._end(start)]

    def followers(self, start: int) -> list[int]:
        """The blocks that may come after one."""
        end = self._end(start)
        last = self.instructions[end - 1]
        places = {self.target(last)} if ends_block(last.name) else {end}
        if last.name not in _LEAVES:
            places.add(end)
        return sorted(places & self.starts)

    def _end(self, start: int) -> int:
        """The number after the last instruction of a block."""
        for i in range(start, len(self.instructions)):
            name = self.instructions[i].name
            if i + 1 in self.starts or ends_block(name) or name in _LEAVES:
                return i + 1
        return len(self.instructions)


def read_flow(code: bytes, gfx: str, entry: int) -> Flow:
    """The flow of code that begins at the byte `entry`; ArtifactError where that is none."""
    decoded = tuple(instructions(code, gfx))
    numbers = {instruction.at: i for i, instruction in enumerate(decoded)}
    if entry not in numbers:
        raise ArtifactError(f"its code has no instruction at {entry:#x}, where it begins")
    first = numbers[entry]
    starts = {first}
    for i, instruction in enumerate(decoded):
        if ends_block(instruction.name):
            starts |= {i + 1, _target(instruction, numbers)}
    return Flow(decoded, numbers, first, frozenset(starts & _reached(decoded, numbers, first)))


def _target(instruction: Instruction, numbers: dict[int, int]) -> int:
    at = instruction.branch_target
    return -1 if at is None else numbers.get(at, -1)


def _reached(decoded: tuple[Instruction, ...], numbers: dict[int, int], first: int) -> set[int]:
    """Instructions that control can come to."""
    reached: set[int] = set()
    todo = [first]
    while todo:
        i = todo.pop()
        while i < len(decoded) and i not in reached and i >= 0:
            reached.add(i)
            todo.append(_target(decoded[i], numbers))
            if decoded[i].name in _LEAVES:
                break
            i += 1
    return reached
