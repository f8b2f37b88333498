"""Reads an AMDGPU ELF: its gfx, and its kernels with code, descriptor and resources.

The note's keys are those of LLVM's AMDGPU usage guide, "Code Object V3 and above Metadata".
"""

import functools
import io
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgpack
from elftools.common.exceptions import ELFError
from elftools.construct.lib.container import Container
from elftools.elf.elffile import ELFFile

from irattn.errors import ArtifactError

_NOTE_TYPE = 32

# What the libraries raise when bytes are not what they should be.
_DAMAGE = (
    ELFError,
    msgpack.UnpackException,
    struct.error,
    AttributeError,
    IndexError,
    KeyError,
    OSError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True)
class KernelCode:
    """One kernel: machine code, the 64-byte kernel descriptor, and the metadata of its note.

    `address` is where the code lies in the loaded image.
    """

    name: str
    address: int
    code: bytes
    descriptor: bytes
    metadata: Mapping[str, Any]

    def number(self, key: str) -> int:
        """A number of the note, 0 where it is not there."""
        return int(self.metadata.get(key, 0))

    @property
    def arguments(self) -> list[dict[str, Any]]:
        """The kernel's arguments in order, with `.offset`, `.size` and `.value_kind`."""
        return list(self.metadata.get(".args", []))


@dataclass(frozen=True)
class CodeObject:
    """An AMDGPU ELF. `segments` are the parts of the image to load, by address."""

    gfx: str
    kernels: tuple[KernelCode, ...]
    segments: tuple[tuple[int, bytes], ...]


# What describes launches reads it, and whatever carries them out; modules may share one.
@functools.lru_cache(maxsize=16)
def read_code_object(data: bytes) -> CodeObject:
    """The kernels of an AMDGPU ELF; ArtifactError where it is damaged or of another machine."""
    try:
        return _read(ELFFile(io.BytesIO(data)))
    except _DAMAGE as error:
        what = str(error) or type(error).__name__
        raise ArtifactError(f"the code object is damaged: {what}") from error


def _read(elf: Any) -> CodeObject:
    if elf.header.e_machine != "EM_AMDGPU":
        raise ArtifactError(f"the code object is for {elf.header.e_machine}, not for an AMD GPU")
    note = _note(elf.get_section_by_name(".note").data())
    # Where the file is stripped, kernels are still among the dynamic symbols.
    table = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
    symbols = {symbol.name: symbol for symbol in table.iter_symbols()}
    read = functools.partial(_read_symbol, elf)
    kernels = [_kernel(metadata, symbols, read) for metadata in note["amdhsa.kernels"]]
    segments = [
        (segment["p_vaddr"], segment.data().ljust(segment["p_memsz"], b"\0"))
        for segment in elf.iter_segments("PT_LOAD")
    ]
    # The processor of the target, without the features that may follow: `gfx90a:sramecc+:xnack-`.
    gfx = note["amdhsa.target"].partition(":")[0].rpartition("-")[2]
    return CodeObject(gfx, tuple(kernels), tuple(segments))


def _kernel(
    metadata: dict[str, Any],
    symbols: Mapping[str, Container],
    read: Callable[[Container], bytes],
) -> KernelCode:
    name = metadata[".name"]
    return KernelCode(
        name=name,
        address=int(symbols[name]["st_value"]),
        code=read(symbols[name]),
        descriptor=read(symbols[metadata[".symbol"]]),
        metadata=metadata,
    )


def _note(data: bytes) -> dict[str, Any]:
    """The metadata: the one note of its kind."""
    while data:
        name_size, size, kind = struct.unpack_from("<III", data)
        start = 12 + name_size + -name_size % 4
        if kind == _NOTE_TYPE and data[12 : 12 + name_size] == b"AMDGPU\0":
            note: dict[str, Any] = msgpack.unpackb(data[start : start + size])
            return note
        data = data[start + size + -size % 4 :]
    raise ArtifactError("the code object is damaged: it has no metadata")


def _read_symbol(elf: Any, symbol: Container) -> bytes:
    section = elf.get_section(symbol["st_shndx"])
    start = symbol["st_value"] - section["sh_addr"]
    data: bytes = section.data()[start : start + symbol["st_size"]]
    if start < 0 or len(data) != symbol["st_size"]:
        raise ArtifactError("the code object is damaged: a symbol leaves its section")
    return data
