"""Puts instructions together to a code object, as a compiler for HIP would write it."""

import struct
from collections.abc import Sequence
from typing import Any

import msgpack

from support.emulator.machine import TABLES

# What the loader and the debugger know machines and targets by.
_AMD_GPU, _HSA = 224, 64
_PROGBITS, _SYMTAB, _STRTAB, _NOTE = 1, 2, 3, 7
_HEADER, _SECTION, _PROGRAM, _SYMBOL = 64, 64, 56, 24
_KERNARG_AND_WAVE32, _KERNARG = 1 << 3 | 1 << 10, 1 << 3


def assembled(
    name: str,
    gfx: str,
    instructions: Sequence[Any],
    arguments: Sequence[tuple[str, int]],
    *,
    vgprs: int = 16,
    features: str = "",
    flags: int | None = None,
) -> bytes:
    """An ELF with one kernel; `arguments` are kinds, as `global_buffer`, and sizes.

    With `flags` for its header it is one of version 3, as an assembler writes it: the note says no
    target, and no symbol the size of the code.

    The kernel finds the address of its arguments in s[0:1], and its workgroup in s2 (before RDNA4).
    """
    code = b"".join(one.to_bytes() for one in (*instructions, TABLES[gfx].s_endpgm()))
    wide = gfx.startswith("gfx9")
    # Denormals as they are, clamps that make NaN 0; two user SGPRs and the workgroup's x.
    rsrc1 = 0xF << 16 | (0 if gfx.startswith("gfx12") else 1 << 21)
    properties = _KERNARG if wide else _KERNARG_AND_WAVE32
    descriptor = struct.pack("<44xIIIHH4x", 0, rsrc1, 2 << 1 | 1 << 7, properties, 0)
    target = {} if flags is not None else {"amdhsa.target": f"amdgcn-amd-amdhsa--{gfx}{features}"}
    note = _note(name, target, arguments, vgprs, 64 if wide else 32)
    return _elf(name, code, descriptor, note, flags)


def _note(
    name: str, target: dict[str, str], arguments: Sequence[tuple[str, int]], vgprs: int, lanes: int
) -> bytes:
    offset, given = 0, []
    for kind, size in arguments:
        offset += -offset % size
        given.append({".offset": offset, ".size": size, ".value_kind": kind})
        offset += size
    kernel = {
        ".name": name,
        ".symbol": f"{name}.kd",
        ".args": given,
        ".kernarg_segment_size": offset,
        ".kernarg_segment_align": 8,
        ".vgpr_count": vgprs,
        ".sgpr_count": 16,
        ".wavefront_size": lanes,
        ".group_segment_fixed_size": 0,
        ".private_segment_fixed_size": 0,
        ".max_flat_workgroup_size": 256,
    }
    version = [1, 1] if target else [1, 0]
    data = msgpack.packb(target | {"amdhsa.version": version, "amdhsa.kernels": [kernel]})
    owner = b"AMDGPU\0\0"
    return struct.pack("<III", 7, len(data), 32) + owner + data + bytes(-len(data) % 4)


def _elf(name: str, code: bytes, descriptor: bytes, note: bytes, flags: int | None) -> bytes:
    names = b"\0" + name.encode() + b"\0" + name.encode() + b".kd\0"
    sections: list[tuple[str, int, bytes]] = [
        (".note", _NOTE, note),
        (".rodata", _PROGBITS, descriptor),
        (".text", _PROGBITS, code),
        (".symtab", _SYMTAB, b""),
        (".strtab", _STRTAB, names),
    ]
    places, at = {}, _HEADER + _PROGRAM
    for label, _, data in sections:
        at += -at % 256
        places[label] = at
        at += 3 * _SYMBOL if label == ".symtab" else len(data)
    size = len(code) if flags is None else 0
    symbols = bytes(_SYMBOL) + struct.pack("<IBBHQQ", 1, 2, 0, 3, places[".text"], size)
    symbols += struct.pack("<IBBHQQ", len(name) + 2, 1, 0, 2, places[".rodata"], len(descriptor))
    sections[3] = (".symtab", _SYMTAB, symbols)
    labels = b"\0" + b"\0".join(label.encode() for label, *_ in sections) + b"\0.shstrtab\0"
    places[".shstrtab"] = at
    sections.append((".shstrtab", _STRTAB, labels))
    table = at + len(labels) + -(at + len(labels)) % 8
    ident = b"\x7fELF" + bytes((2, 1, 1, _HSA, 3)) + bytes(7)
    header = ident + struct.pack(
        "<HHIQQQIHHHHHH",
        *(3, _AMD_GPU, 1, 0, _HEADER, table, flags or 0, _HEADER, _PROGRAM, 1, _SECTION),
        *(len(sections) + 1, len(sections)),
    )
    image = bytearray(table) + bytes(_SECTION)
    image[:_HEADER] = header
    image[_HEADER : _HEADER + _PROGRAM] = struct.pack(
        "<IIQQQQQQ", 1, 5, 0, 0, 0, table, table, 4096
    )
    for label, kind, data in sections:
        image[places[label] : places[label] + len(data)] = data
        link = 5 if kind == _SYMTAB else 0
        entry = _SYMBOL if kind == _SYMTAB else 0
        flags = 6 if label == ".text" else 2 if kind in (_NOTE, _PROGBITS) else 0
        where = places[label] if flags else 0
        image += struct.pack(
            "<IIQQQQIIQQ",
            *(labels.index(label.encode() + b"\0"), kind, flags, where, places[label]),
            *(len(data), link, 0, 4, entry),
        )
    return bytes(image)
