"""Read an artifact from its folder: `module.mlir`, `module.vmfb` and `manifest.json`."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from irattn.binary.manifest import MANIFEST, MLIR, VMFB, Manifest
from irattn.compiling.artifact.checked_contents import check_contents
from irattn.compiling.artifact.checked_manifest import read_manifest_bytes
from irattn.compiling.artifact.remedies import remedy
from irattn.core.errors import ArtifactError, MissingArtifactError
from irattn.specs import CATALOGUE, Spec, spec_from_dict


@dataclass(frozen=True, repr=False)
class Artifact:
    """An artifact in memory, and the folder that it lies in."""

    manifest: Manifest
    mlir: str
    vmfb: bytes
    path: Path

    def __repr__(self) -> str:
        return f"<Artifact {self.manifest.name} for {self.target} in {self.path}>"

    @cached_property
    def spec(self) -> Spec:
        """The spec that was compiled."""
        return spec_from_dict(self.manifest.spec)

    @property
    def target(self) -> str:
        """Name of the target that it was compiled for."""
        return self.manifest.target


def is_artifact(name: str) -> bool:
    """Whether a user's word names an artifact's folder rather than a catalogue entry."""
    is_entry = name in CATALOGUE and not os.path.exists(Path(name) / MANIFEST)
    return os.sep in name or (os.path.isdir(name) and not is_entry)


def read_artifact(folder: Path) -> Artifact:
    """Read an artifact folder and check that its files are whole and belong together.

    ArtifactError says what is wrong and how to make it again.
    """
    manifest = _read_manifest(folder)
    try:
        mlir, vmfb = _read(folder / MLIR), _read(folder / VMFB)
        return artifact_of(manifest, mlir, vmfb, folder)
    except ArtifactError as error:
        raise ArtifactError(f"{folder}: {error}; {remedy(folder)}") from error


def artifacts_in(folder: Path) -> list[Artifact]:
    """The artifact of a folder, or those in it as the store lays them out, in order of their paths.

    Folders that begin with a dot are not looked into. ArtifactError where any is not usable.
    """
    return [read_artifact(path) for path in _folders_in(folder)]


def _folders_in(folder: Path) -> list[Path]:
    """The folder, and the folders below it, that hold a manifest where the store puts one."""
    return [
        file.parent
        for depth in ("", "*/", "*/*/")
        for file in sorted(folder.glob(f"{depth}{MANIFEST}"))
        if not any(part.startswith(".") for part in file.relative_to(folder).parts)
    ]


def artifact_of(manifest: Manifest, mlir: bytes, vmfb: bytes, path: Path) -> Artifact:
    """The artifact that these parts are; ArtifactError where they do not belong together."""
    check_contents(manifest, mlir, vmfb)
    return Artifact(manifest, mlir.decode(), vmfb, path)


def _read_manifest(folder: Path) -> Manifest:
    """Read the manifest of an artifact folder; ArtifactError where there is no usable one."""
    path = folder / MANIFEST
    try:
        _check_place(folder)
    except OSError as error:
        # A name that is too long, or a folder that is somebody else's.
        raise ArtifactError(f"{folder}: not readable: {error.strerror}") from error
    try:
        return read_manifest_bytes(_read(path))
    except ArtifactError as error:
        raise ArtifactError(f"{path}: {error}; {remedy(folder)}") from error


def _check_place(folder: Path) -> None:
    """ArtifactError for what is no folder, or holds no manifest."""
    if not folder.exists():
        raise MissingArtifactError(f"{folder}: no such folder; check the path, or {remedy(folder)}")
    if folder.is_file() and folder.suffix == ".irattn":
        raise ArtifactError(
            f"{folder}: expected the folder of an artifact, got a bundle; give a folder that "
            "`irattn compile` writes"
        )
    if folder.is_file():
        raise ArtifactError(
            f"{folder}: expected the folder of an artifact or a bundle (FILE.irattn), got a file"
        )
    if not (folder / MANIFEST).exists():
        below = _folders_in(folder)
        mend = f"name one of those below it, as {below[0]}" if below else remedy(folder)
        raise ArtifactError(f"{folder}: no artifact here ({MANIFEST} is missing); {mend}")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ArtifactError(f"{path.name}: not readable: {error.strerror or error}") from error
