"""Find what can be loaded and verified: artifacts, bundles, specs, by the words that name them."""

from pathlib import Path

from irattn import targets
from irattn.compiling import catalog
from irattn.compiling.artifact import Artifact, is_artifact, read_artifact
from irattn.compiling.bundles import Bundle, is_bundle, read_bundle
from irattn.core.errors import ArgumentError
from irattn.specs import Spec


def is_path(word: str | Path) -> bool:
    """Whether a user's word names an artifact's folder or a bundle, not a catalogue entry."""
    return isinstance(word, Path) or is_bundle(word) or is_artifact(word)


def recognise(given: object, argument: str) -> Artifact | Bundle | Spec:
    """The artifact, bundle or spec that is given or named, read and checked.

    A path names an artifact's folder or a bundle, any other word a catalogue entry. ArgumentError,
    which names the `argument`, for what is none of these; ArtifactError or CatalogueError where
    nothing sound has that name.
    """
    if isinstance(given, Artifact | Spec):
        return given
    if not isinstance(given, str | Path):
        raise ArgumentError(
            f"{argument}: expected an artifact, the path of its folder or of a bundle, a spec, or "
            f"a catalogue name, got {type(given).__name__}"
        )
    if is_bundle(given):
        return read_bundle(Path(given))
    return read_artifact(Path(given)) if is_path(given) else catalog.get(str(given))


def check_no_entry(name: str | None) -> None:
    """ArgumentError for the name of a bundle's entry where there is no bundle."""
    if name is not None:
        raise ArgumentError(f"name: expected none, as this is no bundle, got {name}")


def check_compiled_for(artifact: Artifact, target: str | None) -> None:
    """ArgumentError where an artifact is wanted for another target than its own."""
    if target is not None and targets.get(target).name != artifact.target:
        raise ArgumentError(
            f"target: expected {artifact.target}, which the artifact is compiled for, got {target}"
        )
