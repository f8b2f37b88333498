"""Aliases of templates, apart from those of the other graphs in the same module."""

import re
from typing import ClassVar

from jinja2.ext import Extension

# The sigil of an alias: what belongs to a dialect has a dot, and results are numbered by `#`.
_SIGIL = re.compile(r"(?<!\w)(?<!}})([!#])(?=\{\{|[A-Za-z_]\w*\b(?!\.))")


class OwnAliases(Extension):
    """Puts a prefix before every alias (`!query`, `#rows`) that a template defines or names."""

    prefix: ClassVar[str]

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source with its aliases prefixed; template comments are as they were."""
        return "".join(
            line if line.lstrip().startswith("//#") else _SIGIL.sub(rf"\1{self.prefix}", line)
            for line in source.splitlines(keepends=True)
        )


def own_aliases(part: str) -> type[OwnAliases]:
    """The extension for the templates of a part of that name."""
    return type("OwnAliases", (OwnAliases,), {"prefix": f"{part}__"})
