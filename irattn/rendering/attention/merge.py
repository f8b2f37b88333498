"""The kernel that merges the parts of the keys: a workgroup has a row."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.rendering.attention.arguments import Flat, KernelSize, KernelTensor, flat_of, has_table
from irattn.rendering.attention.grid import Grid, part_tensors
from irattn.rendering.attention.kernel import KernelInterface, chosen, known
from irattn.rendering.attention.results import Merged, merged
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# Parts that a core reads at once.
_AT_ONCE = 16

# Lanes of a workgroup, at most, and neighbouring parts that one reads at once, so that it does not
# wait for one after the other. Which lanes add up which parts, and in which order, follows from
# these and the columns of a head alone: bits do not depend on how many parts there may be. Of 128
# parts on gfx942 a lone row takes 18,700 cycles; a lane for each column alone took 78,400. Up to 8
# parts are one group's, which needs no LDS.
_MOST_LANES = 1024
_LANE_PARTS = 8


@dataclass(frozen=True)
class MergeRun:
    """Steps from part `begin` to part `end`, so many parts at once."""

    begin: int
    end: int
    parts: int


@dataclass(frozen=True, kw_only=True)
class MergeLanes:
    """The lanes of a workgroup, in `groups` that take turns at the parts, a few neighbours each.

    A lane has a column of the row, and reads the parts `at_once` of its group's, from 0. A group
    has `of_group` lanes. Some parts of the last step may not be there: `cuts_parts`. Lanes beyond
    the groups, which whole waves may have, have nothing: `has_others`.
    """

    count: int
    groups: int
    of_group: int
    at_once: list[int]
    step: int
    cuts_parts: bool
    has_others: bool


@dataclass(frozen=True, kw_only=True)
class MergePlan:
    """The plan of the kernel that merges: what it reads and writes, its way through the parts.

    `heads` counts those of the grid, `rows` the rows of each; `tensors` are what the parts gave.
    """

    spec: AttentionFeatures
    target: Target
    kernel: KernelInterface
    heads: int
    rows: int
    tensors: list[TensorType]
    results: list[Merged]
    # How a core goes through the parts, always in order; and how lanes do.
    runs: list[MergeRun]
    parts: int
    lanes: MergeLanes
    # Whether a sequence's own length tells how many parts of so many keys were written.
    counts_parts: bool
    part_keys: int
    # Sizes that the kernel asks for by name: known ones, and those that a call chooses.
    known_sizes: dict[str, int]
    chosen_sizes: dict[str, DynamicSize]

    # It reads what the parts gave as it is.
    flats: ClassVar[list[Flat]] = []
    is_packed: ClassVar[bool] = False

    @property
    def asks_for_ids(self) -> bool:
        """Whether a workgroup asks for its place in the grid, and stores its own row.

        IREE 3.13.0 may make a loop of workgroups else, and lanes would share LDS with the next.
        """
        return self.target.is_gpu

    def flat(self, name: str) -> KernelTensor:
        """An operand of a name."""
        return self.kernel.operand(name)


def plan_merge(spec: AttentionFeatures, target: Target, grid: Grid, is_of_lanes: bool) -> MergePlan:
    """The merge of a spec's parts, of which lanes end those that a sequence does not have."""
    told = [tensor for tensor in spec.inputs if tensor.role == Role.KEY_LENGTHS]
    lengths = [flat_of(tensor) for tensor in told if is_of_lanes]
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
    most = _most_keys(spec) if lengths else {}
    sizes |= most
    return MergePlan(
        spec=spec,
        target=target,
        kernel=_interface(spec, tensors, results, lengths, [*most.values()]),
        heads=grid.heads,
        rows=grid.most_rows,
        tensors=tensors,
        results=results,
        runs=_runs(grid.parts),
        parts=grid.parts,
        lanes=_lanes(spec.v_dim, grid.parts, target.wave_size or 1, bool(lengths)),
        counts_parts=bool(lengths),
        part_keys=grid.part_keys,
        known_sizes=known(sizes),
        chosen_sizes=chosen(sizes),
    )


def _most_keys(spec: AttentionFeatures) -> dict[str, AnySize]:
    """The size that bounds what a call says of lengths."""
    return (
        {"pages": spec.size("max_blocks")} if has_table(spec) else {"keys_of_head": spec.num_keys}
    )


def _interface(
    spec: AttentionFeatures,
    tensors: list[TensorType],
    results: list[Merged],
    lengths: list[Flat],
    most: list[AnySize],
) -> KernelInterface:
    sinks = [tensor for tensor in spec.inputs if tensor.role == Role.SINKS]
    operands = [
        KernelTensor(tensor.name, tensor.shape, dtype(tensor.dtype).mlir)
        for tensor in (*tensors, *sinks)
    ]
    asked = [size for size in (spec.size("batch"), *most) if isinstance(size, DynamicSize)]
    # The size of what the kernel before reads too is there already.
    told = [flat.chosen.name for flat in lengths if flat.chosen]
    learnt = [KernelSize(name) for name in (*(size.name for size in asked), *told)]
    made = [result.flat.chosen for result in results if result.flat.chosen]
    return KernelInterface(
        f"{spec.op}_merge",
        [*operands, *(flat.value for flat in lengths)],
        [*learnt, *made],
        results,
    )


def _lanes(row: int, parts: int, wave: int, counts_parts: bool) -> MergeLanes:
    """The lanes for a row of so many columns. Groups beyond the parts would add up nothing."""
    at_once = list(range(min(_LANE_PARTS, parts)))
    groups = min(max(1, _MOST_LANES // row), -(-parts // _LANE_PARTS))
    count, step = -(-groups * row // wave) * wave, groups * len(at_once)
    return MergeLanes(
        count=count,
        groups=groups,
        of_group=row,
        at_once=at_once,
        step=step,
        cuts_parts=counts_parts or parts % step != 0,
        has_others=count > groups * row,
    )


def _runs(parts: int) -> list[MergeRun]:
    full = parts // _AT_ONCE * _AT_ONCE
    runs = [MergeRun(0, full, _AT_ONCE), MergeRun(full, parts, parts - full)]
    return [run for run in runs if run.begin < run.end]
