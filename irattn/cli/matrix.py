"""`irattn matrix`."""

import math
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Any

import click

from irattn import targets
from irattn.cli.common import (
    choose_specs,
    dialect_option,
    echo_json,
    echo_table,
    executor_option,
    formulation_option,
    json_option,
    requests_of,
    set_option,
    size_option,
)
from irattn.cli.failures import error_to_dict, of_one_task
from irattn.cli.repeat import one_task, say_repeats
from irattn.core.errors import IrattnError, UsageError
from irattn.core.progress import step, steps
from irattn.lab.executors import Executor, check_same_everywhere, executor_of, using
from irattn.lab.iree_versions import (
    ASPECTS,
    RESOURCES,
    Comparing,
    MatrixEntry,
    Outcome,
    Toolchain,
    first_changes,
    is_worse,
    toolchain,
    version_order,
)
from irattn.specs import Spec
from irattn.targets import Target

_WEEK = 7 * 24 * 3600


def _number(context: click.Context, option: click.Parameter, value: float) -> float:
    """Refuse NaN, which is in every range."""
    if math.isnan(value):
        raise click.BadParameter("expected a number, got nan")
    return value


@click.command("matrix")
@click.argument("names", nargs=-1)
@click.option(
    "--iree",
    "versions",
    multiple=True,
    required=True,
    metavar="VERSION",
    help="A version of IREE, e.g. 3.12.0; give two or more.",
)
@click.option(
    "--target",
    "target_names",
    multiple=True,
    default=("cpu",),
    show_default=True,
    help="What to compile for; may be given several times.",
)
@size_option
@dialect_option
@formulation_option
@set_option
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Compilations of each graph, of whose times the median counts.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, _WEEK, min_open=True),
    callback=_number,
    default=300,
    show_default=True,
    help="Seconds that one compilation or run may take.",
)
@executor_option
@json_option
def matrix_command(
    names: tuple[str, ...],
    versions: tuple[str, ...],
    target_names: tuple[str, ...],
    sizes: tuple[str, ...],
    dialect: str,
    formulation: str | None,
    settings: tuple[str, ...],
    repeat: int,
    timeout: float,
    executor_words: str | None,
    as_json: bool,
) -> None:
    """Compile and run catalogue entries NAMES, or the tiny ones, with several versions of IREE.

    Says for each what every version makes of it, and which version is the first to change
    something. Versions other than irattn's own are installed into the user's cache folder. Numbers
    are those of the target's graph on this CPU, compared with the float64 reference. Exits 1 if
    the newest version compiles, runs or computes anything worse than the oldest, or an entry could
    not be compared.

    With --executor, entries are compared beside each other, and workers install versions
    themselves; times of compilation are then those of a busy machine.
    """
    ordered = version_order(versions)
    if len(ordered) < 2:
        raise click.UsageError("--iree: expected two versions or more to compare")
    specs = choose_specs(names, settings, sizes or (() if names else ("tiny",)))
    chosen = list(dict.fromkeys(targets.get(name) for name in target_names))
    requests_of(specs, chosen, formulation, dialect)
    with using(executor_of(executor_words)) if executor_words else nullcontext() as executor:
        if executor:
            check_same_everywhere(executor, chosen)
        is_here = executor is None or not executor.is_elsewhere
        tools: Iterable[Toolchain | str] = map(_prepared, ordered) if is_here else ordered
        how = Comparing(tuple(tools), formulation, dialect, repeat, timeout)
        compared, failed = _compare(specs, chosen, how, executor)
    worse = [one for one in compared if is_worse(one.outcomes[0], one.outcomes[-1])]
    if as_json:
        entries = [_to_dict(one) for one in compared]
        echo_json({"versions": ordered, "entries": entries, "failed": failed})
    else:
        _print(compared, worse)
    say_repeats([one_task(one["name"], one["target"]) for one in failed])
    if worse or failed:
        raise click.exceptions.Exit(1)


def _prepared(version: str) -> Toolchain:
    click.echo(f"IREE {version}", err=True)
    with step(f"installing IREE {version}"):
        return toolchain(version)


def _compare(
    specs: Mapping[str, Spec], chosen: list[Target], how: Comparing, executor: Executor | None
) -> tuple[list[MatrixEntry], list[dict[str, Any]]]:
    """Compare graphs: those that were, and the errors of those that could not be."""
    work = [(target, name) for target in chosen for name in specs]
    calls = {
        (target, name): executor.submit(f"matrix {name}", how, name, specs[name], target).result
        if executor
        else partial(how, name, specs[name], target)
        for target, name in work
    }
    compared, failed = [], []
    for target, name in steps(work, lambda job: f"{job[1]} for {job[0].name}"):
        try:
            compared.append(calls[target, name]())
        except UsageError:
            raise
        except (IrattnError, MemoryError, OSError) as caught:
            error = of_one_task(caught)
            click.echo(f"Error: {target.name} {name}: {error}", err=True)
            failed.append({"name": name, "target": target.name, "error": error_to_dict(error)})
            continue
        verdicts = ", ".join(f"{one.version} {one.verdict}" for one in compared[-1].outcomes)
        click.echo(f"{target.name} {name}: {verdicts}", err=True)
    return compared, failed


def _print(compared: list[MatrixEntry], worse: list[MatrixEntry]) -> None:
    rows = [(one.name, one.target, *_row(outcome)) for one in compared for outcome in one.outcomes]
    headers = ["name", "target", "IREE", "compile s", "error", *RESOURCES, "verdict"]
    echo_table(rows, headers)
    click.echo()
    for one in compared:
        for aspect, version in first_changes(one.outcomes).items():
            click.echo(f"{one.name} for {one.target}: first change in {aspect} with {version}")
    click.echo(f"{len(worse)} of {len(compared)} worse in the newest version than in the oldest")


def _row(outcome: Outcome) -> tuple[Any, ...]:
    where = f"case {outcome.worst_case}" if outcome.verdict == "wrong numbers" else ""
    problem = outcome.compile_error or outcome.run_error or where
    return (
        outcome.version,
        "" if outcome.compile_seconds is None else f"{outcome.compile_seconds:.2f}",
        "" if outcome.relative is None else f"{outcome.relative:.1e}",
        *(outcome.resources.get(name, "") for name in RESOURCES),
        f"{outcome.verdict}: {problem[:80]}" if problem else outcome.verdict,
    )


def _to_dict(one: MatrixEntry) -> dict[str, Any]:
    changes = first_changes(one.outcomes)
    return {
        "name": one.name,
        "target": one.target,
        "versions": [outcome.to_dict() for outcome in one.outcomes],
        "first_changes": {aspect: changes.get(aspect) for aspect in ASPECTS},
        "is_worse": is_worse(one.outcomes[0], one.outcomes[-1]),
    }
