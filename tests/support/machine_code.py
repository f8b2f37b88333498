"""Machine code that tests look at, as irattn reads it; test_codeobject compares that with the
assembly that the compiler writes."""

from collections.abc import Iterable
from functools import cache

from irattn import targets
from irattn.binary.codeobject import read_code_object
from irattn.binary.inspection import inspect_module, kernel_figures
from irattn.binary.inspection.figures import KernelFigures
from irattn.binary.vmfb import read_hip_executable, read_module, trace
from irattn.compiling import catalog
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import build
from irattn.compiling.store import Store
from irattn.rendering import GraphRequest
from irattn.specs import Spec
from support.joined import artifact_of
from support.places import ROOT

BASELINES = ROOT / "artifacts"
# Where `tools/dev.py compare` compiles what it compares with the baselines.
BUILT = ROOT / "build" / "baseline"


def artifact(spec: Spec, target: str) -> Artifact:
    """The artifact of a spec; a base entry is compiled once for all tests and the comparison."""
    if (BASELINES / target).is_dir():
        for name in catalog.names(["base"]):
            if catalog.get(name) == spec:
                return build(GraphRequest(spec, targets.get(target)), Store(BUILT), name=name)
    return build(GraphRequest(spec, targets.get(target)))


def kernels(spec: Spec, target: str, among: Iterable[Spec] = ()) -> tuple[KernelFigures, ...]:
    """The kernels of a compiled spec; it is compiled together with those that it is among.

    Their registers may then be allotted otherwise, and more or fewer spilled, than in what users
    have: who counts them has the spec compiled alone.
    """
    specs = tuple(among)
    if not specs:
        return inspect_module(artifact(spec, target).vmfb).kernels
    found = artifact_of(spec, specs, target)
    figures = _figures(found.vmfb)
    return tuple(figures[name] for name in launched(found))


def launched(artifact: Artifact) -> list[str]:
    """The names of the kernels that its function launches, which are not all of its module."""
    program = trace(read_module(artifact.vmfb), artifact.manifest.entry_points[0])
    return list(dict.fromkeys(step.kernel for step in program.steps if step.what == "dispatch"))


@cache
def _figures(vmfb: bytes) -> dict[str, KernelFigures]:
    """All kernels of a module by name."""
    module = read_module(vmfb)
    entry_point = next(name for name in module.exports if not name.startswith("__"))
    return {
        kernel.name: kernel
        for executable in trace(module, entry_point).executables
        for elf in read_hip_executable(executable.data)[1]
        for kernel in kernel_figures(read_code_object(elf))
    }


def matrix_instructions(found: tuple[KernelFigures, ...]) -> int:
    """How many matrix instructions the code of these kernels has."""
    return sum(kernel.instructions["matrix"] for kernel in found if kernel.instructions)
