"""The compiled module in a .vmfb: its archive, and the tables of its FlatBuffer."""

import struct
from dataclasses import dataclass
from functools import cached_property

from flatbuffers import number_types

from irattn.binary.vmfb.flat import FlatTable, refuse_damage
from irattn.core.errors import ArtifactError
from irattn.core.stored_zip import read_stored

# What the pinned runtime loads, and the bytecode that this package decodes.
BYTECODE_VERSION = (17, 0)

# What IREE adds to the name of a function for one that is given fences: it waits for the first, and
# signals the second when its results are there.
ASYNC_SUFFIX = "$async"
# And to that for one that tells the bytes that lie between its kernels, where it is given memory.
BETWEEN_SUFFIX = "_transients_size"
# The same of what is given memory for all that it makes.
INTO_SUFFIX = "_into"

_ALIGNMENT = 64
# In a ZIP's header: where the lengths of name and extra field stand, and what they come before.
_NAME_LENGTHS, _CONTENTS = 26, 30
_MODULE = "module.fb"


@dataclass(frozen=True)
class Function:
    """A function of the module: its calling convention and, for exports, the declaration.

    `start` and `length` give its place in the bytecode.
    """

    calling_convention: str
    declaration: str
    start: int
    length: int


@dataclass(frozen=True)
class CompiledModule:
    """A compiled module. Fields are read on first use; damage raises ArtifactError then."""

    flatbuffer: bytes
    rodata_area: bytes

    @cached_property
    def _root(self) -> FlatTable:
        return FlatTable.root(self.flatbuffer)

    @cached_property
    @refuse_damage
    def bytecode_version(self) -> tuple[int, int]:
        """Major and minor version of the bytecode."""
        packed = self._root.number(13, number_types.Uint32Flags)
        return packed >> 16, packed & 0xFFFF

    @cached_property
    @refuse_damage
    def imports(self) -> list[tuple[str, str]]:
        """Full name and calling convention of each import."""
        imports = []
        for table in self._root.tables(6):
            signature = table.table(1)
            imports.append((table.text(0), signature.text(0) if signature else ""))
        return imports

    @cached_property
    @refuse_damage
    def exports(self) -> dict[str, int]:
        """The ordinal of each exported function."""
        return {
            table.text(0): table.number(1, number_types.Int32Flags)
            for table in self._root.tables(7)
        }

    @cached_property
    @refuse_damage
    def functions(self) -> list[Function]:
        """Every function of the module."""
        places = self._root.structs(12, "<iiIhhhh")
        functions = []
        for signature, place in zip(self._root.tables(8), places, strict=True):
            attributes = {table.text(0): table.text(1) for table in signature.tables(1)}
            declaration = attributes.get("iree.abi.declaration", "")
            functions.append(Function(signature.text(0), declaration, place[0], place[1]))
        return functions

    @cached_property
    @refuse_damage
    def bytecode(self) -> bytes:
        """The code of all functions."""
        return self._root.data(14)

    @cached_property
    @refuse_damage
    def rodata(self) -> list[bytes]:
        """The constants: names, and the executables."""
        return [self._segment(table) for table in self._root.tables(9)]

    def function(self, name: str) -> Function:
        """An exported function; ArtifactError if it is not there."""
        ordinal = self.exports.get(name)
        if ordinal is None or not 0 <= ordinal < len(self.functions):
            raise ArtifactError(
                f"the compiled module has no function {name!r}; it exports "
                f"{', '.join(sorted(self.exports)) or 'nothing'}"
            )
        return self.functions[ordinal]

    def _segment(self, table: FlatTable) -> bytes:
        # Fields 0 and 1 are the compression's type and table, of which none is in use.
        embedded = table.data(2)
        if embedded:
            return embedded
        start = table.number(3, number_types.Uint64Flags)
        length = table.number(4, number_types.Uint64Flags)
        if start + length > len(self.rodata_area):
            raise ArtifactError(
                f"the compiled module is truncated: expected {start + length} bytes of constants, "
                f"got {len(self.rodata_area)}"
            )
        return self.rodata_area[start : start + length]


@refuse_damage
def read_module(data: bytes) -> CompiledModule:
    """The module in the bytes of a .vmfb; ArtifactError where its archive is not whole and plain.

    The runtime finds everything by offsets from the first member and reads no ZIP directory; that
    both agree is checked here.
    """
    members = read_stored(data, _ALIGNMENT)
    if next(iter(members), None) != _MODULE:
        raise ArtifactError(f"the compiled module is damaged: its first member is not {_MODULE}")
    start = _CONTENTS + sum(struct.unpack_from("<HH", data, _NAME_LENGTHS))
    (size,) = struct.unpack_from("<I", data, start)
    end = start + 4 + size
    flatbuffer = data[start + 4 : end]
    if len(flatbuffer) < size or flatbuffer[4:8] != b"IREE":
        raise ArtifactError("the compiled module is damaged: it is no FlatBuffer of IREE's")
    return CompiledModule(flatbuffer, data[end + -end % _ALIGNMENT :])
