"""`irattn compile`."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from irattn.cli.common import (
    HERE,
    choose_specs,
    counted,
    dialect_option,
    echo_json,
    executor_option,
    formulation_option,
    jobs_option,
    json_option,
    open_executor,
    requests_of,
    set_option,
    size_option,
    store_option,
)
from irattn.cli.failures import error_to_dict
from irattn.cli.from_tuning import with_tiles
from irattn.cli.models import ModelChoice, config_options, echo_layers, say_notes
from irattn.cli.repeat import command_line, one_task, say_repeats
from irattn.cli.work import say_work
from irattn.compiling.several import Built, Failed, build_each
from irattn.compiling.store import Store, default_root
from irattn.core.errors import CompileError
from irattn.lab.executors import Executor, check_same_everywhere, using
from irattn.models import Model
from irattn.rendering import GraphRequest
from irattn.runtime.machine import target_or_here

Job = tuple[str, GraphRequest]


@click.command("compile")
@click.argument("names", nargs=-1)
@click.option(
    "--target",
    "target_names",
    multiple=True,
    help=f"What to compile for, e.g. gfx1100, mi300x or cpu; may be given several times.  {HERE}",
)
@size_option
@config_options
@dialect_option
@formulation_option
@set_option
@click.option(
    "--tuning",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A file of `irattn tune`: its tiles take the place of irattn's tables.",
)
@store_option("--out")
@jobs_option
@executor_option
@json_option
def compile_command(
    names: tuple[str, ...],
    target_names: tuple[str, ...],
    sizes: tuple[str, ...],
    choice: ModelChoice,
    dialect: str,
    formulation: str | None,
    settings: tuple[str, ...],
    tuning: Path | None,
    store: Path | None,
    jobs: int,
    executor_words: str | None,
    as_json: bool,
) -> None:
    """Compile catalogue entries NAMES, or all of them, to artifacts.

    A name may be a spec in JSON, as the log has it of a call that compiles.
    What is in the folder of artifacts already, made from the same inputs, is not compiled again.
    """
    model = choice.read(settings)
    specs = choose_specs(names, settings, sizes, model)
    chosen = dict.fromkeys(target_or_here(name) for name in target_names or [None])
    work = requests_of(specs, chosen, formulation, dialect)
    notes = say_notes(model, chosen)
    if tuning:
        work = with_tiles(tuning, work)
    with using(open_executor(executor_words, jobs)) as executor:
        if not (names or model or as_json):
            say_work(work, executor)
        built, failed = build_all(work, executor, store, quiet=as_json)
    if as_json:
        artifacts = [_to_dict(one, model) for one in built]
        echo_json({"artifacts": artifacts, "failed": failed, **({"notes": notes} if model else {})})
    else:
        click.echo(
            f"{counted(built, 'artifact')} in {store or default_root()}, {len(failed)} failed"
        )
        if model:
            echo_layers(model)
    if failed:
        say_repeats([one_task(one["name"], one["target"]) for one in failed])
        raise click.exceptions.Exit(1)


def build_all(
    work: list[Job], executor: Executor, store: Path | None, quiet: bool
) -> tuple[list[Built], list[dict[str, Any]]]:
    """Build everything, and say how each went; a failure does not stop the others.

    The store is this process's: an executor only compiles.
    """
    check_same_everywhere(executor, (request.target for _, request in work))
    how: dict[str, Any] = {"jobs": executor.jobs, "compile": executor.compile}
    built, failed = [], []
    with closing(build_each(work, Store(store), **how)) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, Failed):
                failed.append(_say_failed(outcome))
                continue
            built.append(outcome)
            if not quiet:
                click.echo(_line(outcome))
    return built, failed


def check_whole(failed: Sequence[object], place: Path) -> None:
    """CompileError where something failed that `place` is to hold; says how to run it again."""
    if failed:
        # What is compiled already is found then.
        say_repeats([command_line()])
        raise CompileError(f"{len(failed)} failed: {place} is not written")


def _say_failed(failed: Failed) -> dict[str, Any]:
    """The failure as `--json` has it; stderr gets it in words too."""
    name, target, error = failed.name, failed.request.target.name, failed.error
    where = "" if name in str(error) else f"{name} for {target}: "
    click.echo(f"Error: {where}{error}", err=True)
    return {"name": name, "target": target, "error": error_to_dict(error)}


def _line(built: Built) -> str:
    where = f"{built.artifact.target}  {built.name}  {built.artifact.path}"
    return f"{built.outcome:8}  {built.seconds:7.2f} s  {where}"


def _to_dict(built: Built, model: Model | None) -> dict[str, Any]:
    manifest = built.artifact.manifest
    layers = {"layers": model.layers[built.name]} if model else {}
    return {
        "name": manifest.name,
        "target": manifest.target,
        "outcome": built.outcome,
        "seconds": round(built.seconds, 3),
        "path": str(built.artifact.path),
        "key": manifest.key,
        "sha256": manifest.sha256,
        **layers,
    }
