"""The tables of `irattn verify --stages`."""

from collections.abc import Iterable

import click

from irattn.cli.common import echo_table
from irattn.lab.verification import StagesVerdict, StageVerdict

_HEADERS = [
    "stage",
    "output",
    "max abs",
    "own error",
    "accumulated",
    "tolerance",
    "executed",
    "verdict",
]


def print_stages(verdicts: Iterable[StagesVerdict]) -> None:
    """One table per spec, and the stage that the first difference arises in."""
    for number, verdict in enumerate(verdicts):
        click.echo(("\n" if number else "") + f"{verdict.name}, worst of {verdict.cases} cases\n")
        echo_table(map(_row, verdict.rows), _HEADERS)
        if verdict.first_difference:
            click.echo(f"\nfirst difference: {verdict.first_difference}")
        else:
            click.echo("\nno difference beyond the tolerances")
        for ran in verdict.ran:
            click.echo(f"ran {ran}")


def _row(row: StageVerdict) -> tuple[str, ...]:
    """`max abs` and `own error` are against the stage's actual inputs."""
    return (
        row.stage,
        str(row.output),
        f"{row.own.max_abs:.1e}",
        f"{row.own.decisive:.1e}",
        f"{row.accumulated.decisive:.1e}",
        f"{row.tolerance:.1e}",
        row.executed,
        _said(row),
    )


def _said(row: StageVerdict) -> str:
    if row.passed:
        return "ok"
    return "FAILED" if row.is_wrong else "FAILED: by what it was given"
