"""One side of a comparison: an artifact, or what a baseline file keeps of one."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from irattn.binary.inspection import Inspection, inspect_module
from irattn.binary.inspection.figures import ModuleFigures
from irattn.binary.inspection.names import Names
from irattn.binary.manifest import Manifest
from irattn.compiling.artifact import Artifact, read_manifest_fields
from irattn.core.declared import read_as
from irattn.core.dtypes import dtype
from irattn.core.errors import ArtifactError, SpecError
from irattn.core.strict_json import parse_json
from irattn.lab.comparison.normalise import normalised_sha256

BASELINE_VERSION = 1

# What is found under: target and name.
Key = tuple[str, str]

_SCALARS = re.compile(r"\[\n\s*([^\[\]{}]*?)\n\s*\]")


@dataclass(frozen=True)
class Recorded:
    """The part of a baseline file beside the manifest."""

    mlir_normalised_sha256: str
    module: ModuleFigures


@dataclass(frozen=True)
class _Baseline(Recorded):
    """All that a baseline file holds; the manifest is read on its own."""

    baseline_version: int
    manifest: dict[str, Any]


@dataclass(frozen=True)
class Subject:
    """One side of a comparison. An artifact's figures and digests are found when asked for.

    `recorded` is what a baseline file holds, None for an artifact.
    """

    manifest: Manifest
    artifact: Artifact | None = None
    recorded: Recorded | None = None

    @property
    def key(self) -> Key:
        """Target and name."""
        return self.manifest.target, self.manifest.name

    @cached_property
    def module(self) -> ModuleFigures:
        """The figures of the compiled module."""
        return self.recorded.module if self.recorded else inspect_module(self._artifact.vmfb)

    @cached_property
    def normalised_sha256(self) -> str:
        """Digest of the MLIR text without what means nothing."""
        if self.recorded:
            return self.recorded.mlir_normalised_sha256
        return normalised_sha256(self._artifact.mlir)

    @cached_property
    def names(self) -> Names:
        """The names of steps and kernels for people."""
        return Inspection(self.manifest, self.module).names

    @cached_property
    def memory(self) -> int | None:
        """Bytes of inputs, outputs and transient memory; None where a call chooses the sizes."""
        transient = self.module.transient_bytes
        if not isinstance(transient, int):
            return None
        tensors = [*self.manifest.inputs, *self.manifest.outputs]
        sizes = (math.prod(t["shape"]) * dtype(t["dtype"]).numpy.itemsize for t in tensors)
        return transient + int(sum(sizes))

    @cached_property
    def work(self) -> float | None:
        """FLOPs of the matrix instructions per FLOP that the spec needs, where that is known."""
        efficiency = Inspection(self.manifest, self.module).work_efficiency
        return 1 / efficiency if efficiency else None

    @property
    def _artifact(self) -> Artifact:
        assert self.artifact is not None, "a subject has an artifact, or what is recorded of one"
        return self.artifact


def of_artifact(artifact: Artifact) -> Subject:
    """The subject of an artifact."""
    return Subject(artifact.manifest, artifact)


def baseline_text(subject: Subject) -> str:
    """The text of an artifact's baseline file: JSON with one figure a line, in stable order."""
    fields = {
        "baseline_version": BASELINE_VERSION,
        "manifest": subject.manifest.to_dict(),
        "mlir_normalised_sha256": subject.normalised_sha256,
        "module": subject.module.to_dict(),
    }
    return _SCALARS.sub(_on_one_line, json.dumps(fields, indent=2, sort_keys=True)) + "\n"


def read_baseline(path: Path) -> Subject:
    """The subject of a baseline file; ArtifactError where it is none."""
    try:
        fields = parse_json(path.read_bytes())
        check_version(fields)
        baseline = read_as(_Baseline, fields)
        subject = Subject(read_manifest_fields(baseline.manifest), recorded=baseline)
    except (ArtifactError, OSError) as error:
        raise ArtifactError(f"{path}: {error}; {_AGAIN}") from error
    try:
        # Read here, so that what is missing is found here.
        _ = subject.names, subject.memory, subject.work
    except (AttributeError, KeyError, SpecError, TypeError, ValueError) as error:
        raise ArtifactError(f"{path}: not a baseline: {error!r}; {_AGAIN}") from error
    return subject


def check_version(fields: Mapping[str, Any]) -> None:
    """Refuse a baseline file of another form."""
    stated = fields.get("baseline_version")
    if stated != BASELINE_VERSION:
        raise ArtifactError(f"expected baseline version {BASELINE_VERSION}, got {stated}")


_AGAIN = "make it again with `irattn baseline update`"


def _on_one_line(numbers: re.Match[str]) -> str:
    return "[" + re.sub(r"\n\s*", " ", numbers[1]) + "]"
