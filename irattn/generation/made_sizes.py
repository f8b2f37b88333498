"""How large what a template makes is at most, told before it is made: numbers of places.

Methods of texts, bytes and numbers, and Jinja's filters, go by their names; what is not here makes
nothing that is much larger than what it is given.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_NUMBER = re.compile(r"\d+")
# Flags, widths and precisions of `%`, and what stands behind the colon of a field in braces, which
# may have fields itself.
_PERCENT = re.compile(r"%(?:\([^)]*\))?([-+ #0-9.*]*)")
_FIELD = re.compile(r":((?:[^{}]|\{[^{}]*\})*)\}")
# A width that is a part of what is given, as `{0[width]}`: not looked up, but taken for too large.
_OF_PART = re.compile(r"\{[^{}]*[.\[]")
_UNKNOWN = 1 << 62


def size_of(value: object) -> int:
    """The characters, items or bits of a value that operators make longer."""
    if isinstance(value, int):
        return value.bit_length()
    return len(value) if isinstance(value, str | bytes | list | tuple) else 0


def size_of_operator(operator: str, left: object, right: object) -> int:
    """The size of the result of an operator."""
    if operator == "**":
        return size_of(left) * right if isinstance(left, int) and isinstance(right, int) else 0
    if operator == "%" and isinstance(left, str | bytes):
        return _percent(left if isinstance(left, str) else left.decode("latin-1"), right)
    if operator == "*":
        for many, count in ((left, right), (right, left)):
            if isinstance(many, str | bytes | list | tuple) and isinstance(count, int):
                return len(many) * count
    return size_of(left) + size_of(right)


def size_of_method(name: str, of: object, *given: Any, **named: Any) -> int:
    """The size of the result of a method of a text, of bytes or of a number."""
    if not isinstance(of, str | bytes | int) or name not in _METHODS:
        return 0
    return _METHODS[name](of, *given, **named)


def size_of_filter(name: str, *given: Any, **named: Any) -> int:
    """The size of the result of one of FILTERS."""
    return FILTERS[name](*given, **named)


def widths_in(text: str) -> int:
    """All whole numbers that a text has, one added to the other."""
    # More digits mean too much as well, and Python does not read thousands of them.
    return sum(int(number[:20]) for number in _NUMBER.findall(text))


def _percent(text: str, given: Any) -> int:
    """Widths in the text and, for each `*`, among what is given."""
    specs = _PERCENT.findall(text)
    values = _values(given)
    stars = _ints(values) if any("*" in spec for spec in specs) else 0
    return len(text) + sum(map(widths_in, specs)) + stars + len(specs) * _longest(values)


def _fields(text: str, *given: Any, **named: Any) -> int:
    """Widths in the text and, where these are fields themselves, in what is given."""
    specs = _FIELD.findall(text)
    values = [*given, *named.values()]
    inner = [one for one in specs if "{" in one]
    if any(map(_OF_PART.search, inner)):
        return _UNKNOWN
    told = _ints(values) + sum(widths_in(one) for one in values if isinstance(one, str))
    own = sum(map(widths_in, specs)) + len(inner) * told
    return len(text) + own + text.count("{") * _longest(values)


def _values(given: Any) -> list[Any]:
    if isinstance(given, Mapping):
        return list(given.values())
    return list(given) if isinstance(given, tuple) else [given]


def _ints(values: Iterable[Any]) -> int:
    return sum(abs(one) for one in values if isinstance(one, int))


def _longest(values: Iterable[Any]) -> int:
    return max(map(size_of, values), default=0)


def _padded(text: Any, width: int = 80, *_: Any) -> int:
    return size_of(text) + width


def _indented(s: Any, width: int | str = 4, *_: Any, **__: Any) -> int:
    text = str(s)
    by = width if isinstance(width, int) else len(width)
    return len(text) + (text.count("\n") + 1) * by


def _replaced(s: Any, old: Any, new: Any, count: int | None = None) -> int:
    text = s if isinstance(s, str | bytes) else str(s)
    times: int = text.count(old)
    return len(text) + (times if count is None or count < 0 else min(times, count)) * len(new)


def _without_tabs(text: Any, tabsize: int = 8) -> int:
    tab = "\t" if isinstance(text, str) else b"\t"
    tabs: int = text.count(tab)
    return len(text) + tabs * tabsize


def _wrapped(
    s: str, width: int = 79, break_long_words: bool = True, wrapstring: str | None = None, *_: Any
) -> int:
    return len(s) * (1 + len(wrapstring or "\n"))


_METHODS: dict[str, Callable[..., int]] = {
    **dict.fromkeys(("ljust", "rjust", "center", "zfill"), _padded),
    "expandtabs": _without_tabs,
    "replace": _replaced,
    "translate": lambda text, table: len(text) * (1 + _longest(_values(table))),
    "to_bytes": lambda _, length=1, *__, **___: length,
    "format": _fields,
    "format_map": lambda text, given: _fields(text, **given),
}
FILTERS: dict[str, Callable[..., int]] = {
    "center": lambda value, width=80: len(str(value)) + width,
    "indent": _indented,
    "replace": _replaced,
    "wordwrap": _wrapped,
    "format": lambda value, *given, **named: _percent(str(value), named or given),
    "batch": lambda value, linecount, fill_with=None: linecount,
    "slice": lambda value, slices, fill_with=None: slices,
}
