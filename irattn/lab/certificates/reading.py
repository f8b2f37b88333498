"""Read certificates, and refuse what is none."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irattn.binary.manifest import CERTIFICATE_SUFFIX, MANIFEST, MLIR, VMFB, Tile
from irattn.compiling.artifact import PLAIN_NAME
from irattn.core.declared import FromZero, read_as
from irattn.core.errors import ArtifactError, CertificateError, printable, shown
from irattn.core.strict_json import parse_json
from irattn.lab.certificates.certificate import PREDICATE, STATEMENT, Certificate
from irattn.lab.certificates.claims import SAYS, STATUSES, Claim
from irattn.lab.certificates.proofs import Settings
from irattn.targets import is_target

_FILES = (VMFB, MLIR, MANIFEST)
_AGAIN = "certify the artifact again: `irattn certify ARTIFACT`"


@dataclass(frozen=True)
class _Digest:
    """The hash of a file."""

    sha256: str


@dataclass(frozen=True)
class _Subject:
    """A file of the artifact."""

    name: str
    digest: _Digest


@dataclass(frozen=True)
class _Claim:
    """A claim as JSON says it, with what there is to say of it."""

    claim: str
    says: str
    status: str
    how: str = ""
    why: str = ""
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Settings:
    """All fields of `Settings`, none left out."""

    workgroups: FromZero
    mutants: FromZero
    seed: FromZero


@dataclass(frozen=True)
class _Identity:
    """The identity of the artifact, from its manifest."""

    name: str
    target: str
    key: str
    made_by: str
    flags: list[str]
    spec: dict[str, Any]
    tile: Tile | None = None


@dataclass(frozen=True)
class _Predicate:
    """The part of a statement that speaks of the subjects."""

    summary: str
    artifact: _Identity
    versions: dict[str, str | None]
    settings: _Settings
    claims: tuple[_Claim, ...]
    not_seen: str
    proved_again_by: str


@dataclass(frozen=True)
class _Statement:
    """The in-toto Statement that a certificate is."""

    _type: str
    subject: tuple[_Subject, ...]
    predicateType: str  # noqa: N815
    predicate: _Predicate


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file; CertificateError where it is none, or not one of this version."""
    try:
        return _certificate(parse_json(path.read_bytes()))
    except (ArtifactError, CertificateError) as error:
        raise CertificateError(f"{path}: {printable(error)}; {_AGAIN}") from error
    except OSError as error:
        raise CertificateError(f"{path}: not readable: {error.strerror or error}") from error


def certificates_in(folder: Path) -> list[Path]:
    """The certificates of a folder, in order of their paths."""
    depths = ("", "*/", "*/*/")
    return sorted(
        {file for depth in depths for file in folder.glob(f"{depth}*{CERTIFICATE_SUFFIX}")}
    )


def _certificate(fields: dict[str, Any]) -> Certificate:
    _check_version(fields)
    statement = read_as(_Statement, fields)
    predicate = statement.predicate
    artifact = predicate.artifact
    if not PLAIN_NAME.fullmatch(artifact.name) or not is_target(artifact.target):
        raise CertificateError(
            f"artifact: expected a plain name and a target, got {shown(artifact.name)} and "
            f"{shown(artifact.target)}"
        )
    made = Certificate(
        subjects=_subjects(statement.subject, f"{artifact.target}/{artifact.name}"),
        artifact=fields["predicate"]["artifact"],
        versions=predicate.versions,
        settings=Settings(**vars(predicate.settings)),
        claims=_claims(predicate.claims),
    )
    _check_summary(made, predicate.summary)
    return made


def _check_version(fields: dict[str, Any]) -> None:
    """Refuse another kind of statement before anything else is read."""
    hint = "; of a signed one, give the payload" if "dsseEnvelope" in fields else ""
    for name, expected in (("_type", STATEMENT), ("predicateType", PREDICATE)):
        if fields.get(name) != expected:
            got = shown(fields.get(name))
            raise CertificateError(f"{name}: expected {expected}, got {got}{hint}")


def _check_summary(made: Certificate, stated: str) -> None:
    try:
        summary = made.summary
    except (KeyError, StopIteration, TypeError, ValueError) as error:
        raise CertificateError(f"claims: a figure is missing or no number: {error!r}") from error
    if stated != summary:
        raise CertificateError("summary: says something else than the claims")


def _subjects(listed: Sequence[_Subject], folder: str) -> dict[str, str]:
    expected = [f"{folder}/{file}" for file in _FILES]
    names = [subject.name for subject in listed]
    if names != expected:
        raise CertificateError(f"subject: expected {', '.join(expected)}, got {', '.join(names)}")
    return {file: one.digest.sha256 for file, one in zip(_FILES, listed, strict=True)}


def _claims(listed: Sequence[_Claim]) -> tuple[Claim, ...]:
    names = [one.claim for one in listed]
    if names != list(SAYS):
        raise CertificateError(f"claims: expected {', '.join(SAYS)}, got {', '.join(names)}")
    return tuple(_claim(one) for one in listed)


def _claim(stated: _Claim) -> Claim:
    name = stated.claim
    if stated.says != SAYS[name]:
        raise CertificateError(f"{name}.says: expected {SAYS[name]!r}")
    if stated.status not in STATUSES:
        known, got = ", ".join(STATUSES), shown(stated.status)
        raise CertificateError(f"{name}.status: expected one of {known}, got {got}")
    return Claim(name, stated.status, stated.how or None, stated.why or None, stated.figures)
