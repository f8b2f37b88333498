"""The kernel that merges the parts of the keys: a workgroup has a row, a lane a column of it."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.rendering.attention.arguments import Flat, KernelSize, KernelTensor, flat_of
from irattn.rendering.attention.grid import Grid, part_tensors
from irattn.rendering.attention.kernel import KernelInterface, chosen, known
from irattn.rendering.attention.results import Merged, merged
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# Parts that are read at once, so that a lane does not wait for one after the other.
_AT_ONCE = 16


@dataclass(frozen=True)
class MergeRun:
    """Steps from part `begin` to part `end`, so many parts at once."""

    begin: int
    end: int
    parts: int


@dataclass(frozen=True, kw_only=True)
class MergePlan:
    """The plan of the kernel that merges: what it reads and writes, its way through the parts.

    `heads` counts those of the grid, `rows` the rows of each; `tensors` are what the parts gave.
    """

    target: Target
    kernel: KernelInterface
    heads: int
    rows: int
    tensors: list[TensorType]
    results: list[Merged]
    # How a lane goes through the parts, always in order.
    runs: list[MergeRun]
    # Lanes of a workgroup, one for each column of a row: whole waves.
    workgroup_size: int
    # Sizes that the kernel asks for by name: known ones, and those that a call chooses.
    known_sizes: dict[str, int]
    chosen_sizes: dict[str, DynamicSize]

    # It reads what the parts gave as it is.
    flats: ClassVar[list[Flat]] = []
    asks_for_ids: ClassVar[bool] = False
    is_packed: ClassVar[bool] = False


def plan_merge(spec: AttentionFeatures, target: Target, grid: Grid) -> MergePlan:
    """The merge of a spec's parts."""
    tensors = part_tensors(spec, grid)
    results = [
        merged(flat_of(tensor, None if tensor.role == Role.LSE else spec.v_dim))
        for tensor in spec.new_outputs
    ]
    sizes: dict[str, AnySize] = {
        "sequences": spec.size("batch"),
        "heads": grid.heads,
        "tiles": grid.most_rows,
    }
    wave = target.wave_size or 1
    return MergePlan(
        target=target,
        kernel=_interface(spec, tensors, results),
        heads=grid.heads,
        rows=grid.most_rows,
        tensors=tensors,
        results=results,
        runs=_runs(grid.parts),
        workgroup_size=-(-spec.v_dim // wave) * wave,
        known_sizes=known(sizes),
        chosen_sizes=chosen(sizes),
    )


def _interface(
    spec: AttentionFeatures, tensors: list[TensorType], results: list[Merged]
) -> KernelInterface:
    sinks = [tensor for tensor in spec.inputs if tensor.role == Role.SINKS]
    operands = [
        KernelTensor(tensor.name, tensor.shape, dtype(tensor.dtype).mlir)
        for tensor in (*tensors, *sinks)
    ]
    batch = spec.size("batch")
    learnt = [KernelSize(batch.name)] if isinstance(batch, DynamicSize) else []
    made = [result.flat.chosen for result in results if result.flat.chosen]
    return KernelInterface(f"{spec.op}_merge", operands, [*learnt, *made], results)


def _runs(parts: int) -> list[MergeRun]:
    full = parts // _AT_ONCE * _AT_ONCE
    runs = [MergeRun(0, full, _AT_ONCE), MergeRun(full, parts, parts - full)]
    return [run for run in runs if run.begin < run.end]
