"""Read what a GGUF file says and where its tensors lie; nothing that it says is believed.

The layout is that of ggml's `docs/gguf.md`, versions 2 and 3. The `gguf` package reads it, too, but
one number at a time, which takes seconds and a gigabyte for the tokens of a Llama 3, and an array
that says it is longer than the file keeps it busy for ever.
"""

import math
import mmap
import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from irattn.core.errors import ModelError, printable, shown
from irattn.core.weight_formats import weight_format

Value: TypeAlias = int | float | bool | str | list[str] | np.ndarray

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_ALIGNMENT = 32
_MOST_AXES = 4

# Numbers by the ids of their types, as `struct` writes these.
_NUMBERS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_TEXT, _ARRAY = 8, 9


def _packed(name: str) -> tuple[str, int, int]:
    """A format that kernels take as a type of tensors."""
    known = weight_format(name)
    return name.upper(), known.elements, known.block_bytes


# By the ids of types of tensors: the name, the numbers of a block and the bytes of one.
TENSOR_TYPES = {
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    2: _packed("q4_0"),
    3: _packed("q4_1"),
    6: _packed("q5_0"),
    7: _packed("q5_1"),
    8: _packed("q8_0"),
    10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110),
    12: _packed("q4_k"),
    13: _packed("q5_k"),
    14: _packed("q6_k"),
    15: ("Q8_K", 256, 292),
    16: ("IQ2_XXS", 256, 66),
    17: ("IQ2_XS", 256, 74),
    18: ("IQ3_XXS", 256, 98),
    19: ("IQ1_S", 256, 50),
    20: ("IQ4_NL", 32, 18),
    21: ("IQ3_S", 256, 110),
    22: ("IQ2_S", 256, 82),
    23: ("IQ4_XS", 256, 136),
    24: ("I8", 1, 1),
    25: ("I16", 1, 2),
    26: ("I32", 1, 4),
    27: ("I64", 1, 8),
    28: ("F64", 1, 8),
    29: ("IQ1_M", 256, 56),
    30: ("BF16", 1, 2),
    34: ("TQ1_0", 256, 54),
    35: ("TQ2_0", 256, 66),
    39: _packed("mxfp4"),
    40: ("NVFP4", 64, 36),
    41: ("Q1_0", 128, 18),
}


def is_gguf(path: object) -> TypeGuard[str | Path]:
    """Whether a path is that of a GGUF file, by its name."""
    return isinstance(path, str | Path) and Path(path).suffix.lower() == ".gguf"


@dataclass(frozen=True)
class GgufTensor:
    """A tensor: its shape as NumPy has it, rows first, and `rows_of_bytes`, mapped.

    `rows_of_bytes` is uint8 `[..., bytes of a row]`: rows are whole blocks of the type.
    """

    name: str
    type: str
    shape: tuple[int, ...]
    rows_of_bytes: np.ndarray


