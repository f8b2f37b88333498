"""What `irattn inspect --waits` prints."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from irattn.cli.common import counted
from irattn.codeobject import CodeObject
from irattn.emulator import missing_waits
from irattn.emulator.measure.waits import TooEarly

Found = Mapping[str, Sequence[TooEarly]]


def found_early(code_objects: Iterable[CodeObject]) -> Found:
    """What comes too early in each kernel, by its name."""
    return {
        kernel.name: missing_waits(kernel, code_object.gfx)
        for code_object in code_objects
        for kernel in code_object.kernels
    }


def print_waits(found: Found) -> bool:
    """A line for each place where a wait is missing; whether there is one."""
    count = sum(map(len, found.values()))
    verdict = counted(range(count), "place lacks one", "places lack one") if count else "none lacks"
    click.echo(f"\nwaits of {counted(found, 'kernel')}: {verdict}")
    for name, early in found.items():
        if early:
            click.echo(f"{name}:")
        for one in early:
            click.echo(f"  {one.instruction.at:#06x}  {one.instruction.name}: {one}")
    return count > 0


def waits_to_dict(found: Found) -> list[dict[str, Any]]:
    """The same for JSON."""
    return [{"kernel": name, **one.to_dict()} for name, early in found.items() for one in early]
