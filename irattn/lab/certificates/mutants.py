"""Changes single instructions of compiled kernels, to see whether anybody notices.

Every other mutant is a deletion; the rest flip a bit, so that another instruction comes out that
the emulator executes too. Not changed, because no result can tell:

- instructions that no wave comes to on the inputs;
- waits, delays, clauses, padding and the early release of registers: they are about time only;
- jumps over code in which no lane is active, which are not deleted: the code does nothing then;
- cache hints, and operands that an instruction has no use for.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irattn.binary.codeobject import (
    Instruction,
    KernelCode,
    assembly,
    instructions,
    read_code_object,
)
from irattn.core.errors import ArtifactError
from irattn.lab.emulator import Counts, executes
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.isa.fields import ANYWHERE
from irattn.lab.emulator.machine.schedule import ends_block
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.ops.registry import effect_of

# A mutant that executes so many times the basic blocks of the program hangs.
_HANGS = 10

_NOP = (0xBF800000).to_bytes(4, "little")
_TIMING = ("s_wait", "s_delay_alu", "s_clause", "s_nop", "s_sendmsg", "s_set_inst", "s_code_end")
_HINTS = ("glc", "slc", "dlc", "scope", "th", "nv")
_OPERANDS = ("VGPRField", "SGPRField", "SrcField", "SSrcField", "VDSTYField", "SRsrcField")


@dataclass(frozen=True)
class InstructionPlace:
    """One instruction of a program."""

    file: str
    kernel: KernelCode
    instruction: Instruction


@dataclass(frozen=True)
class Mutant:
    """Code objects, and other files, of which one instruction was deleted or altered."""

    place: InstructionPlace
    what: str
    code: bytes
    files: dict[str, bytes]

    def __str__(self) -> str:
        old = self.place.instruction
        return f"{old.at:#06x} {assembly(old)}: {self.what}"


def most_blocks(counts: Iterable[Counts]) -> int:
    """After how many blocks a launch of a mutant hangs, by what the program's launches executed."""
    return _HANGS * max(one.blocks for one in counts)


class MutableCode:
    """The files of a program with the places in them that can be changed.

    `reached` gives where waves came to in each kernel, as offsets into its code.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        target: str,
        reached: Callable[[], Mapping[str, Collection[int]]],
    ) -> None:
        self.files, self.target, self._reached = dict(files), target, reached

    @cached_property
    def places(self) -> list[InstructionPlace]:
        """All instructions up to the end, those that only wait left out."""
        return [
            InstructionPlace(file, kernel, instruction)
            for file, data in self.files.items()
            if data.startswith(b"\x7fELF")
            for kernel in read_code_object(data).kernels
            for instruction in until_the_end(kernel, self.target)
            if not instruction.name.startswith(_TIMING)
        ]

    @cached_property
    def executed(self) -> list[InstructionPlace]:
        """The instructions that some wave comes to on some inputs."""
        reached = self._reached()
        return [p for p in self.places if p.instruction.at in reached.get(p.kernel.name, ())]

    def without(self, place: InstructionPlace) -> Mutant:
        """The program with an instruction deleted."""
        return self.changed(place, "deleted", _NOP * (place.instruction.size // 4))

    def mutants(self, count: int, seed: int) -> Iterator[Mutant]:
        """Mutants at random places."""
        rng = np.random.default_rng(seed)
        for i in range(count):
            altered = None
            while altered is None:
                place = self.executed[rng.integers(len(self.executed))]
                if i % 2:
                    altered = self._altered(place, rng)
                elif not _only_skips(place.instruction):
                    altered = self.without(place)
            yield altered

    def _altered(self, place: InstructionPlace, rng: np.random.Generator) -> Mutant | None:
        """The program with a bit of an instruction flipped; None where no such bit was found."""
        old = place.instruction
        for bit in rng.permutation(8 * old.size):
            name = _field(old, int(bit))
            if name is None or name in _HINTS or old.name.startswith("s_barrier"):
                continue
            raw = (old.raw ^ 1 << int(bit)).to_bytes(old.size, "little")
            mutant = self.changed(place, f"bit {bit} of {name} flipped", raw)
            new = decoded(mutant, self.target)
            if new is None or new.size != old.size:
                continue
            if _is_used(old, name, self.target) and executes(new, self.target):
                what = f"{mutant.what}, now {assembly(new)}"
                return Mutant(place, what, mutant.code, mutant.files)
        return None

    def changed(self, place: InstructionPlace, what: str, raw: bytes) -> Mutant:
        """The program with other bytes where an instruction begins."""
        elf, code = self.files[place.file], place.kernel.code
        at = place.instruction.at
        start = elf.index(code) + at
        changed = elf[:start] + raw + elf[start + len(raw) :]
        code = code[:at] + raw + code[at + len(raw) :]
        return Mutant(place, what, code, {**self.files, place.file: changed})


def until_the_end(kernel: KernelCode, target: str) -> list[Instruction]:
    """The instructions of a kernel before its last end."""
    decoded_code = list(instructions(kernel.code, target))
    last = max(i for i, instruction in enumerate(decoded_code) if instruction.name == "s_endpgm")
    return decoded_code[:last]


def _only_skips(instruction: Instruction) -> bool:
    """Whether it jumps forward where no lane is active."""
    target = instruction.branch_target
    return instruction.name == "s_cbranch_execz" and target is not None and target > instruction.at


def _field(instruction: Instruction, bit: int) -> str | None:
    """The field of an instruction that a bit belongs to."""
    for name, field in instruction.encoding._fields:
        if field.lo <= bit < field.lo + field.mask.bit_length():
            return None if type(field).__name__ == "FixedBitField" else str(name)
    return None


def decoded(mutant: Mutant, target: str) -> Instruction | None:
    """The instruction that stands in the place of the old one; None where there is none."""
    try:
        rest = instructions(mutant.code[mutant.place.instruction.at :], target)
        first = next(rest)
        assembly(first)  # which refuses operands that there are not
    except ArtifactError:
        return None
    at = mutant.place.instruction.at
    return replace(first, at=at)


def _is_used(instruction: Instruction, name: str, target: str) -> bool:
    """Whether a field is no operand, or one that the instruction looks at."""
    field = dict(instruction.encoding._fields)[name]
    if type(field).__name__ not in _OPERANDS or ends_block(instruction.name):
        return True
    asked = set()

    class Asked(Operands):
        def field(self, name: str, default: int = 0) -> int:
            asked.add(name)
            return super().field(name, default)

    its = family(target)
    effect_of(Asked(instruction, its, ANYWHERE))
    return name in asked or its.fields.get(name) in asked
