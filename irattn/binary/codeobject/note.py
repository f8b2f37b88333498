"""Read the note of a code object: what each kernel says that it needs, with every field checked.

Keys and what is required are those of LLVM's AMDGPU usage guide, "Code Object V3 and above
Metadata"; nothing is taken on trust, as files come from anywhere.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgpack

from irattn.core.errors import ArtifactError

_KIND = 32
_OWNER = b"AMDGPU\0"
# A triple, the processor, and features that may follow: `gfx90a:sramecc+:xnack-`.
_TARGET = re.compile(r"amd[\w.]+-\w*-\w*-\w*-(gfx[\w-]+)(:[\w+:-]*)?", re.ASCII)
# The numbers of a kernel, with the least and the most that hardware and loaders can mean by them.
_REQUIRED = {
    ".kernarg_segment_size": (0, 1 << 20),
    ".kernarg_segment_align": (1, 1 << 16),
    ".group_segment_fixed_size": (0, 1 << 18),
    ".private_segment_fixed_size": (0, 1 << 20),
    ".wavefront_size": (32, 64),
    ".sgpr_count": (0, 1 << 10),
    ".vgpr_count": (0, 1 << 10),
    ".max_flat_workgroup_size": (1, 1 << 10),
}
_OPTIONAL = {
    ".agpr_count": (0, 1 << 10),
    ".sgpr_spill_count": (0, 1 << 20),
    ".vgpr_spill_count": (0, 1 << 20),
}
_MOST_ITEMS = 1 << 10
_TYPE_NAMES = {str: "text", list: "a list"}

Kind = TypeVar("Kind", str, list[Any])


@dataclass(frozen=True)
class KernelArgument:
    """An argument in the bytes that a kernel is given; `kind` is the note's `.value_kind`."""

    kind: str
    offset: int
    size: int

    @property
    def is_hidden(self) -> bool:
        """Whether the launch fills it in, not the caller."""
        return self.kind.startswith("hidden_")


@dataclass(frozen=True)
class KernelNote:
    """The note of one kernel: its symbols, numbers by key, and arguments in order."""

    name: str
    symbol: str
    numbers: Mapping[str, int]
    arguments: tuple[KernelArgument, ...]
    required_workgroup: tuple[int, int, int] | None


@dataclass(frozen=True)
class Note:
    """The gfx that a code object is for, and its kernels."""

    gfx: str
    kernels: tuple[KernelNote, ...]


def read_note(section: bytes) -> Note:
    """The note in a section of notes; ArtifactError names the kernel and field of what is wrong."""
    fields = _Fields(_unpacked(_description(section)), "its note")
    target = fields.of("amdhsa.target", str)
    processor = _TARGET.fullmatch(target)
    if processor is None:
        raise fields.wrong("amdhsa.target", "a target as amdgcn-amd-amdhsa--gfx1100", target)
    listed = fields.of("amdhsa.kernels", list)
    kernels = tuple(_kernel(_Fields(one, f"kernel {i}")) for i, one in enumerate(listed))
    if len({kernel.name for kernel in kernels}) < len(kernels):
        raise ArtifactError("two kernels have one name")
    return Note(processor[1], kernels)


def _description(section: bytes) -> bytes:
    """The one note of AMD's among those of a section."""
    at = 0
    while at + 12 <= len(section):
        name_size, size, kind = (
            int.from_bytes(section[at + i : at + i + 4], "little") for i in (0, 4, 8)
        )
        name = section[at + 12 : at + 12 + name_size]
        start = at + 12 + name_size + -name_size % 4
        if kind == _KIND and name == _OWNER:
            return section[start : start + size]
        at = start + size + -size % 4
    raise ArtifactError("it has no metadata")


def _unpacked(data: bytes) -> Any:
    try:
        return msgpack.unpackb(data)
    # What the library raises for bytes that are no MessagePack, or text that is no UTF-8.
    except (msgpack.UnpackException, ValueError, TypeError, OverflowError) as error:
        what = str(error) or type(error).__name__
        raise ArtifactError(f"its metadata is not readable: {what}") from error


def _kernel(fields: "_Fields") -> KernelNote:
    name = fields.word(".name")
    fields = fields.called(f"kernel {name}")
    numbers = {key: fields.number(key, *limits) for key, limits in _REQUIRED.items()}
    for key, limits in _OPTIONAL.items():
        if key in fields:
            numbers[key] = fields.number(key, *limits)
    if numbers[".wavefront_size"] not in (32, 64):
        raise fields.wrong(".wavefront_size", "32 or 64", numbers[".wavefront_size"])
    arguments = tuple(_arguments(fields, numbers[".kernarg_segment_size"]))
    workgroup = _workgroup(fields)
    return KernelNote(name, fields.word(".symbol"), numbers, arguments, workgroup)


def _arguments(kernel: "_Fields", segment: int) -> Iterator[KernelArgument]:
    for i, one in enumerate(kernel.of(".args", list) if ".args" in kernel else ()):
        fields = _Fields(one, f"{kernel.where}: .args[{i}]")
        offset, size = fields.number(".offset", 0, segment), fields.number(".size", 0, segment)
        if offset + size > segment:
            raise fields.wrong(".size", f"at most {segment - offset} bytes from {offset} on", size)
        yield KernelArgument(fields.word(".value_kind"), offset, size)


def _workgroup(kernel: "_Fields") -> tuple[int, int, int] | None:
    key = ".reqd_workgroup_size"
    if key not in kernel:
        return None
    sizes = kernel.of(key, list)
    if len(sizes) != 3 or not all(type(one) is int and one > 0 for one in sizes):
        raise kernel.wrong(key, "three numbers above 0", sizes)
    if math.prod(sizes) > _MOST_ITEMS:
        raise kernel.wrong(key, f"at most {_MOST_ITEMS} items", sizes)
    x, y, z = sizes
    return x, y, z


class _Fields:
    """A map of the note, which says where it is and which of its fields is wrong."""

    def __init__(self, given: Any, where: str) -> None:
        if not isinstance(given, dict):
            raise ArtifactError(f"{where}: expected a map, got {given!r:.60}")
        self._given = given
        self.where = where

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def called(self, where: str) -> "_Fields":
        return _Fields(self._given, where)

    def wrong(self, key: str, expected: str, got: object) -> ArtifactError:
        return ArtifactError(f"{self.where}: {key}: expected {expected}, got {got!r:.60}")

    def of(self, key: str, kind: type[Kind]) -> Kind:
        if key not in self._given:
            raise ArtifactError(f"{self.where}: {key}: missing")
        value = self._given[key]
        if not isinstance(value, kind):
            raise self.wrong(key, _TYPE_NAMES[kind], value)
        return value

    def word(self, key: str) -> str:
        """Text that a line can show."""
        text = self.of(key, str)
        if not text or not text.isprintable():
            raise self.wrong(key, "a printable name", text)
        return text

    def number(self, key: str, least: int, most: int) -> int:
        if key not in self._given:
            raise ArtifactError(f"{self.where}: {key}: missing")
        value = self._given[key]
        if type(value) is not int or not least <= value <= most:
            raise self.wrong(key, f"a whole number from {least} to {most}", value)
        return value
