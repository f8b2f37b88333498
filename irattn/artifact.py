"""The artifact: a folder with `module.mlir`, `module.vmfb` and `manifest.json`."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from irattn.errors import ArtifactError, IrattnError
from irattn.specs import Spec, spec_from_dict
from irattn.targets import get as get_target

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
MLIR = "module.mlir"
VMFB = "module.vmfb"


@dataclass(frozen=True)
class Manifest:
    """What an artifact is: enough to check it, run it and build it again.

    It holds no time, host or path: equal inputs give equal manifests. `target_identity` tells
    processors apart where the target is `cpu`, the machine that compiled.
    """

    format_version: int
    name: str
    spec: dict[str, Any]
    target: str
    target_identity: str | None
    entry_points: list[str]
    inputs: list[dict[str, Any]]
    outputs: list[dict[str, Any]]
    formulation: str | None
    dialect: str
    irattn_version: str
    compiler: str
    compiler_version: str
    flags: list[str]
    key: str
    sha256: dict[str, str]

    def to_json(self) -> str:
        """Readable JSON with sorted keys."""
        return json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"


@dataclass(frozen=True)
class Artifact:
    """An artifact in memory, and the folder that it lies in."""

    manifest: Manifest
    mlir: str
    vmfb: bytes
    path: Path

    @property
    def spec(self) -> Spec:
        """The spec that was compiled."""
        return spec_from_dict(self.manifest.spec)

    @property
    def target(self) -> str:
        """Name of the target that it was compiled for."""
        return self.manifest.target


def sha256(data: bytes) -> str:
    """Hex digest."""
    return hashlib.sha256(data).hexdigest()


def is_artifact(name: str) -> bool:
    """Whether a user's word names an artifact's folder rather than a catalogue entry."""
    return os.sep in name or (Path(name) / MANIFEST).exists()


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of an artifact folder; ArtifactError where there is no usable one."""
    path = folder / MANIFEST
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ArtifactError(f"{folder}: no artifact here ({MANIFEST} is missing)") from error
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path}: not readable as JSON: {error}; compile it again") from error
    return parse_manifest(fields, path)


def parse_manifest(fields: object, path: Path) -> Manifest:
    """The manifest of JSON fields that a file holds; ArtifactError where they are none."""
    found = fields.get("format_version") if isinstance(fields, dict) else None
    if not isinstance(fields, dict) or found != FORMAT_VERSION:
        raise ArtifactError(
            f"{path}: expected format version {FORMAT_VERSION}, got {found}; compile it again"
        )
    try:
        manifest = Manifest(**fields)
        _check_fields(manifest)
    except (TypeError, IrattnError) as error:
        raise ArtifactError(f"{path}: not a manifest: {error}; compile it again") from error
    return manifest


def _check_fields(manifest: Manifest) -> None:
    """Refuse fields that later code would trip over."""
    spec = spec_from_dict(manifest.spec)
    get_target(manifest.target)
    if manifest.entry_points != [spec.op]:
        raise ArtifactError(f"entry_points: expected {[spec.op]}, got {manifest.entry_points}")
    hashes = manifest.sha256 if isinstance(manifest.sha256, dict) else {}
    if set(hashes) != {MLIR, VMFB}:
        raise ArtifactError(f"sha256: expected the hashes of {MLIR} and {VMFB}")
    for name in ("name", "compiler_version", "key"):
        if not isinstance(getattr(manifest, name), str):
            raise ArtifactError(f"{name}: expected text, got {getattr(manifest, name)!r}")


def read_artifact(folder: Path) -> Artifact:
    """Read an artifact folder and check both files against their hashes; ArtifactError if not."""
    manifest = read_manifest(folder)
    data = {}
    for name in (MLIR, VMFB):
        try:
            data[name] = (folder / name).read_bytes()
        except OSError as error:
            raise ArtifactError(f"{folder / name}: not readable: {error}") from error
        if sha256(data[name]) != manifest.sha256.get(name):
            raise ArtifactError(
                f"{folder / name}: altered or truncated (sha256 differs from {MANIFEST}); "
                "compile it again"
            )
    return Artifact(manifest, data[MLIR].decode(), data[VMFB], folder)