class GgufFile:
    """The metadata and the tensors of a file, which stays mapped as long as any of them is used.

    ModelError, in one line, for a file that is none, is cut off or contradicts itself.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        data = self._mapped()
        reader = _Reader(data, self._fail)
        self._check_version(reader)
        num_tensors, num_values = reader.count("tensors", 32), reader.count("metadata", 13)
        self.metadata: Mapping[str, Value] = self._read_metadata(reader, num_values)
        described = [_described(reader) for _ in range(num_tensors)]
        alignment = self.metadata.get("general.alignment", _ALIGNMENT)
        if type(alignment) is not int or alignment < 1 or alignment & (alignment - 1):
            raise self._fail(f"general.alignment: expected a power of two, got {shown(alignment)}")
        begin = -(-reader.place // alignment) * alignment
        self.tensors: Mapping[str, GgufTensor] = self._placed(data, described, begin, alignment)

    def _mapped(self) -> memoryview:
        try:
            with self.path.open("rb") as file:
                if not os.fstat(file.fileno()).st_size:
                    raise self._fail("it is empty")
                return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError) as error:
            raise ModelError(f"{self.path}: cannot be read: {printable(error)}") from error

    def _fail(self, what: str) -> ModelError:
        return ModelError(f"{self.path}: is no whole GGUF file: {what}")

    def _check_version(self, reader: "_Reader") -> None:
        magic = reader.bytes(4)
        if magic != _MAGIC:
            raise self._fail(f"expected it to begin with GGUF, got {bytes(magic)!r}")
        version = reader.number("I")
        if version not in _VERSIONS:
            words = " or ".join(map(str, _VERSIONS))
            raise self._fail(f"expected version {words}, little-endian, got {version}")

    def _read_metadata(self, reader: "_Reader", count: int) -> dict[str, Value]:
        metadata: dict[str, Value] = {}
        for _ in range(count):
            key = reader.name()
            if key in metadata:
                raise self._fail(f"{key:.80}: is there twice")
            metadata[key] = reader.value(reader.number("I"))
        return metadata

    def _placed(
        self, data: memoryview, described: "list[_Described]", begin: int, alignment: int
    ) -> dict[str, GgufTensor]:
        tensors: dict[str, GgufTensor] = {}
        ends = begin
        for one in sorted(described, key=lambda one: one.offset):
            name, block, size = TENSOR_TYPES.get(one.type, ("", 1, 1))
            if not name:
                raise self._fail(f"{one.name:.80}: is of type {one.type}, which irattn knows not")
            if one.name in tensors:
                raise self._fail(f"{one.name:.80}: is there twice")
            if one.shape[-1] % block:
                raise self._fail(
                    f"{one.name:.80}: expected rows of whole blocks of {block} in {name}, got "
                    f"{one.shape[-1]}"
                )
            row = one.shape[-1] // block * size
            first, length = begin + one.offset, math.prod(one.shape[:-1]) * row
            if one.offset % alignment or first < ends or first + length > len(data):
                raise self._fail(
                    f"{one.name:.80}: expected {length} bytes of its own within the file's "
                    f"{len(data)}, got them at {first}"
                )
            ends = first + length
            rows = np.frombuffer(data, np.uint8, length, first).reshape(*one.shape[:-1], row)
            tensors[one.name] = GgufTensor(one.name, name, one.shape, rows)
        return {one.name: tensors[one.name] for one in described}


@dataclass(frozen=True)
class _Described:
    """A tensor as a file says it is."""

    name: str
    shape: tuple[int, ...]
    type: int
    offset: int


def _described(reader: "_Reader") -> _Described:
    name = reader.name()
    axes = reader.number("I")
    if not 1 <= axes <= _MOST_AXES:
        raise reader.fail(f"{name:.80}: expected 1 to {_MOST_AXES} axes, got {axes}")
    sizes = tuple(reader.number("Q") for _ in range(axes))
    if not all(sizes) or math.prod(sizes) >= 2**63:
        raise reader.fail(f"{name:.80}: expected sizes of a tensor, got {shown(sizes)}")
    return _Described(name, sizes[::-1], reader.number("I"), reader.number("Q"))


class _Reader:
    """Reads one value after the other, and none beyond the end."""

    def __init__(self, data: memoryview, fail: Callable[[str], ModelError]) -> None:
        self._data, self.fail = data, fail
        self.place = 0

    def bytes(self, count: int) -> memoryview:
        """The next so many bytes."""
        if count > len(self._data) - self.place:
            raise self.fail(
                f"expected {count} bytes at {self.place}, got {len(self._data) - self.place}"
            )
        self.place += count
        return self._data[self.place - count : self.place]

    def number(self, kind: str) -> Any:
        """The next number, as Python's; one of f32 as the shortest that rounds to it."""
        size = struct.calcsize(f"<{kind}")
        (number,) = struct.unpack(f"<{kind}", self.bytes(size))
        return float(str(np.float32(number))) if kind == "f" else number

    def count(self, what: str, least_bytes: int) -> int:
        """How many of a thing follow, each of at least so many bytes."""
        count: int = self.number("Q")
        left = (len(self._data) - self.place) // least_bytes
        if count > left:
            raise self.fail(f"{what}: expected at most the {left} that fit, got {count}")
        return count

    def text(self) -> str:
        """The next text."""
        return self._texts(1)[0]

    def name(self) -> str:
        """The next name, which messages have as it is."""
        name = self.text()
        if not name.isprintable():
            raise self.fail(f"expected a name of one line, got {shown(name)}")
        return name

    def value(self, kind: int) -> Value:
        """The next value of a type by its id."""
        if kind in _NUMBERS:
            number: int | float | bool = self.number(_NUMBERS[kind])
            return number
        if kind == _TEXT:
            return self.text()
        if kind != _ARRAY:
            raise self.fail(f"expected a type of metadata at {self.place}, got {kind}")
        return self._array()

    def _array(self) -> Value:
        kind = self.number("I")
        if kind == _TEXT:
            return self._texts(self.count("texts", 8))
        if kind not in _NUMBERS:
            raise self.fail(f"expected an array of numbers or texts, got one of type {kind}")
        dtype = np.dtype(f"<{_NUMBERS[kind]}")
        count = self.count("numbers", dtype.itemsize)
        return np.frombuffer(self.bytes(count * dtype.itemsize), dtype)

    def _texts(self, count: int) -> list[str]:
        """The next texts; many, so that there is no call for each."""
        data, place, end = self._data, self.place, len(self._data)
        length_at, texts = struct.Struct("<Q").unpack_from, []
        try:
            for _ in range(count):
                (length,) = length_at(data, place)
                place += 8
                if length > end - place:
                    raise self.fail(f"expected a text of {length} bytes at {place}")
                texts.append(str(data[place : place + length], "utf-8"))
                place += length
        except (struct.error, UnicodeDecodeError) as error:
            raise self.fail(f"expected a text in UTF-8 at {place}: {error}") from error
        self.place = place
        return texts
