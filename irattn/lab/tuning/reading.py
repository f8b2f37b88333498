"""An entry of a tuning file that others may have written: every field is what it must be."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import msgspec

from irattn.binary.manifest import Tile
from irattn.compiling.artifact import PLAIN_NAME
from irattn.core.declared import FromZero, RealFromZero, read_as
from irattn.core.errors import ArtifactError, IrattnError, shown
from irattn.lab.tuning.entries import OUTCOMES, Tried, TuningEntry, spec_of, tile_words
from irattn.targets import get as get_target


class _Figures(TypedDict, total=False):
    """A tile has those that were found."""

    vgprs: FromZero
    spills: FromZero
    lds_bytes: FromZero
    waves_per_simd: FromZero | None
    executed_instructions: FromZero
    executed_matrix_flops: FromZero | RealFromZero
    apart: FromZero | RealFromZero
    idle_share: FromZero | RealFromZero
    bound_by: str


@dataclass(frozen=True)
class _Times:
    """Seconds of a call on a device."""

    median: RealFromZero
    lower: RealFromZero
    upper: RealFromZero
    calls: FromZero
    halves: Annotated[list[RealFromZero], msgspec.Meta(min_length=2, max_length=2)]


@dataclass(frozen=True)
class _Tried:
    """A tile that was tried, as JSON says it."""

    tile: Tile
    outcome: str
    why: str | None
    figures: _Figures
    estimate: FromZero | RealFromZero | None
    strain: int | float | None
    cases: int | None
    measured: _Times | None


@dataclass(frozen=True)
class _Entry:
    """An entry, as JSON says it."""

    name: str
    spec: dict[str, Any]
    target: str
    target_identity: str | None
    tile: Tile
    own_tile: Tile
    ranked_by: str
    cut: dict[str, Any]
    copies: int
    work: float
    tried: tuple[_Tried, ...]
    device: str | None
    machine: dict[str, Any] | None
    versions: dict[str, str]
    date: str
    command: str


@dataclass(frozen=True)
class _Processor:
    """The machine that a CPU's times are of."""

    processor: str
    vectors: str
    threads: int
    system: str = ""


@dataclass(frozen=True)
class _OtherDevices:
    """The machine that other devices' times are of."""

    devices: list[Any]
    driver: str | None = None
    processor: str = ""
    vectors: str = ""
    system: str = ""


def entry_of(given: object) -> TuningEntry:
    """The entry of an object; IrattnError, ValueError or TypeError, which say what is wrong."""
    stated = read_as(_Entry, given)
    target = get_target(stated.target[:64])
    if target.name != stated.target:
        raise ArtifactError(f"target: expected {target.name}, got {stated.target:.64}")
    if (stated.target_identity is None) != (target.name != "cpu"):
        raise ArtifactError("target_identity: only the target cpu has one, and it must")
    if not PLAIN_NAME.fullmatch(stated.name):
        raise ArtifactError(f"name: expected a plain name, got {shown(stated.name)}")
    specs = {name: at(name, spec_of, getattr(stated, name)) for name in ("spec", "cut")}
    tried = tuple(Tried(**msgspec.to_builtins(one)) for one in stated.tried)
    entry = TuningEntry(**{**vars(stated), **specs, "tried": tried})
    _check_machine(entry)
    _check_tiles(entry)
    return entry


def at(where: str, read: Callable[[Any], Any], value: object) -> Any:
    """The value that is read of a part; an error says which part it was."""
    try:
        return read(value)
    except (IrattnError, ValueError, TypeError) as error:
        raise ArtifactError(f"{where}: {error}") from error


def _check_tiles(entry: TuningEntry) -> None:
    """Refuse tiles of other names, tiles that are there twice, and an unsound one as chosen."""
    for i, one in enumerate(entry.tried):
        if one.outcome not in OUTCOMES:
            known = ", ".join(OUTCOMES)
            raise ArtifactError(
                f"tried[{i}].outcome: expected one of {known}, got {shown(one.outcome)}"
            )
        if one.tile.keys() != entry.own_tile.keys():
            raise ArtifactError(f"tried[{i}].tile: expected {', '.join(entry.own_tile)}")
        if entry.of(one.tile) is not one:
            raise ArtifactError(f"tried[{i}]: {one.words} is there twice")
    chosen = entry.of(entry.tile)
    if entry.tile != entry.own_tile and (chosen is None or not chosen.is_sound):
        raise ArtifactError(f"tile: {tile_words(entry.tile)} is not among the sound ones of tried")


def _check_machine(entry: TuningEntry) -> None:
    if (entry.device is None) != (entry.machine is None):
        raise ArtifactError("machine: expected one where there is a device, and nowhere else")
    if entry.machine is not None:
        kind = _OtherDevices if "devices" in entry.machine else _Processor
        read_as(kind, entry.machine, "machine")
