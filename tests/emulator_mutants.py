"""Changes single instructions of compiled kernels, to see whether the emulator notices."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from irattn.codeobject import Instruction, Kernel, instructions, read_code_object

_NOP = (0xBF800000).to_bytes(4, "little")
# Not seen by design: timing only. What follows the end only pads.
_TIMING = ("s_wait", "s_delay_alu", "s_clause", "s_nop", "s_sendmsg", "s_set_inst", "s_code_end")


@dataclass(frozen=True)
class Mutant:
    """Code objects, and other files, of which one instruction was deleted or altered."""

    kernel: str
    instruction: Instruction
    what: str
    files: dict[str, bytes]


def mutants(files: Mapping[str, bytes], gfx: str, count: int, seed: int) -> Iterator[Mutant]:
    """Mutants at random places; every other one is a deletion, the rest flip a bit."""
    rng = np.random.default_rng(seed)
    places = [
        (file, kernel, instruction)
        for file, data in files.items()
        if data.startswith(b"\x7fELF")
        for kernel in read_code_object(data).kernels
        for instruction in _until_the_end(kernel, gfx)
        if not instruction.name.startswith(_TIMING)
    ]
    for i in range(count):
        file, kernel, instruction = places[rng.integers(len(places))]
        if i % 2 == 0:
            what, raw = "deleted", _NOP * (instruction.size // 4)
        else:
            bit = int(rng.integers(min(8 * instruction.size, 24)))
            what = f"bit {bit} flipped"
            raw = (instruction.raw ^ 1 << bit).to_bytes(instruction.size, "little")
        changed = _with(files[file], kernel, instruction, raw)
        yield Mutant(kernel.name, instruction, what, {**files, file: changed})


def _until_the_end(kernel: Kernel, gfx: str) -> Iterator[Instruction]:
    found = list(instructions(kernel.code, gfx))
    last = max(i for i, instruction in enumerate(found) if instruction.name == "s_endpgm")
    return iter(found[:last])


def _with(elf: bytes, kernel: Kernel, instruction: Instruction, raw: bytes) -> bytes:
    start = elf.index(kernel.code) + instruction.at
    return elf[:start] + raw + elf[start + len(raw) :]
