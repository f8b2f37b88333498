"""The tiny entries of the catalogue, which many tests want: several are compiled together."""

from collections.abc import Iterable

from irattn import catalog
from irattn.artifact import Artifact
from support.joined import artifact_of

TINY = catalog.names(["tiny"])


def tiny_artifact(name: str, target: str = "cpu", among: Iterable[str] = TINY) -> Artifact:
    """An entry's artifact, in memory; its program holds other entries too."""
    return artifact_of(catalog.get(name), map(catalog.get, among), target)
