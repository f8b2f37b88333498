"""A model's graphs compiled ahead, as many at a time as there are cores."""

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from irattn.compiling.artifact import Artifact
from irattn.compiling.several import Built, Failed, build_each
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
    work = [(what, GraphRequest(spec, target)) for spec, what in named.items()]
    each = build_each(work, Store(root), jobs=os.cpu_count(), are_names_folders=False)
    artifacts = {}
    with closing(each) as outcomes:
        for spec, outcome in zip(named, outcomes, strict=True):
            if isinstance(outcome, Failed):
                raise outcome.error
            report(outcome)
            artifacts[spec] = outcome.artifact
    return artifacts
