"""Note the progress of long work where it is done, for whoever looks.

The notes are those of the whole process: the emulator works in threads of IREE's driver, and who
looks does so from a thread of its own.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_notes: dict[object, str] = {}


@contextmanager
def step(words: str = "") -> Iterator[Callable[[str], None]]:
    """Note what is being done, until it is done; what this gives changes the words."""
    key = object()

    def note(words: str) -> None:
        _notes[key] = words

    note(words)
    try:
        yield note
    finally:
        del _notes[key]


def steps(items: Collection[T], words: Callable[[T], str]) -> Iterator[T]:
    """The items one by one, each noted with its place: `3 of 9: case uniform`.

    One that is alone is noted without.
    """
    with step() as note:
        for number, item in enumerate(items, 1):
            place = f"{number} of {len(items)}: " if len(items) > 1 else ""
            note(place + words(item))
            yield item


def now() -> list[str]:
    """The work of this moment in words, the outermost first."""
    return [words for words in tuple(_notes.values()) if words]
