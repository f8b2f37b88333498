"""`irattn compare`."""

import json
from pathlib import Path

import click

from irattn.cli.common import echo_json, is_given, json_option
from irattn.core.folders import check_new_file, new_file
from irattn.lab.comparison import Comparison, compare_sources, to_html, to_markdown, to_text


def _to_json(comparison: Comparison) -> str:
    return json.dumps(comparison.to_dict(), indent=2, allow_nan=False) + "\n"


_FORMATS = {"text": to_text, "json": _to_json, "markdown": to_markdown, "html": to_html}


@click.command("compare")
@click.argument("baseline")
@click.argument("candidate")
@click.option(
    "--baseline-rev",
    metavar="REVISION",
    help="Read BASELINE as it was at this git revision; the same as REVISION:BASELINE.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="markdown is a comment on a pull request, html one page with plots.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write, in place of standard output, which then has one line.",
)
@click.option(
    "--policy",
    type=click.Path(dir_okay=False, path_type=Path),
    help="TOML file that says which changes count.  [default: the one that ships]",
)
@click.option("--no-numerics", is_flag=True, help="Do not run what changed.")
@click.option(
    "--execute",
    is_flag=True,
    help="Run AMD kernels that changed in the emulator, both sides, and compare what they execute "
    "and how long a model says it takes: up to minutes.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed.")
@json_option
def compare_command(
    baseline: str,
    candidate: str,
    baseline_rev: str | None,
    form: str,
    output: Path | None,
    policy: Path | None,
    no_numerics: bool,
    execute: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Compare artifacts: what changed from BASELINE to CANDIDATE, and is it good?

    Either is an artifact, a folder of artifacts, a folder of baseline files (`irattn baseline
    update`), one such file, or REVISION:PATH of git. Each artifact gets a verdict with reasons:
    wrong, incompatible, missing, slower-likely, new, better, equivalent or identical. What changed
    runs against the float64 reference, without its GPU as its own graph compiled for this CPU.

    Exits 1 where a verdict falls short of the policy: wrong, incompatible, missing or
    slower-likely, unless another policy says otherwise.
    """
    if as_json and is_given("form") and form != "json":
        raise click.UsageError(f"--json is --format json, and --format {form} was given: drop one")
    if output:
        check_new_file(output, "--output")
    comparison = compare_sources(
        baseline,
        candidate,
        baseline_revision=baseline_rev,
        policy=policy,
        numerics=not no_numerics,
        execute=execute,
        seed=seed,
    )
    text = _FORMATS["json" if as_json else form](comparison)
    if output:
        with new_file(output) as file:
            file.write(text.encode())
        said = {
            "path": str(output),
            "summary": comparison.summary,
            "falls_short": comparison.falls_short,
        }
        if as_json:
            echo_json(said)
        else:
            click.echo(f"{output}: {comparison.summary}")
    else:
        click.echo(text, nl=False)
    if comparison.falls_short:
        raise click.exceptions.Exit(1)
