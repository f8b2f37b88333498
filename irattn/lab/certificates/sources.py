"""The artifacts that a user's path leads to: a folder's, those in a folder, a bundle's."""

from pathlib import Path

from irattn.compiling import catalog
from irattn.compiling.artifact import Artifact, artifacts_in, read_artifact
from irattn.compiling.bundles import is_bundle, read_bundle
from irattn.core.errors import ArgumentError


def artifacts_at(path: Path) -> list[Artifact]:
    """All artifacts of a folder, or all variants of a bundle; ArtifactError where there are none.

    ArgumentError for the name of a catalogue entry, which is no artifact yet.
    """
    if is_bundle(path):
        bundle = read_bundle(path)
        variants = (
            (name, target) for name, targets in bundle.entries.items() for target in targets
        )
        return [bundle.artifact(name, target) for name, target in variants]
    if str(path) in catalog.names([*catalog.SIZES, catalog.BENCH]) and not path.exists():
        raise ArgumentError(
            f"{path}: expected an artifact, got a catalogue entry; compile it first: `irattn "
            f"compile {path} --target … --store FOLDER`"
        )
    # Reading a folder that has none says so.
    return artifacts_in(path) or [read_artifact(path)]
