"""`irattn baseline`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from irattn import targets
from irattn.cli.common import (
    Command,
    counted,
    echo_json,
    executor_option,
    jobs_option,
    json_option,
    open_executor,
    requests_of,
    store_option,
)
from irattn.cli.compile import build_all
from irattn.cli.given_options import CheckedGroup
from irattn.cli.renamed import RenamedOption
from irattn.cli.work import say_work
from irattn.compiling import catalog
from irattn.compiling.artifact import Artifact, artifacts_in, read_artifact
from irattn.core.errors import CompileError
from irattn.core.progress import steps
from irattn.lab.comparison import update_baseline
from irattn.lab.executors import using

_TARGETS = ("gfx1100", "gfx1201", "gfx942")


def _output_option(*old_words: str) -> Callable[[Command], Command]:
    return click.option(
        "-o",
        "--output",
        cls=RenamedOption,
        old_words=old_words,
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("artifacts"),
        show_default=True,
        help="Folder of baseline files.",
    )


@click.group("baseline", cls=CheckedGroup)
def baseline_command() -> None:
    """The figures of artifacts, as files that a repository keeps."""


@baseline_command.command("update")
@click.argument("names", nargs=-1)
@click.option(
    "--store",
    cls=RenamedOption,
    old_words=("--artifacts",),
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    required=True,
    help="The artifacts: a folder of them, or of one.",
)
@click.option(
    "--target", "target_names", multiple=True, help="Only artifacts for it; may be repeated."
)
@click.option("--prune", is_flag=True, help="Remove files of artifacts that --store has not.")
@_output_option("--out")
@json_option
def update_command(
    names: tuple[str, ...],
    store: Path,
    target_names: tuple[str, ...],
    prune: bool,
    output: Path,
    as_json: bool,
) -> None:
    """Write <output>/<target>/<name>.json for each artifact in a folder, or for those called NAMES.

    Nothing is compiled. Certificates beside files that change are removed: `irattn certify` makes
    them again. `git diff` then shows which figures changed.
    """
    if prune and (names or target_names):
        raise click.UsageError("--prune: goes with all artifacts, not with NAMES or --target")
    artifacts = _chosen(store, names, {targets.get(name).name for name in target_names})
    _write(artifacts, output, as_json, are_all=prune)


@baseline_command.command("catalogue")
@click.argument("names", nargs=-1)
@click.option(
    "--target",
    "target_names",
    multiple=True,
    default=_TARGETS,
    show_default=", ".join(_TARGETS),
    help="What to compile for; may be given several times.",
)
@_output_option()
@store_option()
@jobs_option
@executor_option
@json_option
def catalogue_command(
    names: tuple[str, ...],
    target_names: tuple[str, ...],
    output: Path,
    store: Path | None,
    jobs: int,
    executor_words: str | None,
    as_json: bool,
) -> None:
    """Compile catalogue entries NAMES, or every base entry, and write their baseline files.

    As `irattn compile` and then `irattn baseline update`: what is compiled already is not compiled
    again. Without NAMES, files of entries that are gone are removed.
    """
    chosen = dict.fromkeys(targets.get(name) for name in target_names)
    specs = {name: catalog.get(name) for name in names or catalog.names(["base"])}
    work = requests_of(specs, chosen)
    with using(open_executor(executor_words, jobs)) as executor:
        if not (names or as_json):
            say_work(work, executor)
        built, failed = build_all(work, executor, store, quiet=True)
    if failed:
        raise CompileError(f"{len(failed)} failed: no baseline is written")
    _write([one.artifact for one in built], output, as_json, are_all=not names)


def _chosen(store: Path, names: Sequence[str], wanted: set[str]) -> list[Artifact]:
    """The artifacts in a folder that were asked for; ArtifactError where there are none at all.

    UsageError for a name or a target that none of them has.
    """
    # Reading a folder that has none says so.
    every = artifacts_in(store) or [read_artifact(store)]
    known = {one.target for one in every}
    for target in sorted(wanted - known):
        shown = ", ".join(sorted(known))
        raise click.UsageError(f"--target: {target} is not among the artifacts' targets: {shown}")
    artifacts = [one for one in every if not wanted or one.target in wanted]
    there = {one.manifest.name for one in artifacts}
    for name in names:
        if name not in there:
            shown = ", ".join(sorted(there))
            raise click.UsageError(f"NAMES: {name} is not among the artifacts: {shown:.300}")
    return [one for one in artifacts if not names or one.manifest.name in names]


def _write(artifacts: Sequence[Artifact], output: Path, as_json: bool, *, are_all: bool) -> None:
    """Write the files, and say which of them changed."""
    written, gone = update_baseline(steps(artifacts, _words), output, are_all=are_all)
    if as_json:
        files: dict[str, Any] = {"written": [*map(str, written)], "removed": [*map(str, gone)]}
        echo_json({"path": str(output), "baselines": len(artifacts), **files})
        return
    for file in gone:
        click.echo(f"removed {file}")
    for file in written:
        click.echo(f"wrote {file}")
    figures = f"{len(written)} changed, {len(gone)} removed"
    click.echo(f"{counted(artifacts, 'baseline')} in {output}, {figures}")


def _words(artifact: Artifact) -> str:
    return f"figures of {artifact.manifest.name} for {artifact.target}"
