"""Mutated machine code: bytes, tables and notes of code objects, and the modules that hold them."""

import io
import random
import struct
from typing import Any

import msgpack
from elftools.elf.elffile import ELFFile

# What counts and places are taken for.
NUMBERS = (0, 1, 3, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40, (1 << 64) - 1)
VALUES = (
    *(None, True, 0, -1, 2.5, float("nan"), 1 << 32, (1 << 64) - 1, "", "x" * 5000, "gfx942"),
    *(b"\xff", [], {}, [[]], {"a": 1}, msgpack.Timestamp(1), "\x1b[31m", "hidden_group_size_q"),
)
# Offset and bytes of the fields of an ELF's header, of a section, a segment and a symbol.
HEADER = ((16, 2), (18, 2), (32, 8), (40, 8), (54, 2), (56, 2), (58, 2), (60, 2), (62, 2))
SECTION = ((0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 4), (56, 8))
SEGMENT = ((0, 4), (8, 8), (16, 8), (32, 8), (40, 8))
SYMBOL = ((0, 4), (4, 1), (6, 2), (8, 8), (16, 8))


def flipped(rng: random.Random, elf: bytes) -> bytes:
    data = bytearray(elf)
    for _ in range(rng.choice((1, 2, 8, 32))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def cut(rng: random.Random, elf: bytes) -> bytes:
    return elf[: rng.randrange(len(elf))]


def lies_in_a_table(rng: random.Random, elf: bytes) -> bytes:
    """One number of the header, a section, a segment or a symbol says something else."""
    parsed: Any = ELFFile(io.BytesIO(elf))
    symbols = parsed.get_section_by_name(".symtab") or parsed.get_section_by_name(".dynsym")
    start, step, count, fields = rng.choice(
        (
            (0, 0, 1, HEADER),
            (parsed["e_shoff"], 64, parsed["e_shnum"], SECTION),
            (parsed["e_phoff"], 56, parsed["e_phnum"], SEGMENT),
            (symbols["sh_offset"], 24, symbols["sh_size"] // 24, SYMBOL),
        )
    )
    at, size = rng.choice(fields)
    at += start + step * rng.randrange(count)
    number = rng.choice(NUMBERS) & ((1 << 8 * size) - 1)
    return elf[:at] + number.to_bytes(size, "little") + elf[at + size :]


def wrong_code(rng: random.Random, elf: bytes) -> bytes:
    return _changed(rng, elf, ".text", 4)


def wrong_descriptor(rng: random.Random, elf: bytes) -> bytes:
    return _changed(rng, elf, ".rodata", 1)


def wrong_note_bytes(rng: random.Random, elf: bytes) -> bytes:
    return _changed(rng, elf, ".note", 1)


def _changed(rng: random.Random, elf: bytes, name: str, size: int) -> bytes:
    section: Any = ELFFile(io.BytesIO(elf)).get_section_by_name(name)
    at = section["sh_offset"] + size * rng.randrange(section["sh_size"] // size)
    return elf[:at] + rng.randbytes(size) + elf[at + size :]


def wrong_note(rng: random.Random, elf: bytes) -> bytes:
    """A field of the note is missing, more, or of another kind."""
    parsed: Any = ELFFile(io.BytesIO(elf))
    data = parsed.get_section_by_name(".note").data()
    (size,) = struct.unpack_from("<I", data, 4)
    note = _edited(rng, msgpack.unpackb(data[20 : 20 + size]))
    return with_note(elf, msgpack.packb(note))


def with_note(elf: bytes, note: bytes) -> bytes:
    """The code object with another note, behind all else."""
    parsed: Any = ELFFile(io.BytesIO(elf))
    entry = parsed["e_shoff"] + 64 * parsed.get_section_index(".note")
    section = struct.pack("<III", 7, len(note), 32) + b"AMDGPU\0\0" + note
    place = struct.pack("<QQ", len(elf), len(section))
    return elf[: entry + 24] + place + elf[entry + 40 :] + section


def _edited(rng: random.Random, value: Any) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        rest = {name: one for name, one in value.items() if name != key}
        return rest if rng.random() < 0.15 else {**rest, key: _edited(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], _edited(rng, value[at]), *value[at + 1 :]]
    return rng.choice(VALUES)


MUTATIONS = (
    *(flipped, cut, lies_in_a_table, lies_in_a_table, lies_in_a_table),
    *(wrong_code, wrong_descriptor, wrong_note_bytes, wrong_note, wrong_note, wrong_note),
)


def module_mutant(rng: random.Random, vmfb: bytes, part: bytes) -> bytes:
    """A module with some bytes of a part changed."""
    at, changed = vmfb.index(part), bytearray(part)
    for _ in range(rng.choice((1, 2, 4, 8))):
        changed[rng.randrange(len(part))] = rng.choice((0, 1, 0x80, 0xFF, rng.randrange(256)))
    return vmfb[:at] + bytes(changed) + vmfb[at + len(part) :]
