"""The parts of an artifact that inspecting, launching and exporting read."""

from pathlib import Path
from typing import Protocol

from irattn.binary.manifest import Manifest
from irattn.specs import Spec


class Compiled(Protocol):
    """A compiled spec with its description; `irattn.compiling.artifact.Artifact` is one."""

    @property
    def manifest(self) -> Manifest:
        """The manifest."""

    @property
    def vmfb(self) -> bytes:
        """The compiler's file."""

    @property
    def path(self) -> Path:
        """The path that the artifact came from, for messages."""

    @property
    def spec(self) -> Spec:
        """The spec that the artifact computes."""

    @property
    def target(self) -> str:
        """The name of the target that it is compiled for."""
