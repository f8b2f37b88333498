"""`irattn verify`."""

from pathlib import Path

import click

from irattn import targets
from irattn.cli.common import (
    choose_specs,
    config_options,
    dialect_option,
    echo_json,
    echo_table,
    formulation_option,
    json_option,
    out_option,
    set_option,
    size_option,
)
from irattn.runtime import DEVICES
from irattn.verification import Verdict, verify_spec


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
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the inputs.")
@out_option
@json_option
def verify_command(
    names: tuple[str, ...],
    target: str,
    device: str,
    sizes: tuple[str, ...],
    config: Path | None,
    batch: int | None,
    q_len: int | None,
    kv_len: int | None,
    dialect: str,
    formulation: str | None,
    settings: tuple[str, ...],
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run catalogue entries NAMES, or all, and compare with the float64 reference.

    Inputs are random (several distributions) and adversarial. Exits 1 if any entry fails.
    """
    specs = choose_specs(names, settings, sizes, config, batch, q_len, kv_len)
    chosen = targets.get(target)
    verdicts = []
    for name, spec in specs.items():
        verdict = verify_spec(
            spec,
            chosen,
            name=name,
            device=device,
            formulation=formulation,
            dialect=dialect,
            seed=seed,
            root=out,
        )
        click.echo(f"{name}: {_word(verdict)}", err=True)
        verdicts.append(verdict)
    if as_json:
        echo_json([verdict.to_dict() for verdict in verdicts])
    else:
        _print_table(verdicts)
    if not all(verdict.passed for verdict in verdicts):
        raise click.exceptions.Exit(1)


def _word(verdict: Verdict) -> str:
    return "ok" if verdict.passed else "FAILED"


def _print_table(verdicts: list[Verdict]) -> None:
    rows = [
        (
            verdict.name,
            verdict.spec.outputs[0].dtype,
            f"{verdict.accuracy.max_abs:.1e}",
            f"{verdict.accuracy.relative:.1e}",
            f"{verdict.tolerance:.1e}",
            verdict.worst_case,
            "ok" if verdict.passed else f"FAILED: {', '.join(verdict.failed)}",
        )
        for verdict in verdicts
    ]
    headers = ["name", "dtype", "max abs", "relative", "tolerance", "worst case", "verdict"]
    echo_table(rows, headers)
    passed = sum(verdict.passed for verdict in verdicts)
    click.echo(f"\n{passed} of {len(verdicts)} passed")
    for ran in dict.fromkeys(verdict.ran for verdict in verdicts):
        click.echo(f"ran {ran}")
