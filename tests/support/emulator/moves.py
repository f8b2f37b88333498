"""What loads and stores do, said from AMD's names of them in plain Python."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

MASK = 0xFFFFFFFF

# CDNA's names of what is moved.
_CDNA = {
    "byte": "b8",
    "ubyte": "u8",
    "sbyte": "i8",
    "short": "b16",
    "ushort": "u16",
    "sshort": "i16",
    "dword": "b32",
    "dwordx2": "b64",
    "dwordx3": "b96",
    "dwordx4": "b128",
    "dwordx8": "b256",
    "dwordx16": "b512",
}
# Names of fields on RDNA4, where they differ.
_RDNA4 = {"offset": "ioffset", "addr": "vaddr", "data": "vsrc", "srsrc": "rsrc"}


@dataclass(frozen=True)
class Move:
    """A load or store: bytes at each address, whether they have a sign, and the register's half.

    `strides` is there for two addresses: how many bytes a unit of each offset stands for.
    """

    is_load: bool
    size: int
    signed: bool
    half: int | None
    strides: int | None


def move_of(name: str) -> Move | None:
    """What a name says; None where it says something else than a plain load or store."""
    verb, *words = name.split("_")[1:]
    way = re.fullmatch(r"(load|read|store|write)(2)?(st64)?", verb)
    if way is None:
        return None
    marks = {word for word in words if word in ("d16", "hi", "2addr", "stride64")}
    kinds = [_CDNA.get(word, word) for word in words if word not in marks]
    kind = re.fullmatch(r"([biu])(\d+)", kinds[0]) if len(kinds) == 1 else None
    if kind is None:
        return None
    size = int(kind[2]) // 8
    strides = None
    if way[2] or "2addr" in marks:
        strides = 64 * size if way[3] or "stride64" in marks else size
    half = int("hi" in marks) if "d16" in marks else None
    return Move(way[1] in ("load", "read"), size, kind[1] == "i", half, strides)


def carry_out(
    move: Move, memory: np.ndarray, registers: np.ndarray, at: int, register: int, limit: int
) -> None:
    """What one lane does with one address: changes its registers, uint32, or memory, uint8.

    What has several words moves each of them if it lies below the limit; otherwise a load gives 0.
    """
    unit = min(move.size, 4)
    shift = 16 * (move.half or 0)
    for i in range(0, move.size, unit):
        place, own = slice(at + i, at + i + unit), register + i // 4
        before = int(registers[own])
        if not move.is_load:
            if place.stop <= limit:
                memory[place] = list((before >> shift).to_bytes(4, "little")[:unit])
            continue
        raw = bytes(memory[place]) if place.stop <= limit else bytes(unit)
        number = int.from_bytes(raw, "little", signed=move.signed)
        if move.half is None:
            registers[own] = number & MASK
        else:
            registers[own] = before & ~(0xFFFF << shift) | (number & 0xFFFF) << shift


@dataclass(frozen=True)
class Word:
    """An instruction given by its bits."""

    raw: int
    size: int

    def to_bytes(self) -> bytes:
        return self.raw.to_bytes(self.size, "little")


def word(opcode: Any, **fields: int) -> Word:
    """An opcode with these fields, under the names that they have on RDNA3."""
    layout = dict(opcode.encoding._fields)
    raw = opcode.raw
    for name, value in fields.items():
        field = layout[name if name in layout else _RDNA4[name]]
        raw = raw & ~(field.mask << field.lo) | (value & field.mask) << field.lo
    return Word(raw, opcode.size)
