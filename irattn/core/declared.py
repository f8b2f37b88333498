"""Read plain values, as JSON and TOML give them, as the type that declares them.

A type is declared once, as a dataclass or an annotation; msgspec checks values against it, and its
refusals are told in our words. Text is never taken for a number, nor a bool; lists become tuples
and whole numbers floats where these are declared.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import reduce
from operator import getitem
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec

from irattn.core.errors import ArtifactError, IrattnError, quoted, shown
from irattn.core.numbers import MAX_SIZE

T = TypeVar("T")

# Numbers that are not below their least.
FromZero: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
FromOne: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Size: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=MAX_SIZE)]
SizeFromZero: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MAX_SIZE)]
RealFromZero: TypeAlias = Annotated[float, msgspec.Meta(ge=0)]

_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
# msgspec's own words, and where in the value it stopped: `$.entries[0].tile[...]`.
_TOLD = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?", re.DOTALL)
_EXPECTED = re.compile(r"Expected `(?P<types>[^`]+)`(?P<limit>.*?)(?:, got .*)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<name>\w+)`")
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<number>\d+)\]|\[\.\.\.\]")
_LIMITS = ((" of length >= ", " with at least "), (" of length <= ", " with at most "))
_BOUNDS = ((" >= ", " of at least "), (" <= ", " of at most "), (" of length ", " with "))


def read_as(
    kind: type[T], given: object, where: str = "", *, error: type[IrattnError] = ArtifactError
) -> T:
    """The value as its declared type, with all of its fields and no other.

    An error says which field, below `where`, what was expected there and what came.
    """
    try:
        made = msgspec.convert(given, kind, strict=True)
        _check_no_other(given, made, where, error)
    except msgspec.ValidationError as refusal:
        raise error(_in_words(kind, str(refusal), given, where)) from refusal
    except RecursionError as refusal:
        raise error(f"{where}: nested too deep".removeprefix(": ")) from refusal
    except UnicodeEncodeError as refusal:
        # JSON can escape half of a surrogate pair.
        half = ascii(refusal.object[refusal.start])
        raise error(f"{where}: expected text, got {half} in it".removeprefix(": ")) from refusal
    return made


def _check_no_other(given: object, made: Any, where: str, error: type[IrattnError]) -> None:
    """Refuse a field that no type declares: what was made lacks it."""
    if isinstance(given, dict):
        read = _parts(made)
        for name in given:
            place = _below(where, quoted(name[:40]))
            if name not in read:
                known = f"; there are {', '.join(read):.200}" if is_dataclass(made) else ""
                raise error(f"{place}: not a field{known}")
            _check_no_other(given[name], read[name], place, error)
    elif isinstance(given, list):
        for i, (one, other) in enumerate(zip(given, made, strict=True)):
            _check_no_other(one, other, f"{where}[{i}]", error)


def _parts(made: Any) -> Mapping[str, Any]:
    if is_dataclass(made):
        return {field.name: getattr(made, field.name) for field in fields(made)}
    return dict(made)


def _in_words(kind: type, told: str, given: object, where: str) -> str:
    parts = _TOLD.fullmatch(told)
    assert parts is not None
    keys = _keys(kind, told, parts["path"] or "", given)
    for key in keys:
        where = f"{where}[{key}]" if isinstance(key, int) else _below(where, quoted(key[:40]))
    if missing := _MISSING.fullmatch(parts["what"]):
        return f"{_below(where, missing['name'])}: missing"
    expected = _EXPECTED.fullmatch(parts["what"])
    words = "a number that is one of float64" if expected is None else _expected(expected)
    return f"{where}: expected {words}, got {shown(_at(given, keys))}".removeprefix(": ")


def _keys(kind: type, told: str, path: str, given: object) -> list[Any]:
    """The keys that lead to the refused part; msgspec does not tell those of mappings."""
    keys: list[Any] = []
    for step in _STEP.finditer(path):
        if step["name"] is not None:
            keys.append(step["name"])
        elif step["number"] is not None:
            keys.append(int(step["number"]))
        else:
            mapping = _at(given, keys)
            alone = (one for one in mapping if _told(kind, _with_only(given, keys, one)) == told)
            if (key := next(alone, None)) is None:
                break
            keys.append(key)
    return keys


def _told(kind: type, given: object) -> str:
    try:
        msgspec.convert(given, kind, strict=True)
    except msgspec.ValidationError as refusal:
        return str(refusal)
    return ""


def _at(given: Any, keys: Sequence[Any]) -> Any:
    return reduce(getitem, keys, given)


def _with_only(given: Any, keys: Sequence[Any], key: str) -> Any:
    """The value with one key in the mapping that the keys lead to."""
    if not keys:
        return {key: given[key]}
    changed = given.copy()
    changed[keys[0]] = _with_only(given[keys[0]], keys[1:], key)
    return changed


def _expected(found: re.Match[str]) -> str:
    types = found["types"].split(" | ")
    # Every whole number is a number.
    kinds = [one for one in types if one != "int" or "float" not in types]
    limit = found["limit"].removesuffix(".0")
    for sign, words in (*_LIMITS, *_BOUNDS):
        limit = limit.replace(sign, words)
    return " or ".join(_WORDS[one] for one in kinds) + limit


def _below(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
