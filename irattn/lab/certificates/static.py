"""Claims that are proved without executing anything: files, text, waits, opcodes."""

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from irattn.binary.codeobject import CodeObject, KernelCode
from irattn.compiling.artifact import Artifact, artifact_of
from irattn.compiling.build import request_of
from irattn.core.errors import IrattnError
from irattn.lab.certificates.claims import Claim, does_not_apply, not_proved, proved, refuted
from irattn.lab.certificates.mutants import until_the_end
from irattn.lab.emulator import missing_waits
from irattn.lab.emulator.measure.coverage import exactness
from irattn.lab.profiling import code_objects, emulation_problem
from irattn.rendering import render
from irattn.targets import get as get_target


def files(artifact: Artifact) -> Claim:
    """The artifact's parts, read and checked once more."""
    manifest = artifact.manifest
    artifact_of(manifest, artifact.mlir.encode(), artifact.vmfb, artifact.path)
    how = (
        "the hashes and the key in the manifest were computed again; module.vmfb exports the "
        f"spec's function with the spec's tensors, and has code for {manifest.target} only"
    )
    return proved("files", how, key=manifest.key)


def text(artifact: Artifact) -> Claim:
    """The text beside what this version of irattn renders."""
    manifest, its = artifact.manifest, version("irattn")
    try:
        made = render(request_of(artifact))
    except IrattnError as error:
        return not_proved("text", str(error))
    if made != artifact.mlir:
        return not_proved(
            "text",
            f"irattn {its} renders another text, and irattn {manifest.irattn_version} made this",
        )
    graph = manifest.formulation or manifest.dialect
    return proved("text", f"rendered again by irattn {its} ({graph}), and equal byte for byte")


def waits(artifact: Artifact) -> Claim:
    """The code of each kernel on every path."""
    if why := _unread(artifact):
        return _without_code("waits", artifact, why)
    missing = [
        f"{kernel.name} at {early.instruction.at:#06x}: {early}"
        for code_object, kernel in _kernels(artifact)
        for early in missing_waits(kernel, code_object.gfx)
    ]
    how = (
        "dataflow over all paths of each kernel: counters of loads and stores under way, and the "
        "hazards of LLVM's GCNHazardRecognizer; every execution above also stops at an early use"
    )
    kernels = [kernel for _, kernel in _kernels(artifact)]
    code = [one for kernel in kernels for one in until_the_end(kernel, artifact.target)]
    kinds = Counter(one.kind for one in code)
    figures = {"instructions": kinds.total(), "waits": kinds["wait"]}
    if missing:
        return refuted("waits", how, "; ".join(missing[:3]), places=len(missing), **figures)
    return proved("waits", how, kernels=len(kernels), **figures)


def opcodes(artifact: Artifact) -> Claim:
    """Which opcodes the machine code has, and how well the emulator knows each."""
    if why := _unread(artifact):
        return _without_code("opcodes", artifact, why)
    by_name = {
        one.name: exactness(one, artifact.target)
        for _, kernel in _kernels(artifact)
        for one in until_the_end(kernel, artifact.target)
    }
    named = {
        kind: sorted(name for name, known in by_name.items() if known == kind)
        for kind in ("exact", "approximate", "none")
    }
    figures: dict[str, Any] = {
        "exact": len(named["exact"]),
        "approximate": named["approximate"],
        "none": named["none"],
    }
    how = (
        "AMD's instruction tables beside the emulator's: exact gives the bits that AMD documents, "
        "or that were measured; approximate gives exact arithmetic rounded once, where hardware "
        "may differ in the last bit or in the order of a sum"
    )
    if named["none"]:
        return not_proved("opcodes", f"not executed: {', '.join(named['none'])}", **figures)
    return proved("opcodes", how, **figures)


def _unread(artifact: Artifact) -> str | None:
    """Why machine code cannot be read; None where it can."""
    return emulation_problem(artifact.target)


def _without_code(name: str, artifact: Artifact, why: str) -> Claim:
    """A claim of AMD machine code where there is none, or none that is understood."""
    if get_target(artifact.target).driver != "hip":
        return does_not_apply(name, why)
    return not_proved(name, why)


def _kernels(artifact: Artifact) -> Iterator[tuple[CodeObject, KernelCode]]:
    for code_object in code_objects(artifact):
        for kernel in code_object.kernels:
            yield code_object, kernel
