"""The tiny entries of the catalogue, which many tests want: several are compiled together."""

from functools import cache

from irattn import catalog
from irattn.artifact import Artifact
from support.joined import artifacts_of

TINY = catalog.names(["tiny"])
TOGETHER = 17


def tiny_artifact(name: str, target: str = "cpu") -> Artifact:
    """An entry's artifact, in memory; its program holds other entries too."""
    first = TINY.index(name) // TOGETHER * TOGETHER
    return tiny_artifacts(tuple(TINY[first : first + TOGETHER]), target)[name]


@cache
def tiny_artifacts(names: tuple[str, ...], target: str) -> dict[str, Artifact]:
    """The same of these entries alone."""
    made = artifacts_of(map(catalog.get, names), target)
    return {name: made[catalog.get(name)] for name in names}
