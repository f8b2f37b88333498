"""An entry of a tuning file that others may have written: every field is what it must be."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from irattn.compiling.artifact import PLAIN_NAME, check_tile
from irattn.core.errors import ArtifactError, IrattnError, shown
from irattn.core.strict_json import check_fields
from irattn.lab.tuning.entries import OUTCOMES, Tried, TuningEntry, spec_of, tile_words
from irattn.targets import get as get_target

_OPTIONAL_NUMBER = (int, float, type(None))
_SPREAD_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("median", "lower", "upper"), (float,)),
    "calls": (int,),
    "halves": (list,),
}
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
# A tile has those that were found.
_FIGURE_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("vgprs", "spills", "lds_bytes", "executed_instructions"), (int,)),
    "waves_per_simd": (int, type(None)),
    "executed_matrix_flops": (int, float),
    **dict.fromkeys(("apart", "idle_share"), (int, float)),
    "bound_by": (str,),
}
# A CPU has threads, other devices are listed.
_MACHINE_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("processor", "vectors", "system"), (str,)),
    "threads": (int,),
    "devices": (list,),
    "driver": (str, type(None)),
}


def entry_of(given: object) -> TuningEntry:
    """The entry of an object; IrattnError, ValueError or TypeError, which say what is wrong."""
    fields_of_entry = _object(given, _ENTRY_TYPES)
    target = get_target(fields_of_entry["target"][:64])
    if target.name != fields_of_entry["target"]:
        raise ArtifactError(f"target: expected {target.name}, got {fields_of_entry['target']:.64}")
    if (fields_of_entry["target_identity"] is None) != (target.name != "cpu"):
        raise ArtifactError("target_identity: only the target cpu has one, and it must")
    tried = tuple(at(f"tried: {i}", _tried, one) for i, one in enumerate(fields_of_entry["tried"]))
    specs = {name: at(name, spec_of, fields_of_entry[name]) for name in ("spec", "cut")}
    entry = replace(TuningEntry(**{**fields_of_entry, **specs}), tried=tried)
    if not PLAIN_NAME.fullmatch(entry.name):
        raise ArtifactError(f"name: expected a plain name, got {shown(entry.name)}")
    at("versions", lambda given: check_fields(given, dict.fromkeys(given, (str,))), entry.versions)
    _check_machine(entry)
    _check_tiles(entry)
    return entry


def at(where: str, read: Callable[[Any], Any], value: object) -> Any:
    """What is read of a part; an error says which part it was."""
    try:
        return read(value)
    except (IrattnError, ValueError, TypeError) as error:
        raise ArtifactError(f"{where}: {error}") from error


def _check_tiles(entry: TuningEntry) -> None:
    """All have the same names, none is there twice, and the chosen one was found sound."""
    for tile in (entry.tile, entry.own_tile):
        check_tile(tile)
    for i, one in enumerate(entry.tried):
        if one.tile.keys() != entry.own_tile.keys():
            raise ArtifactError(f"tried: {i}: tile: expected {', '.join(entry.own_tile)}")
        if entry.of(one.tile) is not one:
            raise ArtifactError(f"tried: {i}: {one.words} is there twice")
    chosen = entry.of(entry.tile)
    if entry.tile != entry.own_tile and (chosen is None or not chosen.is_sound):
        raise ArtifactError(f"tile: {tile_words(entry.tile)} is not among the sound ones of tried")


def _check_machine(entry: TuningEntry) -> None:
    if (entry.device is None) != (entry.machine is None):
        raise ArtifactError("machine: expected one where there is a device, and nowhere else")
    if entry.machine is not None:
        at("machine", lambda given: _check_known(given, _MACHINE_TYPES), entry.machine)
        least = {"devices"} if "devices" in entry.machine else {"processor", "vectors", "threads"}
        for name in sorted(least - entry.machine.keys()):
            raise ArtifactError(f"machine: {name}: missing")


def _tried(given: object) -> Tried:
    tried = Tried(**_object(given, _TRIED_TYPES))
    check_tile(tried.tile)
    if tried.outcome not in OUTCOMES:
        raise ArtifactError(
            f"outcome: expected one of {', '.join(OUTCOMES)}, got {shown(tried.outcome)}"
        )
    at("figures", lambda given: _check_known(given, _FIGURE_TYPES), tried.figures)
    if tried.measured is not None:
        check_fields(tried.measured, _SPREAD_TYPES)
        if [type(half) for half in tried.measured["halves"]] != [float, float]:
            raise ArtifactError(
                f"halves: expected two numbers, got {shown(tried.measured['halves'])}"
            )
    _check_signs({**tried.figures, **(tried.measured or {}), "estimate": tried.estimate})
    return tried


def _check_signs(given: Mapping[str, Any]) -> None:
    """Counts, times and estimates are compared by ratios."""
    for name, value in given.items():
        if isinstance(value, int | float) and value < 0:
            raise ArtifactError(f"{name}: expected no number below 0, got {value}")


def _check_known(given: Mapping[str, Any], types: Mapping[str, tuple[type, ...]]) -> None:
    """Some of these fields, each of one of its types."""
    check_fields(given, {name: types[name] for name in types if name in given})


def _object(given: object, types: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    """An object with these fields."""
    if not isinstance(given, dict):
        raise ArtifactError(f"expected an object, got {shown(given)}")
    check_fields(given, types)
    return given
