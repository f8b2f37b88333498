"""Prove a certificate again from its artifact, and say which claim no longer holds."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from irattn.compiling.artifact import Artifact
from irattn.lab.certificates.certificate import (
    Certificate,
    certify_artifact,
    subjects_of,
    versions_here,
)
from irattn.lab.certificates.claims import NOT_PROVED, PROVED, REFUTED, Claim

# Figures may differ by so much: other processors round float64 otherwise.
_MOST_DRIFT = 0.05


@dataclass(frozen=True)
class Check:
    """The outcome of a check: `problems` are claims that do not hold, and why; `notes` the rest."""

    certificate: Certificate
    problems: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all that the certificate says holds."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "name": self.certificate.name,
            "target": self.certificate.target,
            "holds": self.holds,
            "problems": [{"claim": claim, "why": why} for claim, why in self.problems],
            "notes": list(self.notes),
        }


def check_certificate(
    certificate: Certificate, artifact: Artifact, *, hashes_only: bool = False
) -> Check:
    """Compare the hashes and, unless `hashes_only`, prove every claim again as it was proved.

    Of another artifact than the hashes say, nothing more is looked at.
    """
    if problems := tuple(_other_files(certificate, artifact)):
        return Check(certificate, problems, ("another artifact: no claim was proved again",))
    if hashes_only:
        return Check(certificate, (), ("hashes compared; nothing was proved again",))
    again = certify_artifact(artifact, certificate.settings)
    same_versions = certificate.versions == again.versions
    differences: list[tuple[str, str]] = []
    if certificate.artifact != again.artifact:
        differences.append(("artifact", "its description is not that of the artifact's manifest"))
    pairs = zip(certificate.claims, again.claims, strict=True)
    for stated, proved in pairs:
        differences += [(stated.name, why) for why in _differences(stated, proved, same_versions)]
    notes = () if same_versions else (_other_versions(certificate),)
    return Check(certificate, tuple(differences), notes)


def _other_files(certificate: Certificate, artifact: Artifact) -> Iterator[tuple[str, str]]:
    for name, digest in subjects_of(artifact).items():
        stated = certificate.subjects[name]
        if stated != digest:
            yield "files", f"{name}: the certificate is of sha256 {stated:.64}, this is {digest}"


def _other_versions(certificate: Certificate) -> str:
    changed = [
        f"{name} {certificate.versions.get(name)}, now {now}"
        for name, now in versions_here().items()
        if certificate.versions.get(name) != now
    ]
    return f"proved with other versions, so figures are not compared: {'; '.join(changed)}"


def _differences(stated: Claim, again: Claim, same_versions: bool) -> Iterator[str]:
    """Why a claim does not hold as it is stated."""
    if again.status == REFUTED:
        yield f"refuted: {again.why}"
    elif stated.status not in (again.status, NOT_PROVED):
        because = f": {again.why}" if again.why else ""
        yield f"stated as {stated.status!r}, and found {again.status!r}{because}"
    elif stated.status == again.status == PROVED and same_versions:
        if stated.how != again.how:
            yield f"how: the certificate says {stated.how!r:.200}, and it was {again.how!r}"
        difference = next(_differing(stated.figures, _as_read(again.figures), ""), None)
        if difference:
            yield difference


def _as_read(figures: dict[str, Any]) -> Any:
    """Figures after a trip through JSON."""
    return json.loads(json.dumps(figures))


def _differing(stated: Any, proved: Any, where: str) -> Iterator[str]:
    """The figures that are not what is stated."""
    if isinstance(stated, dict) and isinstance(proved, dict):
        for name in sorted(stated.keys() | proved.keys()):
            place = f"{where}.{name}".lstrip(".")
            yield from _differing(stated.get(name), proved.get(name), place)
    elif isinstance(stated, list) and isinstance(proved, list) and len(stated) == len(proved):
        for number, pair in enumerate(zip(stated, proved, strict=True)):
            yield from _differing(*pair, f"{where}[{number}]")
    elif isinstance(stated, float) and isinstance(proved, float):
        if abs(stated - proved) > _MOST_DRIFT * max(abs(stated), abs(proved)):
            yield f"{where}: the certificate says {stated:.4g}, found {proved:.4g}"
    elif stated != proved:
        yield f"{where}: the certificate says {stated!r:.80}, found {proved!r:.80}"
