"""Read JSON that others may have written: one object, no key twice, nothing beyond the standard."""

import json
import math
from typing import Any

from irattn.core.errors import ArtifactError, printable, shown

_MAX_BYTES = 1 << 20
# Python refuses to read more than 4300.
_MAX_DIGITS = 4000

# What JSON may have in place of an object.
_OTHERS = {str: "text", list: "a list", int: "a number", float: "a number", type(None): "null"}


def loads(text: str, **how: Any) -> Any:
    """The value of a JSON text; ValueError or RecursionError for other text, or beyond bounds.

    Files come in through here: without it, Python's own words for long numbers tell a user to
    change the interpreter.
    """
    return json.loads(text, parse_int=_whole_number, **how)


def _whole_number(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"a number has {len(digits)} digits, expected at most {_MAX_DIGITS}")
    return int(digits)


def parse_json(data: bytes, most_bytes: int = _MAX_BYTES) -> dict[str, Any]:
    """A JSON object; ArtifactError for anything else, and for a key that is there twice."""
    if len(data) > most_bytes:
        raise ArtifactError(f"expected at most {most_bytes} bytes, got {len(data)}")
    try:
        parsed = loads(
            data.decode("utf-8"),
            object_pairs_hook=unique,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except (ValueError, RecursionError) as error:
        raise ArtifactError(f"not readable as JSON: {printable(error)}") from error
    if not isinstance(parsed, dict):
        raise ArtifactError(f"expected a JSON object, got {_OTHERS.get(type(parsed), 'a bool')}")
    return parsed


def check_format(fields: dict[str, Any], version: int) -> None:
    """Refuse another format version before anything else is read."""
    stated = fields.get("format_version")
    if type(stated) is not int or stated != version:
        raise ArtifactError(f"expected format version {version}, got {shown(stated)}")


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object; ValueError for a key that is there twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key is there twice")
    return fields


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits:.40} is beyond float64")
    return number
