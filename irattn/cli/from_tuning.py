"""`--tuning`: the tiles of a tuning file for what is compiled, and what is said of them."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from irattn.core.errors import TuningError
from irattn.lab.executors import versions
from irattn.rendering import GraphRequest

if TYPE_CHECKING:
    from irattn.lab.tuning import TuningEntry


def with_tiles(
    path: Path, work: Iterable[tuple[str, GraphRequest]]
) -> list[tuple[str, GraphRequest]]:
    """Graphs by name, those that a file has tiles for with these; says on stderr what it has not.

    TuningError where it has none of them, or a wrong one, or is no tuning file.
    """
    # Not at the start: it brings the emulator and the benchmark, and few compile with such a file.
    from irattn.lab.tuning import chosen_tile, read_tuning

    tuning = read_tuning(path)
    tiled, missing = [], []
    for name, request in work:
        spec, target = request.spec, request.target
        _check_own_graph(request)
        try:
            entry = chosen_tile(tuning, path, name, spec, target)
        except TuningError as error:
            if tuning.find(spec, target):
                # It is there, and wrong.
                raise
            missing.append(error)
            tiled.append((name, request))
            continue
        tiled.append((name, replace(request, tile=entry.tile)))
        _say_age(path, entry)
    if missing and len(missing) == len(tiled):
        raise missing[0]
    for why in missing:
        click.echo(f"Note: {why}; the tables' tile is used", err=True)
    return tiled


def _check_own_graph(request: GraphRequest) -> None:
    target = request.target
    if request.dialect != "linalg" or request.formulation not in (None, target.formulation):
        raise click.UsageError(
            f"--tuning: tiles are chosen for the linalg graph in the formulation of {target.name}, "
            f"{target.formulation}: leave --dialect and --formulation out"
        )


def _say_age(path: Path, entry: "TuningEntry") -> None:
    """Say that other versions were tuned, or that a search did not come to its end."""
    here = versions()
    for what, now in (("irattn", here.irattn), ("compiler", here.compiler)):
        then = entry.versions.get(what)
        if then != now:
            click.echo(
                f"Note: {path}: {entry.name} for {entry.target} was tuned with {what} {then}, this "
                f"is {now}; tune it again",
                err=True,
            )
    if not entry.is_finished:
        click.echo(
            f"Note: {path}: the search for {entry.name} for {entry.target} did not come to its "
            f"end, and the tables' tile is used; to go on: {entry.command}",
            err=True,
        )
