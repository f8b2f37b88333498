"""The named specs that ship: compiled by default, tested, and shown by `irattn list`.

A name is `<entry>_<size>`. Tiny entries are f32 and quick enough for every test; base entries have
the sizes of a current model in f16; long and xlong are whole prompts; bench entries are those that
`irattn bench` times. Each op's own module in `irattn.specs` gives its entries.
"""

import difflib
from collections.abc import Iterable

from irattn.core.errors import CatalogueError, quoted
from irattn.specs import CATALOGUE, Spec

# What commands take that are given no names.
SIZES = ("tiny", "base", "long", "xlong")
BENCH = "bench"


def names(sizes: Iterable[str] = SIZES) -> list[str]:
    """The catalogue's names of these sizes, in catalogue order."""
    wanted = set(sizes)
    return [name for name in CATALOGUE if name.rpartition("_")[2] in wanted]


def get(name: str) -> Spec:
    """The spec of a name; CatalogueError with the nearest names where there is none."""
    if name not in CATALOGUE:
        near = difflib.get_close_matches(name.lower(), CATALOGUE, n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(near)}?" if near else "`irattn list` shows the names"
        raise CatalogueError(f"{quoted(name)}: not in the catalogue; {hint}")
    return CATALOGUE[name]
