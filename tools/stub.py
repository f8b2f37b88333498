#!/usr/bin/env python3
"""Write `irattn/__init__.pyi`: the public names and their homes, for editors and type checkers."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import irattn

STUB = Path(irattn.__file__).with_suffix(".pyi")

INTRODUCTION = (
    '"""The public names, for editors and type checkers: `__init__.py` loads each on first use.\n\n'
    '`python3 tools/stub.py` writes this file.\n"""'
)

WIDTH = 100


def main() -> None:
    STUB.write_text(stub(), encoding="utf-8")


def stub() -> str:
    """The file: imports as ruff orders them, then every name."""
    names = dir(irattn)
    listed = "".join(f'    "{name}",\n' for name in names)
    told = f"__version__: str\n\n__all__ = [\n{listed}]\n"
    return f"{INTRODUCTION}\n\n{''.join(imports(names))}\n{told}"


def imports(names: list[str]) -> Iterator[str]:
    """An import for each module: on one line, or a name a line where that is too long."""
    homes = defaultdict(list)
    for name in names:
        homes[irattn._HOMES.get(name) or getattr(irattn, name).__module__].append(name)
    for home in sorted(homes):
        # Classes before functions.
        ordered = sorted(homes[home], key=lambda name: (name[0].islower(), name.lower()))
        line = f"from {home} import {', '.join(ordered)}\n"
        if len(line) <= WIDTH + 1:
            yield line
        else:
            yield f"from {home} import (\n" + "".join(f"    {one},\n" for one in ordered) + ")\n"


if __name__ == "__main__":
    main()
