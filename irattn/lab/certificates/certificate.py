"""A certificate: what is proved of one artifact, as an in-toto Statement that can be signed."""

import json
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from irattn.binary.manifest import CERTIFICATE_SUFFIX, MANIFEST, MLIR, VMFB, sha256
from irattn.compiling.artifact import Artifact
from irattn.core.folders import new_file
from irattn.lab.certificates.claims import DOES_NOT_APPLY, NOT_PROVED, PROVED, REFUTED, Claim
from irattn.lab.certificates.proofs import Settings, prove

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:irattn:certificate:v1"

# What no claim is about.
NOT_SEEN = (
    "that hardware does what AMD's documents and the measurements behind the emulator say; the "
    "order in which matrix instructions round; workgroups that read what others write; inputs "
    "other than these; time"
)

# What has no parts of its own stands on one line, if there is room.
_SCALARS = re.compile(r"([\[{])\n\s*([^\[\]{}]*?)\n\s*([\]}])")
_WIDTH = 170


@dataclass(frozen=True)
class Certificate:
    """The claims that are proved of one artifact, and how.

    `subjects` are the hashes of its files by name. `artifact` says what it is, from its manifest,
    `versions` what proved it.
    """

    subjects: dict[str, str]
    artifact: dict[str, Any]
    versions: dict[str, str | None]
    settings: Settings
    claims: tuple[Claim, ...]

    @property
    def name(self) -> str:
        """The artifact's name."""
        return str(self.artifact["name"])

    @property
    def target(self) -> str:
        """The artifact's target."""
        return str(self.artifact["target"])

    @property
    def holds(self) -> bool:
        """Whether no claim is refuted."""
        return not self.with_status(REFUTED)

    def claim(self, name: str) -> Claim:
        """One claim."""
        return next(claim for claim in self.claims if claim.name == name)

    def with_status(self, status: str) -> list[Claim]:
        """The claims of a status."""
        return [claim for claim in self.claims if claim.status == status]

    def to_dict(self) -> dict[str, Any]:
        """The in-toto Statement: no time, host or path, so that equal proofs are equal text."""
        return {
            "_type": STATEMENT,
            "subject": [
                {"name": f"{self.target}/{self.name}/{file}", "digest": {"sha256": digest}}
                for file, digest in self.subjects.items()
            ],
            "predicateType": PREDICATE,
            "predicate": {
                "summary": self.summary,
                "artifact": self.artifact,
                "versions": self.versions,
                "settings": self.settings.to_dict(),
                "claims": [claim.to_dict() for claim in self.claims],
                "not_seen": NOT_SEEN,
                "proved_again_by": "irattn certify --check CERTIFICATE ARTIFACT",
            },
        }

    def to_json(self) -> str:
        """Readable JSON; short lists are on one line."""
        text = json.dumps(self.to_dict(), indent=2, allow_nan=False)
        return _SCALARS.sub(_on_one_line, text) + "\n"

    def write(self, root: Path) -> Path:
        """Write `<root>/<target>/<name>.certificate.json`; its path."""
        path = root / self.target / f"{self.name}{CERTIFICATE_SUFFIX}"
        with new_file(path, makes_folder=True) as file:
            file.write(self.to_json().encode())
        return path

    @property
    def markdown(self) -> str:
        """One line of Markdown."""
        digest = self.subjects[VMFB]
        return f"- **{self.name}** for {self.target} (`sha256:{digest[:12]}…`): {self.summary}"

    @property
    def summary(self) -> str:
        """One sentence that says which claims are proved, and which are not."""
        done = self.with_status(PROVED)
        parts = [f"{len(done)} of {len(self.claims)} claims proved"]
        parts += [words for claim in done for words in _figures(claim)]
        for status in (REFUTED, NOT_PROVED):
            parts += [f"{status}: {claim.name} ({claim.why})" for claim in self.with_status(status)]
        if others := self.with_status(DOES_NOT_APPLY):
            parts.append(f"{DOES_NOT_APPLY}: {', '.join(claim.name for claim in others)}")
        return "; ".join(parts)


def certify_artifact(artifact: Artifact, settings: Settings | None = None) -> Certificate:
    """Prove what can be proved of an artifact here."""
    used = settings or Settings()
    return Certificate(
        subjects=subjects_of(artifact),
        artifact=description_of(artifact),
        versions=versions_here(),
        settings=used,
        claims=prove(artifact, used),
    )


def description_of(artifact: Artifact) -> dict[str, Any]:
    """The description of an artifact, from its manifest."""
    manifest = artifact.manifest
    maker = f"irattn {manifest.irattn_version}, {manifest.compiler} {manifest.compiler_version}"
    return {
        "name": manifest.name,
        "target": manifest.target,
        "key": manifest.key,
        "made_by": maker,
        "flags": manifest.flags,
        **({"tile": manifest.tile} if manifest.tile else {}),
        "spec": {field: value for field, value in manifest.spec.items() if value is not None},
    }


def subjects_of(artifact: Artifact) -> dict[str, str]:
    """The hashes of an artifact's files; those of a bundle's variant are those of its files."""
    path = artifact.path / MANIFEST
    manifest = path.read_bytes() if path.is_file() else artifact.manifest.to_json().encode()
    files = {VMFB: artifact.vmfb, MLIR: artifact.mlir.encode(), MANIFEST: manifest}
    return {name: sha256(data) for name, data in files.items()}


def versions_here() -> dict[str, str | None]:
    """The versions that a proof depends on: irattn with its emulator, instruction tables, NumPy."""
    return {
        "irattn": version("irattn"),
        "instruction_tables": _installed("tinygrad"),
        "numpy": version("numpy"),
    }


def _installed(package: str) -> str | None:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return None


def _on_one_line(lists: re.Match[str]) -> str:
    line = lists[1] + re.sub(r"\n\s*", " ", lists[2]) + lists[3]
    return line if len(line) <= _WIDTH else lists[0]


def _figures(claim: Claim) -> list[str]:
    """The figures that a line tells of a proved claim."""
    figures = claim.figures
    if claim.name == "mutants":
        return [f"{figures['noticed']} of {figures['tried']} mutants noticed"]
    if claim.name != "numbers":
        return []
    most = next(case for case in figures["cases"] if case["case"] == figures["worst"])
    cases = f"{len(figures['cases'])} cases"
    allowed = f"{most['share_of_tolerance']:.0%} of the tolerance"
    if most["share_of_bound"] is not None:
        allowed = f"{most['share_of_bound']:.0%} of the first-order bound and {allowed}"
    words = [f"the worst error is {allowed}, on {cases}"]
    words += [
        f"{cut['workgroups']} of {cut['of']} workgroups of {cut['kernel']} executed"
        for cut in figures.get("cut", ())
    ]
    return words
