"""One word has one meaning: what the names of classes are held to."""

import ast
from collections import Counter
from pathlib import Path

import irattn

# A module of `benchmark.sides` is a library, and its Side how that is timed.
SAME_MEANING = {"Side"}


def test_no_two_classes_share_a_name():
    names = Counter(
        node.name
        for path in Path(irattn.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in names.items() if count > 1} == SAME_MEANING


# Words that only who has read what stands above can refer to.
_REFERRING = ("As", "It", "Its", "Of", "Others", "That", "The others", "The same", "These", "They")
_REFERRING += ("Them", "This", "Those", "What", "Whose")


def test_docstrings_name_their_subject():
    """A docstring is read alone: on the API page, in an editor, by `help`."""
    package = Path(irattn.__file__).parent
    nameless = [
        f"{path.relative_to(package)}: {text}"
        for path in package.rglob("*.py")
        for text in docstrings(path)
        if text.startswith(tuple(f"{word} " for word in _REFERRING))
    ]
    assert nameless == []


def docstrings(path):
    """The docstrings of a file: of the module, of classes and of functions."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    nodes = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, kinds)]
    return [text for node in nodes if (text := ast.get_docstring(node))]
