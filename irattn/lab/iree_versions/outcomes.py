"""Compile and run one graph with several versions of IREE, and note what each makes of it."""

import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from irattn import targets
from irattn.binary.inspection import inspect_module
from irattn.binary.inspection.figures import ModuleFigures
from irattn.compiling.compiler import DiagnosticsError, compile_mlir, run_group
from irattn.core.dtypes import dtype
from irattn.core.errors import ArtifactError, RenderError
from irattn.core.folders import keeping
from irattn.core.progress import steps
from irattn.lab.iree_versions.toolchains import Toolchain, toolchain
from irattn.lab.tool_calls import (
    ToolCall,
    case_names,
    cpu_graph,
    function_flags,
    tool_call,
    write_inputs,
)
from irattn.rendering import GraphRequest, render
from irattn.specs import Spec
from irattn.targets import Target

RESOURCES = ("kernels", "VGPRs", "spills", "LDS bytes")


@dataclass(frozen=True)
class Outcome:
    """The outcome of one version on a graph.

    `compile_seconds` is the median of several compilations for the target. `relative` is the worst
    error of all cases, of the target's graph on the CPU, and `strain` the same in units of what is
    allowed; both are None where nothing ran. `run_error` says why a run failed. `resources` is what
    the code of an AMD GPU takes; empty for other targets.
    """

    version: str
    compile_error: str | None = None
    compile_seconds: float | None = None
    run_error: str | None = None
    relative: float | None = None
    strain: float | None = None
    worst_case: str | None = None
    resources: Mapping[str, int] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """One of `ok`, `wrong numbers`, `does not run`, `does not compile`."""
        if self.compile_error:
            return "does not compile"
        if self.run_error:
            return "does not run"
        return "ok" if self.strain is None or self.strain <= 1 else "wrong numbers"

    def to_dict(self) -> dict[str, Any]:
        """JSON form; an error without bound is null, and `verdict` tells it from none at all."""
        fields = asdict(self)
        for name in ("relative", "strain"):
            if fields[name] is not None and not np.isfinite(fields[name]):
                fields[name] = None
        return {**fields, "verdict": self.verdict}


@dataclass(frozen=True)
class MatrixEntry:
    """One entry for one target in all versions, oldest first."""

    name: str
    target: str
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Comparing:
    """How graphs are compared, as a task: with tools, or on other machines with their versions."""

    tools: tuple[Toolchain | str, ...]
    formulation: str | None
    dialect: str
    repeats: int
    timeout: float

    def __call__(self, name: str, spec: Spec, target: Target) -> MatrixEntry:
        """One graph with every version; what a machine has not is installed there."""
        return compare_versions(
            name,
            GraphRequest(spec, target, self.formulation, self.dialect),
            [toolchain(one) if isinstance(one, str) else one for one in self.tools],
            repeats=self.repeats,
            timeout=self.timeout,
        )


@dataclass(frozen=True)
class _Graph:
    """A graph as all versions are given it: rendered once, inputs written once.

    `cpu_mlir` is the graph whose numbers are looked at, or None where only a GPU takes the graph.
    """

    mlir: str
    target: Target
    cpu_mlir: str | None
    calls: tuple[tuple[ToolCall, Path, tuple[str, ...]], ...]
    timeout: float


def compare_versions(
    name: str,
    request: GraphRequest,
    toolchains: Sequence[Toolchain],
    *,
    repeats: int = 3,
    timeout: float = 300,
) -> MatrixEntry:
    """Compile and run one graph with every toolchain; `timeout` is for each compilation or run."""
    with tempfile.TemporaryDirectory(prefix="irattn-matrix-") as scratch:
        mlir, target = render(request), request.target
        cpu_mlir = _cpu_mlir(request) if target.is_gpu else mlir
        with keeping(f"inputs of {name}", Path(scratch)):
            calls = _calls(request.spec, Path(scratch)) if cpu_mlir else ()
        graph = _Graph(mlir, target, cpu_mlir, calls, timeout)
        outcomes = tuple(
            _try(graph, tools, repeats, Path(scratch))
            for tools in steps(toolchains, lambda tools: f"IREE {tools.version}")
        )
    return MatrixEntry(name, target.name, outcomes)


def _cpu_mlir(request: GraphRequest) -> str | None:
    try:
        return cpu_graph(request)
    except RenderError:
        # A graph that only a GPU takes has no numbers here.
        return None


