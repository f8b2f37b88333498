"""A model's graphs compiled ahead, as many at a time as there are cores."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from irattn.compiling.artifact import Artifact
from irattn.compiling.build import Built, build_pool, timed_build
from irattn.compiling.store import Store
from irattn.rendering import GraphRequest
from irattn.specs import Spec
from irattn.targets import Target


def build_all(
    named: Mapping[Spec, str],
    target: Target,
    root: Path | None,
    report: Callable[[Built], None],
) -> dict[Spec, Artifact]:
    """The artifact of each spec; `report` is told of each, in their order, once it is there."""
    artifacts, store = {}, Store(root)
    with build_pool(os.cpu_count()) as pool:
        futures = {
            spec: pool.submit(timed_build, what, GraphRequest(spec, target), store)
            for spec, what in named.items()
        }
        for spec, future in futures.items():
            built = future.result()
            report(built)
            artifacts[spec] = built.artifact
    return artifacts
