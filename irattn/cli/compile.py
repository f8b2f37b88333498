"""`irattn compile`."""

import sys
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import click

from irattn import targets
from irattn.artifact import Artifact
from irattn.build import build
from irattn.cli.common import (
    check_all_sayable,
    choose_specs,
    counted,
    dialect_option,
    echo_json,
    formulation_option,
    jobs_option,
    json_option,
    out_option,
    set_option,
    size_option,
)
from irattn.cli.models import ModelChoice, config_options, echo_layers, say_notes
from irattn.errors import IrattnError
from irattn.models import Model
from irattn.specs import Spec
from irattn.store import default_root
from irattn.targets import Target

Job = tuple[str, Spec, Target]


@click.command("compile")
@click.argument("names", nargs=-1)
@click.option(
    "--target",
    "target_names",
    multiple=True,
    required=True,
    help="What to compile for, e.g. gfx1100, mi300x or cpu; may be given several times.",
)
@size_option
@config_options
@dialect_option
@formulation_option
@set_option
@out_option
@jobs_option
@json_option
def compile_command(
    names: tuple[str, ...],
    target_names: tuple[str, ...],
    sizes: tuple[str, ...],
    choice: ModelChoice,
    dialect: str,
    formulation: str | None,
    settings: tuple[str, ...],
    out: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Compile catalogue entries NAMES, or all of them, to artifacts.

    What is in the folder of artifacts already, made from the same inputs, is not compiled again.
    """
    model = choice.read(settings)
    specs = choose_specs(names, settings, sizes, model)
    chosen = dict.fromkeys(targets.get(name) for name in target_names)
    check_all_sayable(specs, chosen, formulation, dialect)
    notes = say_notes(model, chosen)
    work = [(name, spec, target) for target in chosen for name, spec in specs.items()]
    built, failed = build_all(work, jobs, dialect, formulation, out, quiet=as_json)
    if as_json:
        artifacts = [_to_dict(artifact, model) for artifact in built]
        echo_json({"artifacts": artifacts, "failed": failed, **({"notes": notes} if model else {})})
    else:
        click.echo(f"{counted(built, 'artifact')} in {out or default_root()}, {len(failed)} failed")
        if model:
            echo_layers(model)
    if failed:
        raise click.exceptions.Exit(1)


def build_all(
    work: list[Job],
    jobs: int,
    dialect: str,
    formulation: str | None,
    out: Path | None,
    quiet: bool,
) -> tuple[list[Artifact], list[dict[str, str]]]:
    """Build everything, as much at a time as `jobs` says; a failure does not stop the others."""
    on_terminal = sys.stderr.isatty()
    built: dict[Job, Artifact] = {}
    failed = []
    pool = ThreadPoolExecutor(jobs)
    futures: dict[Future[Artifact], Job] = {
        pool.submit(
            build, spec, target, name=name, dialect=dialect, formulation=formulation, root=out
        ): (name, spec, target)
        for name, spec, target in work
    }
    try:
        with _progress(len(work), hidden=quiet or not on_terminal) as bar:
            for future in as_completed(futures):
                name, _, target = job = futures[future]
                try:
                    built[job] = future.result()
                    if not (quiet or on_terminal):
                        click.echo(f"{target.name}  {name}  {built[job].path}")
                except (IrattnError, OSError) as error:
                    failed.append({"name": name, "target": target.name, "error": str(error)})
                    click.echo(f"Error: {error}", err=True)
                bar.update(1)
    finally:
        # After Ctrl-C, what has not started does not start.
        pool.shutdown(cancel_futures=True)
    return [built[job] for job in work if job in built], failed


def _progress(length: int, hidden: bool) -> Any:
    return click.progressbar(
        length=length,
        label="compiling",
        file=sys.stderr,
        show_pos=True,
        hidden=hidden,
    )


def _to_dict(artifact: Artifact, model: Model | None) -> dict[str, Any]:
    manifest = artifact.manifest
    layers = {"layers": model.layers[manifest.name]} if model else {}
    return {
        "name": manifest.name,
        "target": manifest.target,
        "path": str(artifact.path),
        "key": manifest.key,
        "sha256": manifest.sha256,
        **layers,
    }
