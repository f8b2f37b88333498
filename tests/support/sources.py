"""What the sources of the package, of tests and of tools say; each is parsed once for all tests."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from support.places import ROOT

PACKAGE = ROOT / "irattn"


class Source(NamedTuple):
    """What a file imports, names in full, its classes, and the docstrings in it."""

    imports: tuple[str, ...]
    classes: tuple[str, ...]
    docstrings: tuple[str, ...]


@cache
def modules(room: Path) -> tuple[Path, ...]:
    """The Python files of a folder and of those in it."""
    return tuple(room.rglob("*.py"))


@cache
def source(path: Path) -> Source:
    """What a file says."""
    nodes = list(_statements(ast.parse(path.read_bytes())))
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    docstrings = [ast.get_docstring(node) for node in nodes if isinstance(node, documented)]
    return Source(
        tuple(name for node in nodes for name in _imported(node)),
        tuple(node.name for node in nodes if isinstance(node, ast.ClassDef)),
        tuple(text for text in docstrings if text),
    )


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """A module and all statements in it: without expressions, which are most of a file."""
    yield node
    for name in node._fields:
        within = getattr(node, name)
        for one in within if isinstance(within, list) else ():
            if isinstance(one, ast.stmt | ast.excepthandler | ast.match_case):
                yield from _statements(one)


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    names = [f"{node.module}.{alias.name}" for alias in node.names]
    return [node.module, *names] if node.module else names
