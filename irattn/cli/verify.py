"""`irattn verify`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from irattn import targets
from irattn.artifact import is_artifact, read_artifact
from irattn.bundles import is_bundle, read_bundle
from irattn.cli.common import (
    check_all_sayable,
    choose_specs,
    dialect_option,
    echo_json,
    echo_table,
    formulation_option,
    is_given,
    json_option,
    out_option,
    set_option,
    size_option,
)
from irattn.cli.models import CONFIG_OPTIONS, ModelChoice, config_options, say_notes
from irattn.cli.stages import print_stages
from irattn.errors import IrattnError, UsageError
from irattn.progress import steps
from irattn.runtime import DEVICES, emulated_device
from irattn.specs.pipeline import stages_of
from irattn.verification import (
    Verdict,
    verify_artifact,
    verify_entry,
    verify_spec,
    verify_stages,
)

# What a folder's artifact has settled already.
SPEC_OPTIONS = (
    *("target", "sizes", *CONFIG_OPTIONS),
    *("dialect", "formulation", "settings", "stages", "out"),
)


@click.command("verify")
@click.argument("names", nargs=-1)
@click.option("--target", default="cpu", show_default=True, help="What to compile for.")
@click.option(
    "--device",
    type=click.Choice(DEVICES),
    default="auto",
    show_default=True,
    help="Where to run; auto runs a GPU's graph on the CPU where the GPU is not there.",
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
@out_option
@json_option
def verify_command(
    names: tuple[str, ...],
    target: str,
    device: str,
    sizes: tuple[str, ...],
    choice: ModelChoice,
    dialect: str,
    formulation: str | None,
    settings: tuple[str, ...],
    stages: bool,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run catalogue entries NAMES, or all, and compare with the float64 reference.

    Inputs are random (several distributions) and adversarial. Exits 1 if any entry fails. NAMES may
    also be folders of artifacts, which are run as they are.

    With --stages, every stage of NAMES is given what the stage before it really computed. Its own
    error is measured on just these inputs, the accumulated one against the reference from the
    start; the last row is the whole kernel.
    """
    folders = [name for name in names if is_bundle(name) or is_artifact(name)]
    if folders and (len(folders) < len(names) or is_given(*SPEC_OPTIONS)):
        raise click.UsageError(
            "artifact folders and bundles are verified as they are: of the options only --device, "
            "--seed and --json go with them"
        )
    if stages and not names:
        raise click.UsageError("--stages: expected names of contiguous attention, got none")
    work: dict[str, Callable[[], Any]] = {}
    if folders:
        for folder in folders:
            work |= _from_files(folder, device, seed)
    else:
        model = choice.read(settings)
        specs = choose_specs(names, settings, sizes, model)
        chosen = targets.get(target)
        check_all_sayable(specs, [chosen], formulation, dialect)
        say_notes(model, [chosen])
        if device.startswith("emulator") and (problem := emulated_device.problem(chosen)):
            raise click.UsageError(f"--device {device}: {target} {problem}")
        if stages:
            for name, spec in specs.items():
                stages_of(spec, name)
        verify_one = verify_stages if stages else verify_spec
        how: dict[str, Any] = {"device": device, "formulation": formulation, "dialect": dialect}
        for name, spec in specs.items():
            work[name] = partial(verify_one, spec, chosen, name=name, seed=seed, root=out, **how)
    found = {name: _attempt(name, work[name]) for name in steps(work, str)}
    verdicts = [verdict for verdict in found.values() if not isinstance(verdict, IrattnError)]
    if as_json:
        echo_json([_to_dict(name, verdict) for name, verdict in found.items()])
    elif stages:
        print_stages(verdicts)
    else:
        _print_table(found)
    if len(verdicts) < len(work) or not all(verdict.passed for verdict in verdicts):
        raise click.exceptions.Exit(1)


def _from_files(name: str, device: str, seed: int) -> dict[str, Callable[[], Any]]:
    """What verifies an artifact's folder, or each entry of a bundle."""
    if not is_bundle(name):
        return {name: partial(verify_artifact, read_artifact(Path(name)), device=device, seed=seed)}
    bundle = read_bundle(Path(name))
    return {
        f"{name}: {entry}": partial(verify_entry, bundle, entry, device=device, seed=seed)
        for entry in bundle.entries
    }


def _attempt(name: str, verify: Callable[[], Any]) -> Any:
    """Verify one entry and say on stderr how it went; what cannot be run does not stop the rest."""
    try:
        verdict = verify()
    except UsageError:
        raise
    except IrattnError as error:
        where = "" if name in str(error) else f"{name}: "
        click.echo(f"Error: {where}{error}", err=True)
        return error
    click.echo(f"{name}: {'ok' if verdict.passed else 'FAILED'}", err=True)
    return verdict


def _to_dict(name: str, verdict: Any) -> dict[str, Any]:
    if isinstance(verdict, IrattnError):
        return {"name": name, "passed": False, "error": str(verdict)}
    return dict(verdict.to_dict())


def _row(name: str, verdict: Verdict | IrattnError) -> tuple[str, ...]:
    if isinstance(verdict, IrattnError):
        return (name, *[""] * 6, "not run")
    return (
        verdict.name,
        verdict.spec.outputs[0].dtype,
        f"{verdict.accuracy.max_abs:.1e}",
        f"{verdict.accuracy.relative:.1e}",
        f"{verdict.accuracy.worst_row:.1e}",
        f"{verdict.tolerance:.1e}",
        verdict.worst_case,
        "ok" if verdict.passed else f"FAILED: {', '.join(verdict.failed)}",
    )


def _print_table(found: dict[str, Verdict | IrattnError]) -> None:
    headers = [
        "name",
        "dtype",
        "max abs",
        "relative",
        "worst row",
        "tolerance",
        "worst case",
        "verdict",
    ]
    echo_table([_row(*item) for item in found.items()], headers)
    verdicts = [verdict for verdict in found.values() if isinstance(verdict, Verdict)]
    passed = sum(verdict.passed for verdict in verdicts)
    click.echo(f"\n{passed} of {len(found)} passed")
    for ran in dict.fromkeys(verdict.ran for verdict in verdicts):
        click.echo(f"ran {ran}")
