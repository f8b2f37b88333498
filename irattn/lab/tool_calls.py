"""Calls of IREE's own tools: inputs and expected outputs as files, and the flags for them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from irattn import targets
from irattn.core.dtypes import dtype
from irattn.core.errors import UsageError, shown
from irattn.core.progress import step
from irattn.core.tensors import TensorType
from irattn.lab.inputs import cases_for
from irattn.lab.verification import KnownCase, known_case
from irattn.rendering import GraphRequest, render
from irattn.runtime.arguments import check_arguments
from irattn.runtime.costs import check_verification
from irattn.specs import Spec
from irattn.targets import Target

INPUTS = "inputs"
EXPECTED = "expected"


@dataclass(frozen=True)
class ToolCall:
    """Arrays that a compiled function takes, in call order, and what is known of its outputs.

    `spec` is static, and takes what the function itself takes: sizes that a call chooses are the
    largest ones.
    """

    spec: Spec
    seed: int
    inputs: tuple[np.ndarray, ...]
    known: KnownCase

    @property
    def case(self) -> str:
        """The name of the case."""
        return self.known.name

    @property
    def expected(self) -> tuple[np.ndarray, ...]:
        """The float64 outputs."""
        return self.known.expected


def case_names(spec: Spec) -> list[str]:
    """The input cases that make sense for a spec; the first is random."""
    return [case.name for case in cases_for(static_spec(spec))]


def tool_call(spec: Spec, case: str | None = None, seed: int = 0) -> ToolCall:
    """The call of a case, by default the first; UsageError for one that the spec does not have."""
    static = static_spec(spec)
    cases = {one.name: one for one in cases_for(static)}
    chosen = case or next(iter(cases))
    if chosen not in cases:
        raise UsageError(f"case: {spec.op} has {', '.join(cases)}, got {shown(chosen)}")
    check_verification(static)
    tensors = cases[chosen].tensors(static, seed)
    # The function reads the ids of unused blocks too, and is given some; the reference does not.
    inputs = check_arguments(static, tensors)
    with step(f"reference of case {chosen}"):
        return ToolCall(static, seed, tuple(inputs), known_case(chosen, static, tensors))


def static_spec(spec: Spec) -> Spec:
    """The spec of the compiled function, every size the largest that it may be."""
    compiled = spec.compiled
    return compiled.replace(dynamic=()) if getattr(compiled, "dynamic", ()) else compiled


def cpu_graph(request: GraphRequest) -> str:
    """The graph of a GPU target without its tile sizes, which compiles for CPUs too.

    RenderError where there is none.
    """
    return render(request.on(targets.get("cpu")))


def write_inputs(call: ToolCall, folder: Path) -> list[str]:
    """Write `inputs/` into a folder; the flags by which iree-run-module, run there, reads them."""
    files = [
        _write(folder, f"{INPUTS}/{tensor.name}", array, tensor)
        for tensor, array in zip(call.spec.inputs, call.inputs, strict=True)
    ]
    return [f"--input={file}" for file in files]


def write_expected(call: ToolCall, folder: Path) -> list[str]:
    """Write `expected/` in the outputs' own types; the flags by which results are compared."""
    files = [
        _write(folder, f"{EXPECTED}/{tensor.name}", array.astype(dtype(tensor.dtype).numpy), tensor)
        for tensor, array in zip(call.spec.outputs, call.expected, strict=True)
    ]
    flags = [f"--expected_output={file}" for file in files]
    flags += [f"--expected_{name}_threshold={most:.3g}" for name, most in thresholds(call).items()]
    return [*flags, "--expected_rtol=0"]


def thresholds(call: ToolCall) -> dict[str, float]:
    """By how much an element of an output may be off, for each element type.

    The tool knows one number for each type: the type's tolerance times the largest magnitude
    that is expected in it, or of its scale where terms cancel.
    """
    most: dict[str, float] = {}
    pairs = zip(call.spec.outputs, call.expected, call.known.scales, strict=True)
    for tensor, *sizes in pairs:
        element = dtype(tensor.dtype)
        largest = max(
            np.abs(size[np.isfinite(size)]).max(initial=0.0) for size in sizes if size is not None
        )
        allowed = max(tensor.tolerance * float(largest), element.tiniest)
        most[tensor.dtype] = max(allowed, most.get(tensor.dtype, 0.0))
    return most


def function_flags(spec: Spec, target: Target) -> list[str]:
    """The flags by which iree-run-module calls the function of a module for a target."""
    driver = target.driver if target.is_gpu else "local-sync"
    return [f"--device={driver}", f"--function={spec.op}"]


def _write(folder: Path, stem: str, array: np.ndarray, tensor: TensorType) -> str:
    """Write an array; the word by which IREE's tools read it.

    The .npy format has NumPy's own types only; bytes of others are written bare, and the word says
    shape and type.
    """
    (folder / stem).parent.mkdir(exist_ok=True)
    element = dtype(tensor.dtype)
    if element.is_numpys:
        np.save(folder / f"{stem}.npy", array)
        return f"@{stem}.npy"
    array.tofile(folder / f"{stem}.bin")
    return f"{'x'.join(map(str, array.shape))}x{element.mlir}=@{stem}.bin"
