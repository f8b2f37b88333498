"""Reads an AMDGPU ELF: its gfx, and its kernels with code, descriptor and resources."""

import functools
import io
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from irattn.binary.codeobject.note import KernelArgument, KernelNote, read_note
from irattn.binary.codeobject.processors import processor_of
from irattn.core.errors import ArtifactError, printable

DESCRIPTOR_BYTES = 64

# Far more than code objects take in memory, so that a wrong address is not taken for a size.
_MOST_IMAGE_BYTES = 1 << 28

# What the library raises when the tables of a file are not what they should be.
_DAMAGE = (
    *(ELFError, struct.error, zlib.error, AttributeError, LookupError, ArithmeticError, OSError),
    *(TypeError, ValueError, RecursionError),
)


@dataclass(frozen=True)
class KernelCode:
    """One kernel: machine code, the 64-byte kernel descriptor, and what its note says.

    `address` is where the code lies in the loaded image. `numbers` has the note's, by key.
    """

    name: str
    address: int
    code: bytes
    descriptor: bytes
    numbers: Mapping[str, int]
    arguments: tuple[KernelArgument, ...] = ()
    symbol: str = ""
    required_workgroup: tuple[int, int, int] | None = None

    def number(self, key: str) -> int:
        """A number of the note, 0 where it is not there."""
        return self.numbers.get(key, 0)


@dataclass(frozen=True)
class CodeObject:
    """An AMDGPU ELF. `segments` are the parts of the image to load, by address."""

    gfx: str
    kernels: tuple[KernelCode, ...]
    segments: tuple[tuple[int, bytes], ...]


@dataclass(frozen=True)
class _Section:
    address: int
    offset: int
    size: int


@dataclass(frozen=True)
class _Symbol:
    section: object
    address: int
    size: int


@dataclass(frozen=True)
class _Tables:
    """The tables of an ELF file; whether the file has what they name is not yet known."""

    machine: str
    flags: int
    notes: _Section | None
    sections: tuple[_Section, ...]
    symbols: Mapping[str, _Symbol]
    # Address, offset, bytes in the file and in memory.
    segments: tuple[tuple[int, int, int, int], ...]

    @property
    def is_for_amd(self) -> bool:
        return self.machine == "EM_AMDGPU"


# What describes launches reads it, and whatever carries them out; modules may share one.
@functools.lru_cache(maxsize=16)
def read_code_object(data: bytes) -> CodeObject:
    """The kernels of an AMDGPU ELF; ArtifactError where it is damaged or of another machine."""
    try:
        tables = _tables(data)
        if tables.is_for_amd:
            note = read_note(_bytes_of(data, tables.notes, "its notes"))
            kernels = tuple(_kernel(data, tables, one) for one in note.kernels)
            gfx = note.gfx or _processor(tables)
            return CodeObject(gfx, kernels, tuple(_loaded(data, tables)))
    except ArtifactError as error:
        raise ArtifactError(f"the code object is damaged: {printable(error)}") from error
    raise ArtifactError(f"the code object is for {tables.machine}, not for an AMD GPU")


def _tables(data: bytes) -> _Tables:
    """The tables as the library reads them, which is all that it is asked for."""
    try:
        elf: Any = ELFFile(io.BytesIO(data))
        # Where the file is stripped, kernels are still among the dynamic symbols.
        table = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
        notes = elf.get_section_by_name(".note")
        return _Tables(
            str(elf["e_machine"]),
            elf["e_flags"],
            _section(notes) if notes else None,
            tuple(map(_section, elf.iter_sections())),
            {
                one.name: _Symbol(one["st_shndx"], one["st_value"], one["st_size"])
                for one in (table.iter_symbols() if table else ())
            },
            tuple(
                (one["p_vaddr"], one["p_offset"], one["p_filesz"], one["p_memsz"])
                for one in elf.iter_segments("PT_LOAD")
            ),
        )
    except _DAMAGE as error:
        what = str(error) or type(error).__name__
        raise ArtifactError(f"its tables are not readable: {what}") from error


def _section(section: Any) -> _Section:
    return _Section(section["sh_addr"], section["sh_offset"], section["sh_size"])


def _bytes_of(data: bytes, section: _Section | None, what: str) -> bytes:
    if section is None:
        raise ArtifactError(f"{what} are missing")
    return _part(data, section.offset, section.size, what)


def _part(data: bytes, start: int, size: int, what: str) -> bytes:
    """Bytes of the file; ArtifactError where it does not have them."""
    if start + size > len(data):
        raise ArtifactError(f"{what} end at {start + size:#x}, the file at {len(data):#x}")
    return data[start : start + size]


def _loaded(data: bytes, tables: _Tables) -> list[tuple[int, bytes]]:
    """The parts of the image: their addresses and bytes, zeros at their ends included."""
    parts = []
    for address, offset, size, memory in tables.segments:
        if not size <= memory or address + memory > _MOST_IMAGE_BYTES:
            raise ArtifactError(
                f"expected a segment of at least {size} bytes that ends by {_MOST_IMAGE_BYTES:#x}, "
                f"got {memory} at {address:#x}"
            )
        part = _part(data, offset, size, "the bytes of a segment")
        parts.append((address, part.ljust(memory, b"\0")))
    return parts


def _processor(tables: _Tables) -> str:
    """The gfx of a code object whose note does not say it: before version 4 none does."""
    gfx = processor_of(tables.flags)
    if gfx is None:
        raise ArtifactError(f"e_flags: {tables.flags:#x} names no processor that is known here")
    return gfx


def _kernel(data: bytes, tables: _Tables, note: KernelNote) -> KernelCode:
    descriptor = _of_symbol(data, tables, note.symbol)
    if len(descriptor) != DESCRIPTOR_BYTES:
        raise ArtifactError(
            f"{note.symbol}: expected a descriptor of {DESCRIPTOR_BYTES} bytes, got "
            f"{len(descriptor)}"
        )
    code = _of_symbol(data, tables, note.name)
    if not code:
        raise ArtifactError(f"kernel {note.name}: it has no code")
    return KernelCode(
        name=note.name,
        address=tables.symbols[note.name].address,
        code=code,
        descriptor=descriptor,
        numbers=note.numbers,
        arguments=note.arguments,
        symbol=note.symbol,
        required_workgroup=note.required_workgroup,
    )


def _of_symbol(data: bytes, tables: _Tables, name: str) -> bytes:
    """The bytes that a symbol names; ArtifactError where it is not there, or leaves its section.

    One without a size, as assemblers leave it, has all up to the end of its section.
    """
    symbol = tables.symbols.get(name)
    if symbol is None:
        raise ArtifactError(f"{name}: no symbol of this name")
    number = symbol.section
    if not isinstance(number, int) or number >= len(tables.sections):
        raise ArtifactError(f"{name}: expected a section of the file, got {number}")
    section = tables.sections[number]
    start = symbol.address - section.address
    size = symbol.size or section.size - start
    if start < 0 or size < 0 or start + size > section.size:
        raise ArtifactError(f"{name}: the symbol leaves its section")
    return _part(data, section.offset + start, size, f"the bytes of {name}")
