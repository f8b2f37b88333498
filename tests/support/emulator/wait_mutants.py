"""Takes single waits out of compiled kernels, or weakens them, to see who notices."""

from collections.abc import Iterator
from dataclasses import replace

from irattn.binary.codeobject import Instruction, read_code_object
from irattn.core.errors import EmulatorError
from irattn.lab.certificates.mutants import InstructionPlace, Mutant, until_the_end
from irattn.lab.emulator.isa.counters import counters_of
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.isa.fields import Fields
from irattn.lab.emulator.measure.waits import missing_waits
from support.emulator.mutants import Program

# Counters in the constant of a wait, as AMD's guides draw it: pieces of bits from low to high,
# each with its place and how many there are.
_GFX9 = {"vmcnt": ((0, 4), (14, 2)), "expcnt": ((4, 3),), "lgkmcnt": ((8, 4),)}
_GFX11 = {"expcnt": ((0, 3),), "lgkmcnt": ((4, 6),), "vmcnt": ((10, 6),)}
_TWO = {
    "s_wait_loadcnt_dscnt": {"loadcnt": ((8, 6),), "dscnt": ((0, 6),)},
    "s_wait_storecnt_dscnt": {"storecnt": ((8, 6),), "dscnt": ((0, 6),)},
}
# S_NOP for more than one wait state; one takes one itself.
_LONG_NOPS = range(0xBF800001, 0xBF800010)
_WAITS_FOR_UNITS = ("s_waitcnt_depctr", "s_wait_alu")
# What an error says that comes of a missing wait.
TOO_EARLY = "has ended: no wait for"


def waits(program: Program) -> list[InstructionPlace]:
    """The waits for counters in a program."""
    return [place for place in _places(program) if _waited(place.instruction, program.target)]


def is_reached(program: Program, place: InstructionPlace) -> bool:
    """Whether waves come to an instruction: not to loads of arguments that are there already."""
    return any(
        place.instruction.at in counts.executed
        for counts in program.runs["normal"].counts
        if counts.kernel == place.kernel.name
    )


def wait_mutants(program: Program, place: InstructionPlace) -> Iterator[Mutant]:
    """The program without a wait, without one of its counters, and with one that waits for less."""
    old = place.instruction
    waited = _waited(old, program.target)
    yield program.without(place)
    for counter, least in waited.items():
        most = counters_of(family(program.target)).most[counter]
        changes = {"waited for one less": least + 1, "not waited for": most}
        if least + 1 == most or len(waited) == 1:
            del changes["not waited for"]
        for what, number in changes.items():
            raw = _with(old, program.target, counter, number).to_bytes(old.size, "little")
            yield program.changed(place, f"{counter} {what}", raw)


def padding(program: Program) -> list[InstructionPlace]:
    """Instructions that only keep others apart."""
    return [
        place
        for place in _places(program)
        if place.instruction.name in _WAITS_FOR_UNITS or place.instruction.raw in _LONG_NOPS
    ]


def without_padding(program: Program, place: InstructionPlace) -> Mutant:
    """The program with one wait state less, or without a wait for results."""
    raw = place.instruction.raw
    if raw not in _LONG_NOPS:
        return program.without(place)
    return program.changed(place, "one wait state less", (raw - 1).to_bytes(4, "little"))


def _places(program: Program) -> Iterator[InstructionPlace]:
    for file, data in program.files.items():
        if data.startswith(b"\x7fELF"):
            for kernel in read_code_object(data).kernels:
                for instruction in until_the_end(kernel, program.target):
                    yield InstructionPlace(file, kernel, instruction)


def _waited(instruction: Instruction, target: str) -> dict[str, int]:
    own = family(target)
    counters = counters_of(own)
    found = counters.waits(Fields(instruction, own))
    return {counter: n for counter, n in found.items() if n < counters.most[counter]}


def _with(wait: Instruction, target: str, counter: str, number: int) -> int:
    """A wait as an instruction word, with another number for a counter."""
    layout = _TWO.get(wait.name, {counter: ((0, 6),)})
    if wait.name == "s_waitcnt":
        layout = _GFX9 if target.startswith("gfx9") else _GFX11
    raw = wait.raw
    for place, bits in layout[counter]:
        mask = (1 << bits) - 1
        raw = raw & ~(mask << place) | (number & mask) << place
        number >>= bits
    return raw


def by_static(program: Program, mutant: Mutant) -> bool:
    """Whether the code itself shows that a wait is missing."""
    changed = replace(mutant.place.kernel, code=mutant.code)
    return bool(missing_waits(changed, program.target))


def by_execution(program: Program, mutant: Mutant) -> bool:
    """Whether the emulator stops for it on normal inputs."""
    try:
        program.run("normal", mutant.files)
    except EmulatorError as error:
        if TOO_EARLY not in str(error):
            raise
        return True
    return False
