"""Machine code that tests look at, as irattn reads it; test_codeobject compares that with the
assembly that the compiler writes."""

from pathlib import Path

from irattn import catalog, targets
from irattn.artifact import Artifact
from irattn.build import build
from irattn.inspection import inspect_module
from irattn.inspection.figures import KernelFigures
from irattn.specs import Spec

ROOT = Path(__file__).resolve().parents[2]
BASELINES = ROOT / "artifacts"
# Where `tools/dev.py compare` compiles what it compares with the baselines.
BUILT = ROOT / "build" / "baseline"


def artifact(spec: Spec, target: str) -> Artifact:
    """The artifact of a spec; a base entry is compiled once for all tests and the comparison."""
    if (BASELINES / target).is_dir():
        for name in catalog.names(["base"]):
            if catalog.get(name) == spec:
                return build(spec, targets.get(target), name=name, root=BUILT)
    return build(spec, targets.get(target))


def kernels(spec: Spec, target: str) -> tuple[KernelFigures, ...]:
    """The kernels of a compiled spec."""
    return inspect_module(artifact(spec, target).vmfb).kernels


def matrix_instructions(found: tuple[KernelFigures, ...]) -> int:
    """How many matrix instructions the code of these kernels has."""
    return sum(kernel.instructions["matrix"] for kernel in found if kernel.instructions)
