"""Inspect an artifact: its manifest, its figures, and names for people."""

from dataclasses import dataclass
from typing import Any

from irattn.binary.compiled import Compiled
from irattn.binary.inspection.figures import ModuleFigures
from irattn.binary.inspection.module import inspect_module
from irattn.binary.inspection.names import Names, short_names
from irattn.binary.manifest import Manifest
from irattn.specs import spec_from_dict


@dataclass(frozen=True)
class Inspection:
    """An artifact's manifest and the figures of its module.

    `needed_flops` leaves out what a causal mask or a window hides. `executed_flops` is an estimate
    from grid, tiles and loop bounds, None where they do not tell.
    """

    manifest: Manifest
    module: ModuleFigures

    @property
    def needed_flops(self) -> int:
        """FLOPs that the spec's matrix products need."""
        return spec_from_dict(self.manifest.spec).least_flops

    @property
    def executed_flops(self) -> float | None:
        """FLOPs of the kernels' matrix instructions; None where they cannot be told."""
        flops = [step.matrix_flops for step in self.module.dispatches]
        known = [number for number in flops if number is not None]
        return sum(known) if known and len(known) == len(flops) else None

    @property
    def work_efficiency(self) -> float | None:
        """The least work over the work done; None where no matrix instructions are at work."""
        return self.needed_flops / self.executed_flops if self.executed_flops else None

    @property
    def names(self) -> Names:
        """The names of steps and kernels for people."""
        return short_names(self.module.steps, self.manifest.inputs, self.manifest.outputs)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "manifest": self.manifest.to_dict(),
            "module": self.module.to_dict(),
            "names": {"steps": self.names.steps, "kernels": self.names.kernels},
            "needed_flops": self.needed_flops,
            "executed_flops": self.executed_flops,
            "work_efficiency": self.work_efficiency,
        }


def inspect_artifact(artifact: Compiled) -> Inspection:
    """Inspect an artifact; ArtifactError where its module is damaged or not understood."""
    return Inspection(artifact.manifest, inspect_module(artifact.vmfb))
