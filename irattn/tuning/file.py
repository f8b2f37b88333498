"""The tuning file: read strictly, written whole."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from irattn.artifact import PLAIN_NAME, check_tile
from irattn.errors import ArtifactError, IrattnError, TuningError, printable
from irattn.folders import new_file
from irattn.specs import Spec
from irattn.specs.features import AttentionFeatures
from irattn.strict_json import check_fields, check_format, parse_json
from irattn.targets import Target
from irattn.targets import get as get_target
from irattn.tuning.entries import OUTCOMES, Tried, TuningEntry, spec_of, tile_words

FORMAT_VERSION = 1
_MOST_BYTES = 16 << 20

_SPREAD_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("median", "lower", "upper"), (float,)),
    "calls": (int,),
    "halves": (list,),
}
_OPTIONAL_NUMBER = (int, float, type(None))
_ENTRY_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("name", "target", "ranked_by", "date", "command"), (str,)),
    **dict.fromkeys(("target_identity", "device"), (str, type(None))),
    **dict.fromkeys(("spec", "cut", "tile", "own_tile", "versions"), (dict,)),
    "machine": (dict, type(None)),
    "copies": (int,),
    "work": (float,),
    "tried": (list,),
}
_TRIED_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("tile", "figures"), (dict,)),
    **dict.fromkeys(("estimate", "strain"), _OPTIONAL_NUMBER),
    "outcome": (str,),
    "why": (str, type(None)),
    "cases": (int, type(None)),
    "measured": (dict, type(None)),
}


@dataclass(frozen=True)
class Tuning:
    """The entries of a file: one for each spec and target."""

    entries: tuple[TuningEntry, ...] = ()

    def find(self, spec: Spec, target: Target) -> TuningEntry | None:
        """The entry of a spec for a target; `cpu` is that of the same processor."""
        wanted = (spec, target.name, target.identity)
        entries = (one for one in self.entries if (one.spec, *_place(one)) == wanted)
        return next(entries, None)

    def with_entry(self, entry: TuningEntry) -> "Tuning":
        """The file with an entry in the place of the one for the same spec and target, or last."""
        same = [(one.spec, _place(one)) == (entry.spec, _place(entry)) for one in self.entries]
        if not any(same):
            return Tuning((*self.entries, entry))
        pairs = zip(self.entries, same, strict=True)
        return Tuning(tuple(entry if is_same else one for one, is_same in pairs))

    def to_json(self) -> str:
        """Readable JSON, each tile that was tried on a line."""
        entries = ",\n".join(_entry_json(entry) for entry in self.entries)
        return f'{{\n"format_version": {FORMAT_VERSION},\n"entries": [\n{entries}\n]\n}}\n'


def read_tuning(path: Path) -> Tuning:
    """The tuning file of a path; TuningError where it is not there, or is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TuningError(f"{path}: not readable: {error.strerror or error}") from error
    try:
        fields = parse_json(data, _MOST_BYTES)
        check_format(fields, FORMAT_VERSION)
        check_fields(fields, {"format_version": (int,), "entries": (list,)})
        entries = tuple(
            _at(f"entries: {i}", _entry, one) for i, one in enumerate(fields["entries"])
        )
        if len({(one.spec, _place(one)) for one in entries}) < len(entries):
            raise ArtifactError("entries: one spec and target is there twice")
    except (IrattnError, ValueError, TypeError, RecursionError) as error:
        raise TuningError(
            f"{path}: not a tuning file: {printable(error)}; `irattn tune` makes one"
        ) from error
    return Tuning(entries)


def write_tuning(path: Path, tuning: Tuning) -> None:
    """Put it in its place, whole; StorageError where it cannot be written."""
    with new_file(path, makes_folder=True) as file:
        file.write(tuning.to_json().encode())


def chosen_tile(tuning: Tuning, path: Path, name: str, spec: Spec, target: Target) -> TuningEntry:
    """The entry for a spec and target; TuningError says what the file has instead."""
    entry = tuning.find(spec, target)
    if entry is not None:
        return entry
    if not isinstance(spec, AttentionFeatures):
        raise TuningError(f"{path}: {name} is {spec.op}, which has no tile; attention has one")
    of_spec = [one for one in tuning.entries if one.spec == spec]
    if any(one.target == target.name for one in of_spec):
        raise TuningError(
            f"{path}: tuned {name} for {target.name} on another processor, which that target "
            "means; tune it here"
        )
    if of_spec:
        there = ", ".join(one.target for one in of_spec)
        raise TuningError(f"{path}: tuned {name} for {there}, not for {target.name}")
    there = ", ".join(dict.fromkeys(one.name for one in tuning.entries)) or "nothing"
    raise TuningError(
        f"{path}: has tiles for {there:.200}, not for {name} with the same fields of its spec; "
        f"`irattn tune {name} --target {target.name}` makes one"
    )


def _place(entry: TuningEntry) -> tuple[str, str | None]:
    return entry.target, entry.target_identity


def _entry_json(entry: TuningEntry) -> str:
    lines = []
    for name, value in entry.to_dict().items():
        text = json.dumps(value, allow_nan=False)
        if name == "tried":
            rows = ",\n".join(f"  {json.dumps(one, allow_nan=False)}" for one in value)
            text = f"[\n{rows}\n ]"
        lines.append(f" {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"


def _at(where: str, read: Callable[[Any], Any], value: object) -> Any:
    """What is read of a part; an error says which part it was."""
    try:
        return read(value)
    except (IrattnError, ValueError, TypeError) as error:
        raise ArtifactError(f"{where}: {error}") from error


def _entry(given: object) -> TuningEntry:
    fields_of_entry = _object(given, _ENTRY_TYPES)
    target = get_target(fields_of_entry["target"][:64])
    if target.name != fields_of_entry["target"]:
        raise ArtifactError(f"target: expected {target.name}, got {fields_of_entry['target']:.64}")
    if (fields_of_entry["target_identity"] is None) != (target.name != "cpu"):
        raise ArtifactError("target_identity: only the target cpu has one, and it must")
    tried = tuple(_at(f"tried: {i}", _tried, one) for i, one in enumerate(fields_of_entry["tried"]))
    specs = {name: _at(name, spec_of, fields_of_entry[name]) for name in ("spec", "cut")}
    entry = replace(TuningEntry(**{**fields_of_entry, **specs}), tried=tried)
    if not PLAIN_NAME.fullmatch(entry.name):
        raise ArtifactError(f"name: expected a plain name, got {entry.name!r:.80}")
    for tile in (entry.tile, entry.own_tile):
        check_tile(tile)
    chosen = entry.of(entry.tile)
    if entry.tile != entry.own_tile and (chosen is None or not chosen.is_sound):
        raise ArtifactError(f"tile: {tile_words(entry.tile)} is not among the sound ones of tried")
    return entry


def _tried(given: object) -> Tried:
    tried = Tried(**_object(given, _TRIED_TYPES))
    check_tile(tried.tile)
    if tried.outcome not in OUTCOMES:
        raise ArtifactError(
            f"outcome: expected one of {', '.join(OUTCOMES)}, got {tried.outcome!r:.80}"
        )
    if tried.measured is not None:
        check_fields(tried.measured, _SPREAD_TYPES)
    return tried


def _object(given: object, types: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    """An object with these fields."""
    if not isinstance(given, dict):
        raise ArtifactError(f"expected an object, got {given!r:.80}")
    check_fields(given, types)
    return given
