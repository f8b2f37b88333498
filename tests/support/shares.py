"""The order of tests for several workers: each begins with the slow files of its share.

xdist cuts the list of tests into equal runs, one a worker, and who is done takes the end of what
another has left. There lie quick tests then, and not a file whose graphs are compiled together,
which one worker does while the other waits.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def dealt(
    items: Sequence[Item],
    workers: int,
    is_slow: Callable[[Item], bool],
    file_of: Callable[[Item], object],
) -> list[Item]:
    """The items with the slow ones dealt to workers file by file, and quick ones after these."""
    files: dict[object, list[Item]] = {}
    for item in filter(is_slow, items):
        files.setdefault(file_of(item), []).append(item)
    quick = iter([item for item in items if not is_slow(item)])
    order: list[Item] = []
    for worker in range(workers):
        share = [item for file in list(files.values())[worker::workers] for item in file]
        order += [*share, *islice(quick, max(0, len(items) // workers - len(share)))]
    return [*order, *quick]
