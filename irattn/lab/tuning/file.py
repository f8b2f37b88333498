"""The tuning file: read strictly, written whole."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irattn.core.declared import read_as
from irattn.core.errors import ArtifactError, IrattnError, TuningError, printable
from irattn.core.folders import new_file
from irattn.core.strict_json import check_format, parse_json
from irattn.lab.tuning.entries import TuningEntry, tile_words
from irattn.lab.tuning.order import tiles_in_order
from irattn.lab.tuning.reading import at, entry_of
from irattn.specs import Spec
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

FORMAT_VERSION = 1
_MOST_BYTES = 16 << 20


@dataclass(frozen=True)
class _Listed:
    """The file, its entries still to be read."""

    format_version: int
    entries: list[Any]


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
        listed = read_as(_Listed, fields).entries
        entries = tuple(at(f"entries[{i}]", entry_of, one) for i, one in enumerate(listed))
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
    """The entry for a spec and target; TuningError says what the file has instead.

    Likewise where its tile is none that the graph can have, by another irattn or a slip.
    """
    entry = tuning.find(spec, target)
    if entry is not None and entry.tile in tiles_in_order(spec, target):
        return entry
    if entry is not None:
        raise TuningError(
            f"{path}: {name} for {target.name} cannot be cut into {tile_words(entry.tile)}; to "
            f"tune it again: irattn tune … --target {target.name} -o {path}"
        )
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
        f"to tune it: irattn tune … --target {target.name} -o {path}"
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
