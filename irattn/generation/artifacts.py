"""A model's graphs compiled ahead, as many at a time as there are cores."""

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from irattn.artifact import Artifact
from irattn.build import find_or_compile
from irattn.specs import Spec
from irattn.targets import Target


@dataclass(frozen=True)
class Built:
    """An artifact, what it is for, and what it took to have it."""

    what: str
    artifact: Artifact
    was_found: bool
    seconds: float


def build_all(
    named: Mapping[Spec, str],
    target: Target,
    root: Path | None,
    report: Callable[[Built], None],
) -> dict[Spec, Artifact]:
    """The artifact of each spec; `report` is told of each, in their order, once it is there."""
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        futures = {
            spec: pool.submit(_build, spec, what, target, root) for spec, what in named.items()
        }
        found = {}
        for spec, future in futures.items():
            built = future.result()
            report(built)
            found[spec] = built.artifact
        return found
    finally:
        # After a failure, or Ctrl-C, nothing more is started.
        pool.shutdown(cancel_futures=True)


def _build(spec: Spec, what: str, target: Target, root: Path | None) -> Built:
    start = time.monotonic()
    artifact, was_found = find_or_compile(spec, target, root=root)
    return Built(what, artifact, was_found, time.monotonic() - start)
