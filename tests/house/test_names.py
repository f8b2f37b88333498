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
