"""`irattn repro`."""

from pathlib import Path

import click

from irattn.cli.common import (
    counted,
    dialect_option,
    echo_json,
    formulation_option,
    is_given,
    json_option,
    named_spec,
    set_option,
    store_option,
    target_option,
)
from irattn.compiling.artifact import is_artifact, read_artifact
from irattn.compiling.store import Store
from irattn.lab.inputs import CASES
from irattn.lab.repro import (
    Compilation,
    compilation_of_artifact,
    compilation_of_spec,
    write_reproduction,
)
from irattn.rendering import GraphRequest
from irattn.runtime.machine import target_or_here

# What a folder's artifact has settled already.
_SPEC_OPTIONS = ("target", "dialect", "formulation", "settings", "store")


@click.command("repro")
@click.argument("artifact_or_name")
@target_option("What to compile a name for.")
@click.option(
    "--case",
    type=click.Choice(list(CASES)),
    # All of them in a line are wider than a terminal.
    metavar="CASE",
    help=f"How the inputs are made, as `irattn verify` names it: {', '.join(CASES)}.  "
    "[default: normal]",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write, new or empty.  [default: repro-NAME-TARGET]",
)
@dialect_option
@formulation_option
@set_option
@store_option("--out")
@json_option
def repro_command(
    artifact_or_name: str,
    target: str | None,
    case: str | None,
    seed: int,
    output: Path | None,
    dialect: str,
    formulation: str | None,
    settings: tuple[str, ...],
    store: Path | None,
    as_json: bool,
) -> None:
    """Write a folder that shows a graph with IREE's tools alone, to attach to a compiler bug.

    Takes an artifact's folder or a catalogue NAME, which may be a spec in JSON. The folder holds
    the MLIR, scripts that compile and run it, inputs, outputs as the float64 reference has them,
    and a README. A graph that does not compile gets one too, with what the compiler said.
    """
    if is_artifact(artifact_or_name):
        if is_given(*_SPEC_OPTIONS):
            raise click.UsageError(
                "an artifact's folder is shown as it is: --target, --dialect, --formulation, --set "
                "and --store go with a catalogue name"
            )
        compilation = compilation_of_artifact(read_artifact(Path(artifact_or_name)))
    else:
        name, spec = named_spec(artifact_or_name, settings)
        request = GraphRequest(spec, target_or_here(target), formulation, dialect)
        compilation = compilation_of_spec(request, Store(store), name=name)
    folder = output or Path(f"repro-{compilation.name}-{compilation.target.name}")
    write_reproduction(compilation, folder, case=case, seed=seed)
    _report(compilation, folder, as_json)


def _report(compilation: Compilation, folder: Path, as_json: bool) -> None:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    size = sum(path.stat().st_size for path in files)
    if as_json:
        echo_json(
            {
                "path": str(folder),
                "name": compilation.name,
                "target": compilation.target.name,
                "compiles": compilation.diagnostics is None,
                "bytes": size,
                "files": [path.relative_to(folder).as_posix() for path in files],
            }
        )
        return
    click.echo(f"{folder}: {counted(files, 'file')}, {size / 1024:.1f} KiB")
    for path in files:
        click.echo(f"  {path.relative_to(folder).as_posix()}  {path.stat().st_size}")
    if compilation.diagnostics is not None:
        click.echo(
            f"it shows that {compilation.name} does not compile for {compilation.target.name}"
        )
