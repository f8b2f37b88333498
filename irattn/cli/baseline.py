"""`irattn baseline`."""

import os
from pathlib import Path

import click

from irattn import catalog, targets
from irattn.artifact import Artifact
from irattn.cli.common import counted, echo_json, json_option
from irattn.cli.compile import build_all
from irattn.cli.given_options import CheckedGroup
from irattn.comparison import update_baseline
from irattn.errors import CompileError
from irattn.executors import Local
from irattn.progress import steps

_TARGETS = ("gfx1100", "gfx1201", "gfx942")


@click.group("baseline", cls=CheckedGroup)
def baseline_command() -> None:
    """The figures of the catalogue's artifacts, as files that a repository keeps."""


@baseline_command.command("update")
@click.argument("names", nargs=-1)
@click.option(
    "--target",
    "target_names",
    multiple=True,
    default=_TARGETS,
    show_default=", ".join(_TARGETS),
    help="What to compile for; may be given several times.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("artifacts"),
    show_default=True,
    help="Folder of baseline files.",
)
@click.option(
    "--artifacts",
    "store",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of artifacts to take and to compile into.  [default: $IRATTN_CACHE]",
)
@json_option
def update_command(
    names: tuple[str, ...],
    target_names: tuple[str, ...],
    out: Path,
    store: Path | None,
    as_json: bool,
) -> None:
    """Write <out>/<target>/<name>.json for catalogue entries NAMES, or every base entry.

    Without NAMES, files of entries that are gone are removed, and always certificates beside files
    that change: `irattn certify` makes them again. What is compiled already is not compiled again.
    `git diff` then shows which figures changed.
    """
    chosen = dict.fromkeys(targets.get(name) for name in target_names)
    specs = {name: catalog.get(name) for name in names or catalog.names(["base"])}
    work = [(name, spec, target) for target in chosen for name, spec in specs.items()]
    built, failed = build_all(work, Local(os.cpu_count() or 1), "linalg", None, store, quiet=True)
    if failed:
        raise CompileError(f"{len(failed)} failed: no baseline is written")
    artifacts = [one.artifact for one in built]
    written, gone = update_baseline(steps(artifacts, _words), out, are_all=not names)
    if as_json:
        files = {"written": [*map(str, written)], "removed": [*map(str, gone)]}
        echo_json({"path": str(out), "baselines": len(artifacts), **files})
        return
    for file in gone:
        click.echo(f"removed {file}")
    for file in written:
        click.echo(f"wrote {file}")
    click.echo(
        f"{counted(artifacts, 'baseline')} in {out}, {len(written)} changed, {len(gone)} removed"
    )


def _words(artifact: Artifact) -> str:
    return f"figures of {artifact.manifest.name} for {artifact.target}"
