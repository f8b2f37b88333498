"""`irattn certify`."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from irattn.binary.manifest import CERTIFICATE_SUFFIX, VMFB
from irattn.cli.common import counted, echo_json, is_given, json_option
from irattn.cli.failures import error_to_dict
from irattn.cli.renamed import RenamedOption
from irattn.compiling.artifact import Artifact, artifacts_in, read_artifact
from irattn.compiling.bundles import is_bundle
from irattn.compiling.store import Store
from irattn.core.errors import CertificateError, IrattnError, MissingPathError, UsageError
from irattn.core.progress import steps
from irattn.lab.certificates import (
    Certificate,
    Check,
    Settings,
    artifacts_at,
    certificates_in,
    certify_artifact,
    check_certificate,
    read_certificate,
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
@json_option
def certify_command(
    paths: tuple[Path, ...],
    output: Path,
    workgroups: int,
    mutants: int,
    seed: int,
    check: bool,
    hashes_only: bool,
    as_json: bool,
) -> None:
    """Write certificates: what is proved of artifacts, and how, for others to check.

    PATHS are artifacts, folders of them, or bundles. Each certificate is an in-toto Statement that
    can be signed; one line of Markdown for each is printed. AMD code is executed by the emulator;
    what cannot be proved here stands in the certificate as not proved, with the reason. Exits with
    1, and writes no certificate, where something is proved to be wrong.

    With --check, PATHS are certificates, or folders of them, and artifacts; without artifacts those
    of the store are taken. Hashes are compared first, then every claim is proved again as it was.
    """
    if check:
        if is_given("output", "workgroups", "mutants", "seed"):
            raise click.UsageError(
                "--check: certificates say themselves how they are proved: of the options only "
                "--hashes-only and --json go with it"
            )
        _check(paths, hashes_only, as_json)
        return
    if hashes_only:
        raise click.UsageError("--hashes-only: goes with --check")
    _certify(paths, Settings(workgroups, mutants, seed), output, as_json)


def _certify(paths: Iterable[Path], settings: Settings, out: Path, as_json: bool) -> None:
    artifacts = [artifact for path in paths for artifact in artifacts_at(path)]
    made: list[Certificate] = []
    for artifact in steps(artifacts, _called):
        certificate = certify_artifact(artifact, settings)
        made.append(certificate)
        if certificate.holds:
            certificate.write(out)
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


def _called(artifact: Artifact) -> str:
    return f"{artifact.manifest.name} for {artifact.target}"


def _check(paths: Sequence[Path], hashes_only: bool, as_json: bool) -> None:
    for path in paths:
        if not path.exists():
            raise MissingPathError(f"--check: {path}: no such certificate, folder or bundle")
    files = [file for path in paths for file in _certificate_files(path)]
    if not files:
        raise UsageError(
            f"--check: expected certificates (NAME{CERTIFICATE_SUFFIX}) or folders of them, got "
            f"{', '.join(map(str, paths))}, where there is none"
        )
    artifacts = _given_artifacts(paths)
    outcomes = {}
    for file in steps(files, str):
        outcomes[file] = outcome = _check_one(file, artifacts, hashes_only)
        if isinstance(outcome, IrattnError):
            where = "" if str(file) in str(outcome) else f"{file}: "
            click.echo(f"Error: {where}{outcome}", err=True)
        elif not as_json:
            _print(outcome)
    if as_json:
        echo_json([_to_dict(file, outcome) for file, outcome in outcomes.items()])
    if not all(isinstance(one, Check) and one.holds for one in outcomes.values()):
        raise click.exceptions.Exit(1)


def _certificate_files(path: Path) -> list[Path]:
    """The certificates at a path; none in a bundle, or a folder of artifacts only."""
    if is_bundle(path):
        return []
    return certificates_in(path) if path.is_dir() else [path]


def _given_artifacts(paths: Sequence[Path]) -> list[Artifact] | None:
    """The artifacts in these folders and bundles; None where there are none."""
    artifacts = [artifact for path in paths for artifact in _artifacts_in(path)]
    empty = [path for path in paths if path.is_dir() and not certificates_in(path)]
    if empty and not artifacts:
        raise UsageError(f"{empty[0]}: expected artifacts or certificates, and found none there")
    return artifacts or None


def _artifacts_in(path: Path) -> list[Artifact]:
    if is_bundle(path):
        return artifacts_at(path)
    return artifacts_in(path) if path.is_dir() else []


def _check_one(
    file: Path, artifacts: Sequence[Artifact] | None, hashes_only: bool
) -> Check | IrattnError:
    """What came of a check, or why there was none: that does not stop the others."""
    try:
        certificate = read_certificate(file)
        artifact = _artifact_of(certificate, artifacts)
        return check_certificate(certificate, artifact, hashes_only=hashes_only)
    except IrattnError as error:
        return error


def _artifact_of(certificate: Certificate, artifacts: Sequence[Artifact] | None) -> Artifact:
    """The artifact with the certificate's hash, else that of its name; of those given or stored."""
    name, target = certificate.name, certificate.target
    if artifacts is None:
        return read_artifact(Store().folder(target, name))
    for artifact in artifacts:
        if artifact.manifest.sha256[VMFB] == certificate.subjects[VMFB]:
            return artifact
    for artifact in artifacts:
        if (artifact.manifest.name, artifact.target) == (name, target):
            return artifact
    raise CertificateError(
        f"{name} for {target}: none of the {len(artifacts)} artifacts given is it; give its folder"
    )


def _print(outcome: Check) -> None:
    called = f"{outcome.certificate.name} for {outcome.certificate.target}"
    click.echo(f"{called}: {'holds' if outcome.holds else 'NO LONGER HOLDS'}")
    for claim, why in outcome.problems:
        click.echo(f"  {claim}: {why}")
    for note in outcome.notes:
        click.echo(f"  note: {note}")


def _to_dict(file: Path, outcome: Check | IrattnError) -> dict[str, Any]:
    if isinstance(outcome, IrattnError):
        return {"path": str(file), "holds": False, "error": error_to_dict(outcome)}
    return {"path": str(file), **outcome.to_dict()}
