"""One word has one meaning: what the names of classes are held to."""

from collections import Counter

from support.sources import PACKAGE, modules, source

# A module of `benchmark.sides` is a library, and its Side how that is timed.
SAME_MEANING = {"Side"}


def test_no_two_classes_share_a_name():
    names = Counter(
        name
        for path in modules(PACKAGE)
        for name in source(path).classes
        if not name.startswith("_")
    )
    assert {name for name, count in names.items() if count > 1} == SAME_MEANING


# Words that only who has read what stands above can refer to.
_REFERRING = ("As", "It", "Its", "Of", "Others", "That", "The others", "The same", "These", "They")
_REFERRING += ("Them", "This", "Those", "What", "Whose")


def test_docstrings_name_their_subject():
    """A docstring is read alone: on the API page, in an editor, by `help`."""
    nameless = [
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in modules(PACKAGE)
        for text in source(path).docstrings
        if text.startswith(tuple(f"{word} " for word in _REFERRING))
    ]
    assert nameless == []
