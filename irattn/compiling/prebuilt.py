"""Find what was made elsewhere: artifacts in bundles that lie in the store's folder.

Whoever ships a program puts a bundle there, so that a machine without the compiler runs it.
"""

from functools import lru_cache
from pathlib import Path

from irattn import targets
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import Compile, find_or_compile
from irattn.compiling.bundles import SUFFIX, Bundle, read_bundle
from irattn.compiling.store import Store
from irattn.core.packages import COMPILER, installed_version
from irattn.rendering import GraphRequest
from irattn.specs import Spec
from irattn.targets import Target, host_cpu_digest


def artifact_for(
    spec: Spec,
    target: Target,
    store: Store,
    *,
    name: str | None = None,
    compile: Compile | None = None,
) -> Artifact:
    """The artifact of a spec for a target: a bundle's, the store's, or one that is compiled.

    `name` and `compile` are as in `find_or_compile`, whose errors it raises; ArtifactError names a
    bundle that is damaged.
    """
    found = prebuilt(spec, target, store.root)
    if found is not None:
        return found
    return find_or_compile(GraphRequest(spec, target), store, name=name, compile=compile)[0]


def prebuilt(spec: Spec, target: Target, folder: Path) -> Artifact | None:
    """The artifact of a spec in the bundles that lie in a folder; None where there is none.

    The variant is the target's own; without a compiler here also one that the target runs.
    """
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        facts = path.stat()
        bundle, names = _opened(path, facts.st_mtime_ns, facts.st_size)
        if (name := names.get(spec)) and (variant := _variant(bundle, name, target)):
            return bundle.artifact(name, variant)
    return None


@lru_cache(maxsize=16)
def _opened(path: Path, changed: int, size: int) -> tuple[Bundle, dict[Spec, str]]:
    """A bundle as it lies there since it was changed, and its entries by their specs."""
    bundle = read_bundle(path)
    return bundle, {
        bundle.artifact(name, variants[0]).spec: name for name, variants in bundle.entries.items()
    }


def _variant(bundle: Bundle, name: str, target: Target) -> str | None:
    """The variant of an entry for a target."""
    there = bundle.entries[name]
    if target.name in there and _is_for_this_cpu(bundle, name, target):
        return target.name
    if installed_version(COMPILER):
        return None
    able = (one for one in map(targets.get, there) if _runs(target, one))
    return next((one.name for one in able if _is_for_this_cpu(bundle, name, one)), None)


def _runs(target: Target, other: Target) -> bool:
    """Whether a target runs the code of another."""
    if target.is_gpu or other.is_gpu:
        return other.driver == target.driver and other.runs_on(target.name)
    return not other.missing_cpu_features


def _is_for_this_cpu(bundle: Bundle, name: str, target: Target) -> bool:
    """Whether a variant is for any machine, or for this one's processor."""
    identity = bundle.artifact(name, target.name).manifest.target_identity
    return identity in (None, host_cpu_digest())
