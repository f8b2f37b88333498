"""MLIR text without what means nothing: comments, white space, and the names of values."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from itertools import count

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*") | (?P<comment>//[^\n]*) | -> | %[\w$.-]+ | \^[\w$.-]+
    | [!\#@]?[\w$.]+ | \S""",
    re.VERBOSE,
)
# `#rows = affine_map<…>`, on one line or more: it ends where the next one or an operation begins.
_ALIAS = re.compile(r"^([!#][A-Za-z_][\w$]*)\s*=\s*(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
_AFFINE = re.compile(r"(?P<head>affine_(?:map|set)<)\((?P<d>[^()]*)\)\s*(?:\[(?P<s>[^\]]*)\])?")
_NAME = re.compile(r"[A-Za-z_]\w*")

# What stands before the name of a function that is defined, and before the arguments of a region.
_BEFORE_FUNCTIONS = ("func.func", "util.func", "private", "public")
_BEFORE_ARGUMENTS = ("scf.forall", "workgroups", "count")


def normalised_sha256(text: str) -> str:
    """Digest that is equal for texts which differ only in what means nothing."""
    return hashlib.sha256(normalised(text).encode()).hexdigest()


def normalised(text: str) -> str:
    """MLIR text as one line: aliases spelled out, values and dimensions numbered.

    A value gets a new number wherever it is defined, so that functions and regions may use a name
    again. Equal results mean equal graphs; graphs that are equal for deeper reasons may still
    differ. IREE's own printing would number values, too, but a baseline outlives its version.
    """
    text = _with_numbered_dimensions(_without_comments(text))
    aliases = dict(_ALIAS.findall(text))
    tokens = list(_expanded(_tokens(_ALIAS.sub("", text)), aliases))
    return " ".join(_with_numbered_values(tokens))


def readable(text: str) -> list[str]:
    """The lines of MLIR text without comments and blank lines, for a person's diff."""
    return [line.rstrip() for line in _without_comments(text).splitlines() if line.strip()]


def _without_comments(text: str) -> str:
    return _TOKEN.sub(lambda token: "" if token["comment"] is not None else token[0], text)


def _tokens(text: str) -> Iterator[str]:
    return (token[0] for token in _TOKEN.finditer(text))


def _expanded(tokens: Iterator[str], aliases: Mapping[str, str]) -> Iterator[str]:
    for token in tokens:
        if token in aliases:
            yield from _expanded(_tokens(aliases[token]), aliases)
        else:
            yield token


def _with_numbered_values(tokens: list[str]) -> Iterator[str]:
    numbers = count()
    # What names stand for, in each region that is open.
    scopes: list[dict[str, int]] = [{}]
    for at, (token, bracket) in enumerate(zip(tokens, _innermost(tokens), strict=True)):
        if token == "{":
            scopes.append(dict(scopes[-1]))
        elif token == "}":
            scopes.pop()
        if not token.startswith("%"):
            yield token
            continue
        if token not in scopes[-1] or _is_defined(tokens, at, bracket):
            scopes[-1][token] = next(numbers)
        yield f"%{scopes[-1][token]}"


def _innermost(tokens: list[str]) -> Iterator[int | None]:
    """Where the innermost bracket that is open at each token begins; None where none is."""
    opened: list[int] = []
    for at, token in enumerate(tokens):
        yield opened[-1] if opened else None
        if token in ("(", "[", "{"):
            opened.append(at)
        elif token in (")", "]", "}"):
            opened.pop()


def _is_defined(tokens: list[str], at: int, bracket: int | None) -> bool:
    """Whether the value at a place among the tokens begins there, in the innermost open bracket."""
    if bracket is not None and tokens[bracket] != "{":
        # `iter_args(%x = %first)`, and what is named for a region.
        return tokens[at + 1] == "=" or _holds_arguments(tokens, bracket)
    # `%x = …`, `%x:3 = …` or `%x, %y = …`.
    while tokens[at + 1 : at + 2] == [","] and tokens[at + 2].startswith("%"):
        at += 2
    following = tokens[at + 1 : at + 4]
    return following[:1] == ["="] or following[::2] == [":", "="]


def _holds_arguments(tokens: list[str], bracket: int) -> bool:
    """Whether a bracket holds the arguments of a function, a block or another region."""
    before, word = tokens[bracket - 2 : bracket] if bracket > 1 else ("", "")
    is_function = word.startswith("@") and before in _BEFORE_FUNCTIONS
    is_block = word.startswith("^") and before == "{"
    is_dispatch = word == "=" and tokens[bracket + 2] == ":"
    return is_function or is_block or is_dispatch or word in _BEFORE_ARGUMENTS


def _with_numbered_dimensions(text: str) -> str:
    """Affine maps with the dimensions d0, d1, … and the symbols s0, s1, … in place of names."""
    pieces = []
    end = 0
    for affine in _AFFINE.finditer(text):
        close = _closing(text, affine.end("head"))
        names = {
            name: f"{letter}{index}"
            for letter in ("d", "s")
            for index, name in enumerate(_NAME.findall(affine[letter] or ""))
        }
        pieces += [
            text[end : affine.end("head")],
            _renamed(text[affine.end("head") : close], names),
        ]
        end = close
    return "".join([*pieces, text[end:]])


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda name: names.get(name[0], name[0]), text)


def _closing(text: str, start: int) -> int:
    """Where the bracket closes that is open at `start`."""
    depth = 1
    for bracket in re.compile(r"->|>=|<=|[<>]").finditer(text, start):
        depth += {"<": 1, ">": -1}.get(bracket[0], 0)
        if depth == 0:
            return bracket.start()
    return len(text)
