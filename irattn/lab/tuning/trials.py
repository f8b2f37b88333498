"""Try one tile: compile it, see what its code takes, and run it on the cut."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from irattn.binary.inspection import inspect_module
from irattn.binary.inspection.figures import KernelFigures, ModuleFigures
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import Compile, find_or_compile
from irattn.compiling.store import Store
from irattn.core.errors import CompileError, DeviceError
from irattn.lab.emulated_gpu.device import EMULATOR
from irattn.lab.executors import Executor
from irattn.lab.inputs import random_tensors
from irattn.lab.profiling import Executed, execute
from irattn.lab.tuning.cut import Cut
from irattn.lab.tuning.entries import SOUND, Tried, wrong_numbers
from irattn.lab.verification import known_case, strain, verify_artifact
from irattn.rendering import GraphRequest, vector_cycles
from irattn.runtime import load_artifact
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

Tile = Mapping[str, int]


@dataclass(frozen=True)
class Job:
    """A job that tiles are tried for: a spec, a target, and the cut that is run on a device.

    `device` is the emulator, or where the target's code runs here. Artifacts lie under `root`.
    """

    name: str
    spec: AttentionFeatures
    target: Target
    own_tile: Tile
    cut: Cut
    device: str
    executor: Executor
    root: Path

    @property
    def ranks(self) -> bool:
        """Whether there are estimates."""
        return self.device == EMULATOR or not self.target.is_gpu

    @property
    def ranked_by(self) -> str:
        """The name of the estimates that rank tiles."""
        if self.device == EMULATOR:
            return "microseconds of the emulator's model"
        return "order of trial" if self.target.is_gpu else "counted vector cycles"

    def artifact(self, tile: Tile) -> Artifact:
        """The spec with a tile; CompileError where it does not compile."""
        request = GraphRequest(self.spec, self.target, tile=tile)
        return tile_artifact(self.name, request, self.root, self.executor.compile)

    def small_artifact(self, tile: Tile) -> Artifact:
        """The cut of the spec with a tile; CompileError where it does not compile."""
        request = GraphRequest(self.cut.spec, self.target, tile=tile)
        return tile_artifact(f"{self.name}.cut", request, self.root, self.executor.compile)


def tile_artifact(
    name: str, request: GraphRequest, root: Path, compile: Compile | None = None
) -> Artifact:
    """A graph with a tile, under a name of that tile's own."""
    full = f"{name}.{'-'.join(str(number) for number in (request.tile or {}).values())}"
    return find_or_compile(request, Store(root), name=full, compile=compile)[0]


def try_tile(job: Job, tile: Tile) -> Tried:
    """Try a tile; whatever becomes of it, others are not concerned."""
    try:
        module = inspect_module(job.artifact(tile).vmfb)
        figures = _code_figures(module)
        outcome, why = _unfit(module, job.target)
        if outcome != SOUND and tile != job.own_tile:
            return Tried(tile, outcome, why, figures)
        small = job.small_artifact(tile)
    except CompileError as error:
        return Tried(tile, "does not compile", str(error).splitlines()[0])
    try:
        ran = job.executor.submit(
            "tile", run_cut, small, job.device, job.cut.copies, job.cut.work
        ).result()
    except DeviceError as error:
        return Tried(tile, "does not run", str(error).splitlines()[0], figures)
    return _judged(job, Tried(tile, SOUND, None, figures), ran)


def verified(job: Job, tried: Tried) -> Tried:
    """A finalist after every case of inputs, on the cut."""
    small = job.small_artifact(tried.tile)
    try:
        failed, cases = job.executor.submit("cases", run_cases, small, job.device).result()
    except DeviceError as error:
        return replace(tried, outcome="does not run", why=str(error).splitlines()[0])
    if failed:
        return replace(tried, outcome="wrong numbers", why=f"cases {', '.join(failed)}")
    return replace(tried, cases=cases)


def run_cut(artifact: Artifact, device: str, copies: int, work: float) -> dict[str, Any]:
    """The strain of a call on random inputs, and in the emulator the model's figures."""
    inputs = random_tensors(artifact.spec)
    figures: dict[str, Any] = {}
    if device == EMULATOR:
        call = execute(artifact, copies=copies, work=work)
        outputs, figures = call.outputs, _model(call.dispatches)
    else:
        outputs = load_artifact(artifact, device).outputs(**inputs)
    known = known_case("normal", artifact.spec, inputs)
    return {"strain": float(strain(known.worst(outputs))), **figures}


def run_cases(artifact: Artifact, device: str) -> tuple[tuple[str, ...], int]:
    """The cases in which an artifact misses the reference, and how many there are."""
    verdict = verify_artifact(artifact, device=device)
    return verdict.failed, verdict.cases


def _model(dispatches: Sequence[Executed]) -> dict[str, Any]:
    """The counts of what was executed, and the emulator's model where the chip is known."""
    counts = [one.counts for one in dispatches]
    figures: dict[str, Any] = {
        "executed_instructions": sum(sum(one.instructions.values()) for one in counts),
        "executed_matrix_flops": sum(one.matrix_flops for one in counts),
    }
    estimates = [one.estimate for one in dispatches if one.estimate]
    if len(estimates) < len(dispatches):
        return figures
    longest = max(estimates, key=lambda one: one.microseconds)
    return {
        **figures,
        "microseconds": sum(one.microseconds for one in estimates),
        "apart": sum(one.apart for one in estimates),
        "bound_by": longest.bound_by,
        "idle_share": longest.idle_share,
    }


def _judged(job: Job, tried: Tried, ran: dict[str, Any]) -> Tried:
    """The trial with its figures and the estimate that ranks it."""
    off = ran.pop("strain")
    estimate = ran.pop("microseconds", None)
    if not job.target.is_gpu:
        estimate = vector_cycles(GraphRequest(job.spec, job.target, tile=tried.tile))
    tried = replace(
        tried,
        figures={**tried.figures, **ran},
        estimate=estimate,
        # JSON has no infinity.
        strain=off if off < float("inf") else None,
    )
    if off <= 1:
        return tried
    return replace(tried, outcome="wrong numbers", why=wrong_numbers(off))


def _code_figures(module: ModuleFigures) -> dict[str, Any]:
    """The figures of the kernel that takes most; none of code that is not AMD's."""
    if not module.kernels:
        return {}
    waves = [one.occupancy.waves_per_simd for one in module.kernels if one.occupancy]
    return {
        "vgprs": max(one.vgprs for one in module.kernels),
        "spills": sum(one.spills for one in module.kernels),
        "lds_bytes": max(one.lds_bytes for one in module.kernels),
        "waves_per_simd": min(waves, default=None),
    }


def _unfit(module: ModuleFigures, target: Target) -> tuple[str, str | None]:
    """Why code cannot, or should not, be launched."""
    for kernel in module.kernels:
        if kernel.spills:
            return "spills", f"{kernel.name}: {kernel.spills} registers"
        if problem := _too_much(kernel, target):
            return "does not fit", f"{kernel.name}: {problem}"
    return SOUND, None


def _too_much(kernel: KernelFigures, target: Target) -> str | None:
    if target.lds_bytes and kernel.lds_bytes > target.lds_bytes:
        return f"{kernel.lds_bytes} bytes of LDS, a workgroup has {target.lds_bytes}"
    if kernel.occupancy and not kernel.occupancy.waves_per_simd:
        return f"{kernel.vgprs} registers, no wave has so many"
    return None
