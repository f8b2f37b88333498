"""`irattn export`."""

from pathlib import Path

import click

from irattn.binary.exporting import write_hsaco
from irattn.cli.common import counted, echo_json, json_option
from irattn.cli.renamed import RenamedOption
from irattn.compiling.artifact import read_artifact


@click.command("export")
@click.argument("artifact", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "folder",
    cls=RenamedOption,
    old_words=("--hsaco",),
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write, new or empty.",
)
@json_option
def export_command(artifact: Path, folder: Path, as_json: bool) -> None:
    """Write the machine code of an ARTIFACT's folder for HIP hosts that do without IREE.

    The folder holds the code objects, launch.json, which says how to launch them, and the same as a
    C header with an example. README.md in it tells how to build and run that.
    """
    plan = write_hsaco(read_artifact(artifact), folder)
    files = sorted(path.name for path in folder.iterdir())
    if as_json:
        echo_json({"path": str(folder), "name": plan.name, "gfx": plan.gfx, "files": files})
        return
    counts = f"{counted(plan.kernels, 'kernel')}, {counted(plan.steps, 'step')}"
    click.echo(f"{folder}: {plan.name} for {plan.gfx}, {counts}")
    for file in files:
        click.echo(f"  {file}  {(folder / file).stat().st_size}")
