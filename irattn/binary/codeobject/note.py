"""Read the note of a code object: what each kernel says that it needs, with every field checked.

Keys and what is required are those of LLVM's AMDGPU usage guide, "Code Object V3 and above
Metadata"; nothing is taken on trust, as files come from anywhere.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar, cast

import msgpack
import msgspec

from irattn.core.declared import FromOne, FromZero, read_as
from irattn.core.errors import ArtifactError, shown

T = TypeVar("T")

_KIND = 32
_OWNER = b"AMDGPU\0"
# A triple, the processor, and features that may follow: `gfx90a:sramecc+:xnack-`.
_TARGET = re.compile(r"amd[\w.]+-\w*-\w*-\w*-(gfx[\w-]+)(:[\w+:-]*)?", re.ASCII)
_TARGET_KEY = "amdhsa.target"
# The version of notes that belongs to code objects of version 3.
_WITHOUT_TARGET = [1, 0]
_MOST_ITEMS = 1 << 10


def _up_to(most: int, least: int = 0) -> msgspec.Meta:
    return msgspec.Meta(ge=least, le=most)


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
    """The gfx that a code object is for, where the note says it, and its kernels."""

    gfx: str | None
    kernels: tuple[KernelNote, ...]


class _Numbers(TypedDict):
    """The numbers of a kernel, with the least and the most that they can mean."""

    kernarg_segment_size: Annotated[int, _up_to(1 << 20)]
    kernarg_segment_align: Annotated[int, _up_to(1 << 16, least=1)]
    group_segment_fixed_size: Annotated[int, _up_to(1 << 18)]
    private_segment_fixed_size: Annotated[int, _up_to(1 << 20)]
    wavefront_size: Annotated[int, _up_to(64, least=32)]
    sgpr_count: Annotated[int, _up_to(1 << 10)]
    vgpr_count: Annotated[int, _up_to(1 << 10)]
    max_flat_workgroup_size: Annotated[int, _up_to(1 << 10, least=1)]
    agpr_count: NotRequired[Annotated[int, _up_to(1 << 10)]]
    sgpr_spill_count: NotRequired[Annotated[int, _up_to(1 << 20)]]
    vgpr_spill_count: NotRequired[Annotated[int, _up_to(1 << 20)]]


class _Workgroup(TypedDict):
    """The only workgroup that a kernel can be launched with."""

    reqd_workgroup_size: NotRequired[tuple[FromOne, FromOne, FromOne]]


class _Arguments(TypedDict):
    """The arguments of a kernel, still to be read."""

    args: NotRequired[list[Any]]


@dataclass(frozen=True)
class _Names:
    """The names of a kernel and of its descriptor."""

    name: str
    symbol: str


@dataclass(frozen=True)
class _Argument:
    """An argument as the note has it."""

    offset: FromZero
    size: FromZero
    value_kind: str


def read_note(section: bytes) -> Note:
    """The note in a section of notes; ArtifactError names the kernel and field of what is wrong."""
    given = _unpacked(_description(section))
    kernels = _field(given, "amdhsa.kernels")
    if not isinstance(kernels, list):
        raise ArtifactError(f"its note: amdhsa.kernels: expected a list, got {shown(kernels)}")
    read = tuple(_kernel(one, i) for i, one in enumerate(kernels))
    if len({kernel.name for kernel in read}) < len(read):
        raise ArtifactError("two kernels have one name")
    return Note(_processor(given), read)


def _processor(given: Any) -> str | None:
    """The gfx of the target; None where the note's version, 1.0, has none."""
    if _TARGET_KEY not in given and given.get("amdhsa.version") == _WITHOUT_TARGET:
        return None
    target = _field(given, _TARGET_KEY)
    processor = _TARGET.fullmatch(target) if isinstance(target, str) else None
    if processor is None:
        expected = "a target as amdgcn-amd-amdhsa--gfx1100"
        raise ArtifactError(f"its note: {_TARGET_KEY}: expected {expected}, got {shown(target)}")
    return processor[1]


def _field(given: Any, key: str) -> Any:
    if not isinstance(given, dict):
        raise ArtifactError(f"its note: expected an object, got {shown(given)}")
    if key not in given:
        raise ArtifactError(f"its note: {key}: missing")
    return given[key]


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
        return msgpack.unpackb(data, object_pairs_hook=_unique)
    # What the library raises for bytes that are no MessagePack, or text that is no UTF-8.
    except (msgpack.UnpackException, ValueError, TypeError, OverflowError) as error:
        what = str(error) or type(error).__name__
        raise ArtifactError(f"its metadata is not readable: {what}") from error


def _unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    given = dict(pairs)
    if len(given) < len(pairs):
        raise ValueError("a key is there twice")
    return given


def _kernel(given: Any, number: int) -> KernelNote:
    name = given.get(".name") if isinstance(given, dict) else None
    where = f"kernel {name if _is_printable(name) else number}"
    names = _read(_Names, given, where)
    for key, text in ((".name", names.name), (".symbol", names.symbol)):
        _check_printable(where, key, text)
    numbers = _read(_Numbers, given, where)
    if numbers["wavefront_size"] not in (32, 64):
        got = numbers["wavefront_size"]
        raise ArtifactError(f"{where}: .wavefront_size: expected 32 or 64, got {got}")
    return KernelNote(
        names.name,
        names.symbol,
        {f".{key}": number for key, number in cast(dict[str, int], numbers).items()},
        tuple(_arguments(given, where, numbers["kernarg_segment_size"])),
        _workgroup(given, where),
    )


def _workgroup(given: Any, where: str) -> tuple[int, int, int] | None:
    sizes = _read(_Workgroup, given, where).get("reqd_workgroup_size")
    if sizes and math.prod(sizes) > _MOST_ITEMS:
        expected = f"at most {_MOST_ITEMS} items"
        raise ArtifactError(
            f"{where}: .reqd_workgroup_size: expected {expected}, got {list(sizes)}"
        )
    return sizes


def _arguments(given: Any, where: str, segment: int) -> Iterator[KernelArgument]:
    for i, one in enumerate(_read(_Arguments, given, where).get("args", ())):
        yield _argument(one, f"{where}: .args[{i}]", segment)


def _argument(given: Any, where: str, segment: int) -> KernelArgument:
    stated = _read(_Argument, given, where)
    _check_printable(where, ".value_kind", stated.value_kind)
    if stated.offset + stated.size > segment:
        most = max(segment - stated.offset, 0)
        raise ArtifactError(
            f"{where}: .size: expected at most {most} bytes from {stated.offset} on, "
            f"got {stated.size}"
        )
    return KernelArgument(stated.value_kind, stated.offset, stated.size)


def _read(kind: type[T], given: Any, where: str) -> T:
    """The declared fields of a map, whose keys have a dot before; compilers write others, too."""
    if not isinstance(given, dict):
        raise ArtifactError(f"{where}: expected an object, got {shown(given)}")
    declared = {name: given[f".{name}"] for name in kind.__annotations__ if f".{name}" in given}
    return read_as(kind, declared, f"{where}: ")


def _is_printable(text: object) -> bool:
    return isinstance(text, str) and bool(text) and text.isprintable()


def _check_printable(where: str, key: str, text: str) -> None:
    """Refuse text that a line cannot show."""
    if not _is_printable(text):
        raise ArtifactError(f"{where}: {key}: expected a printable name, got {shown(text)}")
