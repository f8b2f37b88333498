"""Typed reads from a FlatBuffer that may be damaged: everything is bounds-checked."""

import functools
import struct
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from flatbuffers import encode, number_types
from flatbuffers.table import Table

from irattn.core.errors import ArtifactError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def refuse_damage(read: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Turn what reading damaged bytes raises into an ArtifactError."""

    @functools.wraps(read)
    def wrapped(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            return read(*args, **kwargs)
        except (struct.error, IndexError, TypeError, ValueError, OverflowError) as error:
            raise ArtifactError(f"the compiled module is damaged: {error}") from error

    return wrapped


class FlatTable:
    """One table: fields by their number in the schema, absent ones as None or empty."""

    def __init__(self, data: bytes, position: int) -> None:
        if not 0 <= position <= len(data) - 4:
            raise ArtifactError("the compiled module is damaged: an offset leaves its FlatBuffer")
        self._table = Table(bytearray(data), position)

    @classmethod
    def root(cls, data: bytes) -> "FlatTable":
        """The root table of a FlatBuffer."""
        return cls(data, encode.Get(number_types.UOffsetTFlags.packer_type, bytearray(data), 0))

    def number(self, field: int, flags: Any, default: int = 0) -> int:
        """A scalar; `flags` is its type in `flatbuffers.number_types`."""
        at = self._at(field)
        return int(self._table.Get(flags, at)) if at else default

    def text(self, field: int) -> str:
        """A string; empty where it is absent."""
        return self.data(field).decode()

    def data(self, field: int) -> bytes:
        """A string or vector of bytes."""
        at = self._at(field)
        if not at:
            return b""
        start = at + self._uint(at)
        length = self._uint(start)
        self._check(start + 4, length)
        return bytes(self._table.Bytes[start + 4 : start + 4 + length])

    def table(self, field: int) -> "FlatTable | None":
        """A table within this one."""
        at = self._at(field)
        return self._within(at + self._uint(at)) if at else None

    def tables(self, field: int) -> list["FlatTable"]:
        """A vector of tables."""
        start, length = self._vector(field, 4)
        places = range(start, start + 4 * length, 4)
        return [self._within(place + self._uint(place)) for place in places]

    def structs(self, field: int, layout: str) -> list[tuple[int, ...]]:
        """A vector of structs or numbers, as `struct` lays them out."""
        size = struct.calcsize(layout)
        start, length = self._vector(field, size)
        data = bytes(self._table.Bytes[start : start + size * length])
        return list(struct.iter_unpack(layout, data))

    def one_struct(self, field: int, layout: str) -> tuple[int, ...] | None:
        """A struct."""
        at = self._at(field)
        return struct.unpack_from(layout, self._table.Bytes, at) if at else None

    def _vector(self, field: int, size: int) -> tuple[int, int]:
        at = self._at(field)
        if not at:
            return 0, 0
        start = at + self._uint(at)
        length = self._uint(start)
        self._check(start + 4, size * length)
        return start + 4, length

    def _at(self, field: int) -> int:
        """The offset of a field, 0 if it is absent."""
        vtable = self._table.Pos - struct.unpack_from("<i", self._table.Bytes, self._table.Pos)[0]
        self._check(vtable, 4)
        offset = int(self._table.Offset(4 + 2 * field))
        return self._table.Pos + offset if offset else 0

    def _uint(self, at: int) -> int:
        self._check(at, 4)
        return int(struct.unpack_from("<I", self._table.Bytes, at)[0])

    def _check(self, start: int, length: int) -> None:
        if not (start >= 0 and start + length <= len(self._table.Bytes)):
            raise ArtifactError("the compiled module is damaged: an offset leaves its FlatBuffer")

    def _within(self, position: int) -> "FlatTable":
        self._check(position, 4)
        table = object.__new__(FlatTable)
        table._table = Table(self._table.Bytes, position)
        return table
