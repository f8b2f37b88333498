"""One side of a comparison: an artifact, or what a baseline file keeps of one."""

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from irattn.artifact import Artifact, Manifest, parse_manifest
from irattn.comparison.normalise import normalised_sha256
from irattn.errors import ArtifactError
from irattn.figures import ModuleFigures
from irattn.inspection import inspect_artifact
from irattn.specs import spec_from_dict

BASELINE_VERSION = 1

# What is found under: target and name.
Key = tuple[str, str]

_SCALARS = re.compile(r"\[\n\s*([^\[\]{}]*?)\n\s*\]")


@dataclass(frozen=True)
class Subject:
    """What is compared. Figures and digests of an artifact are found when they are asked for.

    `recorded` is what a baseline file holds, None for an artifact.
    """

    manifest: Manifest
    artifact: Artifact | None = None
    recorded: Mapping[str, Any] | None = None

    @property
    def key(self) -> Key:
        """Target and name."""
        return self.manifest.target, self.manifest.name

    @cached_property
    def module(self) -> ModuleFigures:
        """The figures of the compiled module."""
        if self.artifact is None:
            return ModuleFigures.from_dict((self.recorded or {})["module"])
        return inspect_artifact(self.artifact).module

    @cached_property
    def normalised_sha256(self) -> str:
        """Digest of the MLIR text without what means nothing."""
        if self.artifact is None:
            return str((self.recorded or {})["mlir_normalised_sha256"])
        return normalised_sha256(self.artifact.mlir)

    @cached_property
    def work(self) -> float | None:
        """FLOPs of the matrix instructions per FLOP that the spec needs, where that is known."""
        executed = [step.matrix_flops for step in self.module.dispatches]
        needed = spec_from_dict(self.manifest.spec).flops
        known = [flops for flops in executed if flops is not None]
        if len(known) < len(executed) or not any(known) or not needed:
            return None
        return sum(known) / needed


def of_artifact(artifact: Artifact) -> Subject:
    """The subject of an artifact."""
    return Subject(artifact.manifest, artifact)


def baseline_text(subject: Subject) -> str:
    """What a baseline file keeps of an artifact: JSON with one figure a line, in stable order."""
    fields = {
        "baseline_version": BASELINE_VERSION,
        "manifest": dataclasses.asdict(subject.manifest),
        "mlir_normalised_sha256": subject.normalised_sha256,
        "module": subject.module.to_dict(),
    }
    return _SCALARS.sub(_on_one_line, json.dumps(fields, indent=2, sort_keys=True)) + "\n"


def read_baseline(path: Path) -> Subject:
    """The subject of a baseline file; ArtifactError where it is none."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path}: not readable as JSON: {error}; {_AGAIN}") from error
    found = fields.get("baseline_version") if isinstance(fields, dict) else None
    if found != BASELINE_VERSION:
        raise ArtifactError(
            f"{path}: expected baseline version {BASELINE_VERSION}, got {found}; {_AGAIN}"
        )
    subject = Subject(parse_manifest(fields.get("manifest"), path), recorded=fields)
    try:
        # Read here, so that what is missing is found here.
        _ = subject.module, subject.work
        if not isinstance(fields["mlir_normalised_sha256"], str):
            raise TypeError("mlir_normalised_sha256: expected text")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ArtifactError(f"{path}: not a baseline: {error!r}; {_AGAIN}") from error
    return subject


_AGAIN = "make it again with `irattn baseline update`"


def _on_one_line(found: re.Match[str]) -> str:
    return "[" + re.sub(r"\n\s*", " ", found[1]) + "]"
