"""Options and output that several commands share."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from irattn.cli.renamed import RenamedOption
from irattn.cli.tables import table, terminal_width
from irattn.compiling import catalog
from irattn.compiling.build import spec_name
from irattn.core.errors import CatalogueError
from irattn.lab.executors import Executor, Local, executor_of
from irattn.models import Model
from irattn.rendering import DIALECTS, FORMULATIONS, GraphRequest
from irattn.specs import Spec, apply_settings, spec_from_json
from irattn.targets import Target

Command = TypeVar("Command", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="FIELD=VALUE",
    help="Change a field of the spec, e.g. --set io_dtype=bf16 --set q_len=100.",
)


def store_option(*old_words: str) -> Callable[[Command], Command]:
    """Where artifacts are kept and found; `old_words` are what a command called it once."""
    return click.option(
        "--store",
        cls=RenamedOption,
        old_words=old_words,
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Where artifacts are kept and found.  [default: $IRATTN_CACHE or the user's cache "
        "folder]",
    )


dialect_option = click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    default="linalg",
    show_default=True,
    help="Dialect of the graph.",
)

formulation_option = click.option(
    "--formulation",
    type=click.Choice(FORMULATIONS),
    help="Formulation of the linalg graph.  [default: fused for GPUs, blocked for CPUs]",
)

HERE = "[default: this machine's GPU, else its CPU]"


def target_option(what: str) -> Callable[[Command], Command]:
    """--target of a command that has one, and takes this machine's without."""
    return click.option("--target", help=f"{what}  {HERE}")


size_option = click.option(
    "--size",
    "sizes",
    type=click.Choice((*catalog.SIZES, catalog.BENCH)),
    multiple=True,
    help="Only catalogue entries of this size.",
)

jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=os.cpu_count(),
    show_default="one a core",
    help="Compilations at a time.",
)

executor_option = click.option(
    "--executor",
    "executor_words",
    metavar="local:N|dask://HOST:PORT",
    help="Where to work: in N processes here, or on the workers of a dask cluster.",
)


def open_executor(words: str | None, jobs: int) -> Executor:
    """Open the executor that --executor names, else --jobs processes on this machine."""
    if words is None:
        return Local(jobs)
    if is_given("jobs"):
        raise click.UsageError("--jobs N is short for --executor local:N: give one of them")
    return executor_of(words)


def choose_specs(
    names: Sequence[str],
    settings: tuple[str, ...],
    sizes: Sequence[str] = (),
    model: Model | None = None,
) -> dict[str, Spec]:
    """The specs that a command line names or has in JSON; of none, the catalogue but for `bench`.

    Specs of a model have the settings already, and names that tell them.
    """
    if model and (names or sizes):
        raise click.UsageError(f"give {'names' if names else '--size'} or --config, not both")
    if names and sizes:
        raise click.UsageError("give names or --size, not both")
    if model:
        return model.specs
    chosen = names or catalog.names(sizes or catalog.SIZES)
    return dict(named_spec(word, settings) for word in chosen)


def named_spec(word: str, settings: tuple[str, ...]) -> tuple[str, Spec]:
    """The changed spec that a word names, or is in JSON, then by the name that calls look for."""
    if word.startswith("{"):
        spec = apply_settings(spec_from_json(word), settings)
        return spec_name(spec), spec
    if Path(word).suffix == ".json" and Path(word).is_file():
        raise CatalogueError(f'{word}: a spec is given as text, not as a file: "$(cat {word})"')
    return changed_name(word, settings), apply_settings(catalog.get(word), settings)


def changed_name(name: str, settings: tuple[str, ...]) -> str:
    """The name of a spec changed by `--set`: `gqa_causal_base+q_len=100`."""
    changed = re.sub(r"[^A-Za-z0-9._+=-]", "_", "+".join([name, *sorted(settings)]))
    if len(changed) <= 120:
        return changed
    return f"{name}+{hashlib.sha256(changed.encode()).hexdigest()[:12]}"


def is_given(*options: str) -> bool:
    """Whether any of these options of the running command was given on the command line."""
    source = click.get_current_context().get_parameter_source
    return any(source(name) is ParameterSource.COMMANDLINE for name in options)


def requests_of(
    specs: Mapping[str, Spec],
    chosen: Iterable[Target],
    formulation: str | None = None,
    dialect: str = "linalg",
) -> list[tuple[str, GraphRequest]]:
    """The graphs of specs by name, target by target; RenderError for one that cannot be said."""
    return [
        (name, GraphRequest(spec, target, formulation, dialect))
        for target in chosen
        for name, spec in specs.items()
    ]


def echo_json(data: Any) -> None:
    """Print JSON to stdout."""
    click.echo(json.dumps(data, indent=2, allow_nan=False))


def counted(things: Sized | int, one: str, many: str = "") -> str:
    """How many things there are, with their name: 1 artifact, 2 artifacts."""
    count = things if isinstance(things, int) else len(things)
    return f"{count} {one if count == 1 else many or one + 's'}"


def echo_table(rows: Iterable[Sequence[Any]], headers: Sequence[str]) -> None:
    """Print an aligned table to stdout."""
    click.echo(table(rows, headers, terminal_width()))
