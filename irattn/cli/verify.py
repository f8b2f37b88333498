"""`irattn verify`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import click

from irattn import targets
from irattn.cli.common import (
    choose_specs,
    dialect_option,
    echo_json,
    echo_table,
    executor_option,
    formulation_option,
    is_given,
    json_option,
    requests_of,
    set_option,
    size_option,
    store_option,
    target_option,
)
from irattn.cli.devices import device_option
from irattn.cli.failures import error_to_dict, of_one_task
from irattn.cli.models import CONFIG_OPTIONS, ModelChoice, config_options, say_notes
from irattn.cli.repeat import command_line, one_task, say_repeats
from irattn.cli.stages import print_stages
from irattn.compiling.loadable import is_path
from irattn.core.errors import IrattnError, UsageError
from irattn.core.progress import steps
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.emulated_gpu.device import EMULATORS
from irattn.lab.executors import executor_of, using
from irattn.lab.verification import StagesVerdict, Verdict, Verifier
from irattn.runtime.machine import target_or_here

# What verifying gives, or why it could not.
Outcome: TypeAlias = Verdict | StagesVerdict | IrattnError
Verify: TypeAlias = Callable[[], Verdict | StagesVerdict]

# What a folder's artifact has settled already.
SPEC_OPTIONS = (
    *("target", "sizes", *CONFIG_OPTIONS),
    *("dialect", "formulation", "settings", "stages", "store"),
)


@click.command("verify")
@click.argument("names", nargs=-1)
@target_option("What to compile for.")
@device_option(
    "Where to run; without the GPU, auto executes its code in the emulator where that takes less "
    "than a minute, else runs its graph on the CPU."
)
@size_option
@config_options
@dialect_option
@formulation_option
@set_option
@click.option(
    "--stages",
    is_flag=True,
    help="Run the stages of contiguous attention one by one, too, and say which one is wrong.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed.")
@store_option("--out")
@executor_option
@json_option
def verify_command(
    names: tuple[str, ...],
    sizes: tuple[str, ...],
    choice: ModelChoice,
    settings: tuple[str, ...],
    store: Path | None,
    executor_words: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Run catalogue entries NAMES, or all, and compare with the float64 reference.

    Inputs are random (several distributions) and adversarial. Exits 1 if any entry fails. NAMES may
    also be artifacts' folders and bundles, which are run as they are.

    With --stages, every stage of NAMES is given what the stage before it really computed. Its own
    error is measured on just these inputs, the accumulated one against the reference from the
    start; the last row is the whole kernel.
    """
    paths = [name for name in names if is_path(name)]
    if paths and len(paths) < len(names):
        raise click.UsageError(
            "NAMES: expected catalogue entries, or else artifacts' folders and bundles, got both: "
            f"{', '.join(names)}"
        )
    if paths and is_given(*SPEC_OPTIONS):
        raise click.UsageError(
            "artifact folders and bundles are verified as they are: of the options only --device, "
            "--seed and --json go with them"
        )
    if how["stages"] and not names:
        raise click.UsageError("--stages: expected names of contiguous attention, got none")
    if paths:
        work = dict(Verifier(**{**how, "target": None}).work(paths))
    else:
        model = choice.read(settings)
        specs = choose_specs(names, settings, sizes, model)
        target = target_or_here(how["target"], how["device"])
        how["target"] = target.name
        requests_of(specs, [target], how["formulation"], how["dialect"])
        say_notes(model, [target])
        _check_device(how["device"], how["target"])
        work = dict(Verifier(**how, out=store).work(specs))
    with _calls(executor_words, work, bool(paths) or is_given("store")) as calls:
        outcomes = {name: _attempt(name, calls[name]) for name in steps(calls, str)}
    verdicts = [outcome for outcome in outcomes.values() if not isinstance(outcome, IrattnError)]
    if as_json:
        echo_json([_to_dict(name, outcome) for name, outcome in outcomes.items()])
    elif how["stages"]:
        print_stages(verdict for verdict in verdicts if isinstance(verdict, StagesVerdict))
    else:
        _print_table(outcomes)
    failed = [name for name, outcome in outcomes.items() if not _passed(outcome)]
    if failed:
        say_repeats([_again(name, bool(paths)) for name in failed])
        raise click.exceptions.Exit(1)


def _passed(outcome: Outcome) -> bool:
    return not isinstance(outcome, IrattnError) and outcome.passed


def _again(name: str, is_path: bool) -> str:
    """The words that verify one entry again: a name, or a path, of which a bundle has several."""
    return command_line(names=(name.partition(": ")[0],)) if is_path else one_task(name)


@contextmanager
def _calls(
    words: str | None, work: Mapping[str, Verify], is_here: bool
) -> Iterator[Mapping[str, Verify]]:
    """Functions by name that wait for each verdict: one after the other, or on an executor."""
    if words is None:
        yield work
        return
    with using(executor_of(words)) as executor:
        if executor.is_elsewhere and is_here:
            raise click.UsageError(
                "--executor: folders of artifacts, and --store, lie on this machine; the workers "
                "of a cluster have stores of their own, and verify names"
            )
        yield {name: executor.submit(name, verify).result for name, verify in work.items()}


def _check_device(device: str, target: str) -> None:
    if device in EMULATORS and (problem := emulated_device.problem(targets.get(target))):
        raise click.UsageError(f"--device {device}: {target} {problem}")


def _attempt(name: str, verify: Verify) -> Outcome:
    """Verify one entry and say on stderr how it went; what cannot be run does not stop the rest."""
    try:
        verdict = verify()
    except UsageError:
        raise
    except (IrattnError, MemoryError, OSError) as caught:
        error = of_one_task(caught)
        where = "" if name in str(error) else f"{name}: "
        click.echo(f"Error: {where}{error}", err=True)
        return error
    click.echo(f"{name}: {'ok' if verdict.passed else 'FAILED'}", err=True)
    return verdict


def _to_dict(name: str, outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, IrattnError):
        return {"name": name, "passed": False, "error": error_to_dict(outcome)}
    return outcome.to_dict()


def _row(name: str, verdict: Outcome) -> tuple[str, ...]:
    if not isinstance(verdict, Verdict):
        return (name, *[""] * 7, "not run")
    return (
        verdict.name,
        verdict.spec.outputs[0].dtype,
        f"{verdict.accuracy.max_abs:.1e}",
        f"{verdict.accuracy.relative:.1e}",
        f"{verdict.accuracy.worst_row:.1e}",
        f"{verdict.tolerance:.1e}",
        verdict.worst_case,
        verdict.executed,
        "ok" if verdict.passed else f"FAILED: {', '.join(verdict.failed)}",
    )


def _print_table(outcomes: Mapping[str, Outcome]) -> None:
    headers = [
        "name",
        "dtype",
        "max abs",
        "relative",
        "worst row",
        "tolerance",
        "worst case",
        "executed",
        "verdict",
    ]
    echo_table([_row(*item) for item in outcomes.items()], headers)
    verdicts = [verdict for verdict in outcomes.values() if isinstance(verdict, Verdict)]
    passed = sum(verdict.passed for verdict in verdicts)
    click.echo(f"\n{passed} of {len(outcomes)} passed")
    for ran in dict.fromkeys(verdict.ran for verdict in verdicts):
        click.echo(f"ran {ran}")