def _calls(spec: Spec, scratch: Path) -> tuple[tuple[ToolCall, Path, tuple[str, ...]], ...]:
    """Every case of a spec, the folder of its inputs, and the flags that read them."""
    calls = []
    for case in case_names(spec):
        call = tool_call(spec, case)
        folder = scratch / case
        folder.mkdir()
        calls.append((call, folder, tuple(write_inputs(call, folder))))
    return tuple(calls)


def _try(graph: _Graph, tools: Toolchain, repeats: int, scratch: Path) -> Outcome:
    seconds = []
    try:
        for _ in steps(range(repeats), lambda _: "compiling"):
            start = time.monotonic()
            vmfb = compile_mlir(
                graph.mlir, graph.target.flags, timeout=graph.timeout, compiler=tools.compiler
            )
            seconds.append(time.monotonic() - start)
    except DiagnosticsError as error:
        return Outcome(tools.version, compile_error=error.first_error)
    compiled: dict[str, Any] = {
        "compile_seconds": statistics.median(seconds),
        "resources": _resources(vmfb) if graph.target.driver == "hip" else {},
    }
    if not graph.cpu_mlir:
        return Outcome(tools.version, **compiled)
    try:
        if graph.target.is_gpu:
            vmfb = _compile_for_cpu(graph.cpu_mlir, graph.timeout, tools)
        numbers = _run_all(graph, vmfb, tools, scratch)
    except _RunError as error:
        return Outcome(tools.version, run_error=str(error), **compiled)
    return Outcome(tools.version, **compiled, **numbers)


def _resources(vmfb: bytes) -> dict[str, int]:
    """The figures of a module's machine code; none where its version is one that is not read."""
    try:
        return resources_of(inspect_module(vmfb))
    except ArtifactError:
        return {}


def resources_of(figures: ModuleFigures) -> dict[str, int]:
    """The resources of a module's kernels: of all, and the most that one of them takes."""
    kernels = figures.kernels
    if not kernels:
        return {}
    figures_in_order = (
        len(kernels),
        max(kernel.vgprs for kernel in kernels),
        sum(kernel.spills for kernel in kernels),
        max(kernel.lds_bytes for kernel in kernels),
    )
    return dict(zip(RESOURCES, figures_in_order, strict=True))


class _RunError(Exception):
    """Why a version gave no numbers."""


def _compile_for_cpu(text: str, timeout: float, tools: Toolchain) -> bytes:
    flags = targets.get("cpu").flags
    try:
        return compile_mlir(text, flags, timeout=timeout, compiler=tools.compiler)
    except DiagnosticsError as error:
        raise _RunError(f"the graph does not compile for the CPU: {error.first_error}") from error


def _run_all(graph: _Graph, vmfb: bytes, tools: Toolchain, scratch: Path) -> dict[str, Any]:
    """The fields of an outcome that are numbers: those of the output nearest to its tolerance."""
    module = scratch / f"{tools.version}.vmfb"
    module.write_bytes(vmfb)
    errors = []
    for call, folder, flags in steps(graph.calls, lambda one: f"case {one[0].case}"):
        outputs = _run(call, folder, flags, module, tools, graph.timeout)
        for accuracy, tolerance in call.known.measures(outputs):
            errors.append((accuracy.decisive / tolerance, accuracy.decisive, call.case))
    strain, relative, case = max(errors)
    return {"strain": strain, "relative": relative, "worst_case": case}


def _run(
    call: ToolCall,
    folder: Path,
    inputs: Sequence[str],
    module: Path,
    tools: Toolchain,
    timeout: float,
) -> list[np.ndarray]:
    """The outputs of one call, by the runner of the same version."""
    files = [f"{tensor.name}.bin" for tensor in call.spec.outputs]
    function = function_flags(call.spec, targets.get("cpu"))
    outputs = [f"--output=@{file}" for file in files]
    command = [tools.runner, f"--module={module}", *function, *inputs, *outputs]
    try:
        done = run_group(command, b"", timeout, cwd=folder)
    except subprocess.TimeoutExpired as error:
        raise _RunError(f"case {call.case}: not done after {timeout:g} s, and stopped") from error
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        said = lines[0] if lines else f"exit status {done.returncode}"
        raise _RunError(f"case {call.case}: {said}"[:400])
    return [
        _read(folder / file, call.case, tensor.largest_shape, dtype(tensor.dtype).numpy)
        for file, tensor in zip(files, call.spec.outputs, strict=True)
    ]


def _read(path: Path, case: str, shape: tuple[int, ...], element: np.dtype) -> np.ndarray:
    array = np.fromfile(path, element)
    path.unlink()
    if array.size != np.prod(shape):
        raise _RunError(f"case {case}: {path.stem} has {array.size} elements, expected {shape}")
    return array.reshape(shape)
