"""Verification of whatever can be loaded: its work, which gives verdicts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from irattn.compiling.artifact import Artifact
from irattn.compiling.bundles import Bundle
from irattn.compiling.loadable import check_compiled_for, check_no_entry, recognise
from irattn.compiling.store import Store
from irattn.core.errors import ArgumentError
from irattn.lab.verification.artifacts import Verdict, verify_artifact, verify_entry, verify_spec
from irattn.lab.verification.stages import StagesVerdict, verify_stages
from irattn.rendering import GraphRequest
from irattn.runtime.machine import target_or_here
from irattn.specs import Spec
from irattn.specs.pipeline import stages_of

# A name for people, and what verifies.
Work: TypeAlias = tuple[str, Callable[[], Verdict | StagesVerdict]]


@dataclass(frozen=True, kw_only=True)
class Verifier:
    """How to verify; see `irattn.verify`. A target of None is this machine's for specs, else
    their own."""

    target: str | None = None
    name: str | None = None
    device: str = "auto"
    formulation: str | None = None
    dialect: str = "linalg"
    stages: bool = False
    seed: int = 0
    out: Path | None = None

    def work(self, artifacts_or_specs: object) -> Iterator[Work]:
        """A function for each that verifies it when it is due: files are read here already."""
        for name, given in _named(artifacts_or_specs):
            loadable = recognise(given, "artifacts_or_specs")
            if isinstance(loadable, Bundle):
                yield from self._of_bundle(name or str(given), loadable)
                continue
            check_no_entry(self.name)
            if isinstance(loadable, Artifact):
                yield self._of_artifact(name or str(given), loadable)
            else:
                yield self._of_spec(name, loadable)

    def _of_bundle(self, label: str, bundle: Bundle) -> Iterator[Work]:
        """The work of one entry of a bundle, or of all."""
        self._check_as_they_are()
        run: dict[str, Any] = {"device": self.device, "target": self.target, "seed": self.seed}
        for entry in bundle.entries if self.name is None else [bundle.entry(self.name)]:
            yield f"{label}: {entry}", partial(verify_entry, bundle, entry, **run)

    def _of_artifact(self, label: str, artifact: Artifact) -> Work:
        self._check_as_they_are()
        check_compiled_for(artifact, self.target)
        return label, partial(verify_artifact, artifact, device=self.device, seed=self.seed)

    def _of_spec(self, name: str | None, spec: Spec) -> Work:
        how: dict[str, Any] = {"name": name, "device": self.device, "seed": self.seed}
        if self.stages:
            # Refuse before any work what cannot be taken apart.
            stages_of(spec, name)
        target = target_or_here(self.target, self.device)
        request = GraphRequest(spec, target, self.formulation, self.dialect)
        verify_one = verify_stages if self.stages else verify_spec
        label = name or f"{spec.op}-{spec.digest}"
        return label, partial(verify_one, request, store=Store(self.out), **how)

    def _check_as_they_are(self) -> None:
        """ArgumentError for what only a compilation could heed."""
        for field in ("formulation", "dialect", "stages", "out"):
            value = getattr(self, field)
            if value != getattr(type(self), field):
                raise ArgumentError(
                    f"{field}: expected none, as artifacts and bundles are verified as they are, "
                    f"got {value}"
                )


def _named(artifacts_or_specs: object) -> Iterable[tuple[str | None, object]]:
    """Each thing that is given, with the name that it is given by."""
    if isinstance(artifacts_or_specs, Mapping):
        return artifacts_or_specs.items()
    given: Iterable[object] = [artifacts_or_specs]
    if isinstance(artifacts_or_specs, Iterable) and not isinstance(artifacts_or_specs, str | bytes):
        given = artifacts_or_specs
    return [(one if isinstance(one, str) else None, one) for one in given]
