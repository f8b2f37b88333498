"""Aliases of a part, apart from those of the other graphs in the same module."""

import re

# The sigil of an alias: what belongs to a dialect has a dot, results are numbered by `#`, and a
# part within the part has put its own prefix there already.
_SIGIL = re.compile(r"(?<!\w)([!#])(?!\w*?__)(?=[A-Za-z_]\w*\b(?!\.))")


def with_own_aliases(text: str, part: str) -> str:
    """The text of a part with its name before every alias (`!query`, `#rows`) that is not yet one.

    Templates know nothing of it, so that one compiled template serves all parts.
    """
    return _SIGIL.sub(rf"\1{part}__", text)
