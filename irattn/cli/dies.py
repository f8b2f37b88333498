"""Print how the work of a launch falls on the dies of a chip."""

from collections.abc import Sequence
from typing import Any

import click

from irattn.cli.common import counted, echo_table
from irattn.lab.emulator.measure.dies import DieLoad, Dies

_KIBI = 1024
# Dies are told one by one where all have work, and the slowest takes so many times the mean.
_UNEVEN = 1.05
# Each line once for a die, and once for a workgroup.
_MISSES = ("L2 misses KiB, at least", "at most")


def print_dies(launches: Sequence[tuple[str, Dies]]) -> None:
    """A table of dispatches, by their names, and one of the dies for each that is uneven."""
    if not launches:
        return
    dies = len(launches[0][1].loads)
    click.echo(f"\nworkgroup n runs on die n mod {dies}; the slowest die against the mean of all:")
    rows = [[name, *_row(launch)] for name, launch in launches]
    echo_table(rows, ["dispatch", "workgroups", "time", "matrix", *_MISSES, "work repeats after"])
    for name, launch in launches:
        if launch.worst_time >= _UNEVEN and all(one.workgroups for one in launch.loads):
            _print_uneven(name, launch)


def _row(launch: Dies) -> list[Any]:
    loads, after = launch.loads, launch.repeats_after
    return [
        sum(one.workgroups for one in loads),
        f"{launch.worst_time:.2f}x",
        f"{launch.worst_matrix:.2f}x" if any(one.matrix_instructions for one in loads) else "",
        _kibibytes(sum(one.least_bytes for one in loads)),
        _kibibytes(sum(one.most_bytes for one in loads)),
        "" if after is None else counted(range(after), "workgroup"),
    ]


def _print_uneven(name: str, launch: Dies) -> None:
    click.echo(f"\n{name}, die by die{_why(launch)}:")
    heads = ["die", "workgroups", "instructions of each", "of all", "matrix", "microseconds"]
    rows = [[die, *_die_row(one)] for die, one in enumerate(launch.loads)]
    echo_table(rows, [*heads, *_MISSES])


def _why(launch: Dies) -> str:
    """Why dies differ, where each gets but some kinds of workgroups."""
    kinds, every = launch.kinds_of_each, launch.repeats_after
    if kinds is None or kinds == every:
        return ""
    return f"; each runs {kinds} of the {every} kinds of workgroups"


def _die_row(one: DieLoad) -> list[Any]:
    least, most = one.of_workgroup
    return [
        one.workgroups,
        least if least == most else f"{least} to {most}",
        one.instructions,
        one.matrix_instructions,
        f"{one.microseconds:.2f}",
        _kibibytes(one.least_bytes),
        _kibibytes(one.most_bytes),
    ]


def _kibibytes(size: int) -> str:
    return f"{size / _KIBI:.0f}" if size >= _KIBI else f"{size / _KIBI:.2f}"
