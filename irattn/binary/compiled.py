"""What is read of an artifact to inspect, launch and export it."""

from pathlib import Path
from typing import Protocol

from irattn.binary.manifest import Manifest
from irattn.specs import Spec


class Compiled(Protocol):
    """A compiled spec with its description; `irattn.compiling.artifact.Artifact` is one."""

    @property
    def manifest(self) -> Manifest:
        """What it is."""

    @property
    def vmfb(self) -> bytes:
        """The compiler's file."""

    @property
    def path(self) -> Path:
        """Where it came from, to say so."""

    @property
    def spec(self) -> Spec:
        """What it computes."""

    @property
    def target(self) -> str:
        """The name of the target that it is compiled for."""
