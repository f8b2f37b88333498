"""Changes single instructions of compiled kernels, to see whether the emulator notices."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from irattn.codeobject import Instruction, Kernel, instructions, read_code_object
from irattn.vmfb import Program, read_hip_executable

_NOP = (0xBF800000).to_bytes(4, "little")
# Not seen by design: timing only. What follows the end only pads.
_TIMING = ("s_waitcnt", "s_delay_alu", "s_clause", "s_nop", "s_sendmsg", "s_set_inst", "s_code_end")


@dataclass(frozen=True)
class Mutant:
    """A program of which one instruction was deleted or altered."""

    kernel: str
    instruction: Instruction
    what: str
    program: Program


def mutants(program: Program, gfx: str, count: int, seed: int) -> Iterator[Mutant]:
    """Mutants at random places; every other one is a deletion, the rest flip a bit."""
    rng = np.random.default_rng(seed)
    places = [
        (number, kernel, instruction)
        for number, executable in enumerate(program.executables)
        for elf in read_hip_executable(executable.data)[1]
        for kernel in read_code_object(elf).kernels
        for instruction in _until_the_end(kernel, gfx)
        if not instruction.name.startswith(_TIMING)
    ]
    for i in range(count):
        number, kernel, instruction = places[rng.integers(len(places))]
        if i % 2 == 0:
            what, raw = "deleted", _NOP * (instruction.size // 4)
        else:
            bit = int(rng.integers(min(8 * instruction.size, 24)))
            what = f"bit {bit} flipped"
            raw = (instruction.raw ^ 1 << bit).to_bytes(instruction.size, "little")
        yield Mutant(
            kernel.name, instruction, what, _with(program, number, kernel, instruction, raw)
        )


def _until_the_end(kernel: Kernel, gfx: str) -> Iterator[Instruction]:
    found = list(instructions(kernel.code, gfx))
    last = max(i for i, instruction in enumerate(found) if instruction.name == "s_endpgm")
    return iter(found[:last])


def _with(
    program: Program, number: int, kernel: Kernel, instruction: Instruction, raw: bytes
) -> Program:
    executable = program.executables[number]
    start = executable.data.index(kernel.code) + instruction.at
    data = executable.data[:start] + raw + executable.data[start + len(raw) :]
    changed = list(program.executables)
    changed[number] = replace(executable, data=data)
    return replace(program, executables=tuple(changed))
