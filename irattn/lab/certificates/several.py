"""Certifies several artifacts, or checks or renews several certificates."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from irattn.binary.manifest import CERTIFICATE_SUFFIX, VMFB
from irattn.compiling.artifact import Artifact, artifacts_in, read_artifact
from irattn.compiling.bundles import is_bundle
from irattn.compiling.store import Store
from irattn.core.errors import CertificateError, IrattnError, MissingPathError, UsageError
from irattn.core.progress import steps
from irattn.lab.certificates.certificate import Certificate, certify_artifact
from irattn.lab.certificates.checking import Check, check_certificate
from irattn.lab.certificates.proofs import Settings
from irattn.lab.certificates.reading import certificates_in, read_certificate
from irattn.lab.certificates.renewal import renew_certificate
from irattn.lab.certificates.sources import artifacts_at

T = TypeVar("T")


def certify_each(
    artifacts: Sequence[Artifact], settings: Settings, out: Path | None
) -> Iterator[Certificate]:
    """The certificate of each artifact, written to a folder, if one is given, where it holds."""
    for artifact in steps(artifacts, lambda one: f"{one.manifest.name} for {one.target}"):
        certificate = certify_artifact(artifact, settings)
        if out and certificate.holds:
            certificate.write(out)
        yield certificate


def check_each(
    paths: Sequence[Path], *, hashes_only: bool = False
) -> Iterator[tuple[Path, Check | IrattnError]]:
    """The outcome of each certificate's check, by its file; an error does not stop the others.

    `paths` are certificates, or folders of them, and artifacts; without artifacts those of the
    store are taken. MissingPathError for a path that is not there, UsageError where there are no
    certificates.
    """

    def check(certificate: Certificate, given: Sequence[Artifact] | None) -> Check:
        artifact = _artifact_of(certificate, given)
        return check_certificate(certificate, artifact, hashes_only=hashes_only)

    yield from _with_each("--check", paths, check)


def renew_each(
    paths: Sequence[Path], out: Path
) -> Iterator[tuple[Path, Certificate | IrattnError]]:
    """Each certificate renewed, by its file, and written to a folder where it holds.

    `paths` are as `check_each` takes them. Of two artifacts of a certificate's name, the one with
    its hash is what the other was before.
    """

    def renew(certificate: Certificate, given: Sequence[Artifact] | None) -> Certificate:
        artifact = _artifact_of(certificate, given)
        other = _namesake(artifact, given or ())
        if other:
            renewed = renew_certificate(certificate, other, before=artifact)
        else:
            renewed = renew_certificate(certificate, artifact)
        if renewed.holds:
            renewed.write(out)
        return renewed

    yield from _with_each("--renew", paths, renew)


def _with_each(
    option: str, paths: Sequence[Path], do: Callable[[Certificate, Sequence[Artifact] | None], T]
) -> Iterator[tuple[Path, T | IrattnError]]:
    """The result of a function for each certificate; an error does not stop the next.

    `do` is given the artifacts at the paths, None where there are none.
    """
    for path in paths:
        if not path.exists():
            raise MissingPathError(f"{option}: {path}: no such certificate, folder or bundle")
    files = [file for path in paths for file in _certificate_files(path)]
    if not files:
        raise UsageError(
            f"{option}: expected certificates (NAME{CERTIFICATE_SUFFIX}) or folders of them, got "
            f"{', '.join(map(str, paths))}, where there is none"
        )
    artifacts = _given_artifacts(paths)
    for file in steps(files, str):
        try:
            yield file, do(read_certificate(file), artifacts)
        except IrattnError as error:
            yield file, error


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


def _namesake(artifact: Artifact, artifacts: Sequence[Artifact]) -> Artifact | None:
    """Another of these artifacts for the same target by the same name."""
    called = (artifact.manifest.name, artifact.target)
    others = (one for one in artifacts if one.path != artifact.path)
    return next((one for one in others if (one.manifest.name, one.target) == called), None)
