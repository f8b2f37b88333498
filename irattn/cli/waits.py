"""Print the waits that kernels lack: `irattn inspect --waits`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from irattn.binary.codeobject import CodeObject
from irattn.cli.common import counted
from irattn.lab.emulator import missing_waits
from irattn.lab.emulator.measure.waits import TooEarly

MissingWaits = Mapping[str, Sequence[TooEarly]]


def missing_by_kernel(code_objects: Iterable[CodeObject]) -> MissingWaits:
    """The instructions that come too early in each kernel, by its name."""
    return {
        kernel.name: missing_waits(kernel, code_object.gfx)
        for code_object in code_objects
        for kernel in code_object.kernels
    }


def print_waits(missing: MissingWaits) -> bool:
    """A line for each place where a wait is missing; whether there is one."""
    count = sum(map(len, missing.values()))
    verdict = counted(range(count), "place lacks one", "places lack one") if count else "none lacks"
    click.echo(f"\nwaits of {counted(missing, 'kernel')}: {verdict}")
    for name, early in missing.items():
        if early:
            click.echo(f"{name}:")
        for one in early:
            click.echo(f"  {one.instruction.at:#06x}  {one.instruction.name}: {one}")
    return count > 0


def waits_to_dict(missing: MissingWaits) -> list[dict[str, Any]]:
    """Missing waits for JSON: one object each, with the name of the kernel."""
    return [{"kernel": name, **one.to_dict()} for name, early in missing.items() for one in early]
