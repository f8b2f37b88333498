"""Hand what a host program gives an import to the method that answers it: as lists and types."""

import inspect
import itertools
import typing
from collections.abc import Callable
from functools import cache
from typing import Any

from irattn.core.errors import ArtifactError

# The length of a segment that is no list.
_PLAIN = 0xFFFF


def grouped(arguments: list[Any], segments: list[int]) -> list[Any]:
    """Arguments with the lists of a variadic call as lists.

    A segment counts structs whose size it does not tell. Only the last list is one of structs: it
    has what the others leave over.
    """
    if not segments:
        return arguments
    last = max(i for i, length in enumerate(segments) if length != _PLAIN)
    rest = iter(arguments)
    counts = [1 if length == _PLAIN else length for length in segments]
    counts[last] = len(arguments) - sum(counts) + counts[last]
    lists = [list(itertools.islice(rest, count)) for count in counts]
    return [
        values[0] if length == _PLAIN else values
        for length, values in zip(segments, lists, strict=True)
    ]


def check_given(name: str, method: Callable[..., Any], given: list[Any]) -> None:
    """Refuse arguments of an import that are not of the types with which its method is declared."""
    kinds, rest = _kinds_of(method)
    if len(given) < len(kinds) or (rest is None and len(given) > len(kinds)):
        raise ArtifactError(f"{name}: expected {len(kinds)} arguments, got {len(given)}")
    for i, value in enumerate(given):
        check(f"{name}: argument {i}", value, kinds[i] if i < len(kinds) else rest)


@cache
def _kinds_of(method: Callable[..., Any]) -> tuple[list[Any], Any]:
    """The types of a method's arguments, and that of any number of further ones."""
    _, *parameters = inspect.signature(method).parameters.values()
    kinds = [
        (p.kind, list if typing.get_origin(p.annotation) is list else p.annotation)
        for p in parameters
    ]
    further = [kind for place, kind in kinds if place is inspect.Parameter.VAR_POSITIONAL]
    return [kind for _, kind in kinds[: len(kinds) - len(further)]], (further or [None])[0]


def check(what: str, value: Any, kind: Any) -> None:
    """ArtifactError unless a value that a program has is of a type, or one of several."""
    if kind is not Any and not isinstance(value, kind):
        raise ArtifactError(f"{what}: expected {_words(kind)}, got {_words(type(value))}")


def _words(kind: Any) -> str:
    """Types as a message names them: `HostBuffer or Range`."""
    names = [one.__name__.removeprefix("_") for one in typing.get_args(kind) or (kind,)]
    return " or ".join(names).replace("NoneType", "nothing")
