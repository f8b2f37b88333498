"""`irattn certify`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from irattn.binary.manifest import CERTIFICATE_SUFFIX
from irattn.cli.common import counted, echo_json, is_given, json_option
from irattn.cli.failures import error_to_dict
from irattn.cli.renamed import RenamedOption
from irattn.core.errors import IrattnError
from irattn.lab.certificates import (
    Certificate,
    Check,
    Settings,
    artifacts_at,
    certify_each,
    check_each,
    renew_each,
)

_HOW = Settings()


@click.command("certify")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    cls=RenamedOption,
    old_words=("--out",),
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("certificates"),
    show_default=True,
    help=f"Folder to write <target>/<name>{CERTIFICATE_SUFFIX} into.",
)
@click.option(
    "--workgroups",
    type=click.IntRange(0),
    default=_HOW.workgroups,
    show_default=True,
    help="Most workgroups of a kernel to execute where no later kernel needs the others; 0: all.",
)
@click.option(
    "--mutants",
    type=click.IntRange(0),
    default=_HOW.mutants,
    show_default=True,
    help="Wrong versions of the code to try: the proofs must notice them.",
)
@click.option("--seed", type=click.IntRange(0), default=_HOW.seed, show_default=True, help="Seed.")
@click.option(
    "--check",
    is_flag=True,
    help="Prove certificates again; exit with 1 where one no longer holds.",
)
@click.option(
    "--hashes-only",
    is_flag=True,
    help="With --check: compare the hashes and the form, and prove nothing again.",
)
@click.option(
    "--renew",
    is_flag=True,
    help="Write certificates of the same module again for another text, without executing it.",
)
@json_option
def certify_command(
    paths: tuple[Path, ...],
    output: Path,
    workgroups: int,
    mutants: int,
    seed: int,
    check: bool,
    hashes_only: bool,
    renew: bool,
    as_json: bool,
) -> None:
    """Write certificates: what is proved of artifacts, and how, for others to check.

    PATHS are artifacts, folders of them, or bundles. Each certificate is an in-toto Statement that
    can be signed; one line of Markdown for each is printed. AMD code is executed by the emulator;
    what cannot be proved here stands in the certificate as not proved, with the reason. Exits with
    1, and writes no certificate, where something is proved to be wrong.

    With --check, PATHS are certificates, or folders of them, and artifacts; without artifacts those
    of the store are taken. Hashes are compared first, then every claim is proved again as it was.

    With --renew, PATHS are the same. Where module.vmfb is what the certificate is of, and the text
    or the manifest beside it is another, what needs no execution is proved again, and what
    executions have shown of the module stands. Where module.vmfb is another too, PATHS have the
    artifact as it was besides: its code objects and launches must be the same.
    """
    if check and renew:
        raise click.UsageError("--renew: does not go with --check: one writes, one compares")
    if check:
        if is_given("output", "workgroups", "mutants", "seed"):
            raise click.UsageError(
                "--check: certificates say themselves how they are proved: of the options only "
                "--hashes-only and --json go with it"
            )
        _tell(check_each(paths, hashes_only=hashes_only), as_json)
        return
    if hashes_only:
        raise click.UsageError("--hashes-only: goes with --check")
    if renew:
        if is_given("workgroups", "mutants", "seed"):
            raise click.UsageError(
                "--renew: executes nothing: of the options --output and --json go"
            )
        _tell(renew_each(paths, output), as_json)
        return
    _certify(paths, Settings(workgroups, mutants, seed), output, as_json)


def _certify(paths: Iterable[Path], settings: Settings, out: Path, as_json: bool) -> None:
    artifacts = [artifact for path in paths for artifact in artifacts_at(path)]
    made: list[Certificate] = []
    for certificate in certify_each(artifacts, settings, out):
        made.append(certificate)
        if not as_json:
            click.echo(certificate.markdown)
    wrong = [certificate for certificate in made if not certificate.holds]
    if as_json:
        echo_json([certificate.to_dict() for certificate in made])
    else:
        refused = f", {len(wrong)} refused" if wrong else ""
        click.echo(f"{counted(made[len(wrong) :], 'certificate')} in {out}{refused}", err=True)
    if wrong:
        raise click.exceptions.Exit(1)


def _tell(
    outcomes: Iterable[tuple[Path, Check | Certificate | IrattnError]], as_json: bool
) -> None:
    """Print each outcome as it comes; exit with 1 where one does not hold."""
    told = []
    for file, outcome in outcomes:
        told.append((file, outcome))
        if isinstance(outcome, IrattnError):
            _say_failure(file, outcome)
        elif not as_json:
            click.echo(outcome.markdown if isinstance(outcome, Certificate) else _found(outcome))
    if as_json:
        echo_json([_to_dict(file, outcome) for file, outcome in told])
    if not all(not isinstance(one, IrattnError) and one.holds for _, one in told):
        raise click.exceptions.Exit(1)


def _say_failure(file: Path, error: IrattnError) -> None:
    where = "" if str(file) in str(error) else f"{file}: "
    click.echo(f"Error: {where}{error}", err=True)


def _found(check: Check) -> str:
    verdict = "holds" if check.holds else "NO LONGER HOLDS"
    problems = [f"  {claim}: {why}" for claim, why in check.problems]
    notes = [f"  note: {note}" for note in check.notes]
    called = f"{check.certificate.name} for {check.certificate.target}"
    return "\n".join([f"{called}: {verdict}", *problems, *notes])


def _to_dict(file: Path, outcome: Check | Certificate | IrattnError) -> dict[str, Any]:
    if isinstance(outcome, IrattnError):
        return {"path": str(file), "holds": False, "error": error_to_dict(outcome)}
    return {"path": str(file), **outcome.to_dict()}
