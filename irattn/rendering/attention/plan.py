"""The plan of the fused graphs: a kernel that does the work as it is cut, what it reads and writes.

Templates read these numbers and names and compute none themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, TensorType, largest
from irattn.rendering.attention.arguments import Flat, KernelTensor
from irattn.rendering.attention.choose import Choice, Numbers, allowed_tiles, choose
from irattn.rendering.attention.columns import HEAD_LETTERS, VALUE_LETTERS, Columns, columns_of
from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.kernel import (
    KernelInterface,
    chosen,
    interface_of,
    known,
    named_sizes,
    reading_of,
    result_of,
    told_lengths,
)
from irattn.rendering.attention.lanes import LanesPlan, plan_lanes
from irattn.rendering.attention.lanes_table import LanesTile
from irattn.rendering.attention.lds import LdsPlan, plan_lds
from irattn.rendering.attention.loops import StepLimits, Steps, loops_of, step_limits
from irattn.rendering.attention.merge import MergePlan, part_tensors, plan_merge
from irattn.rendering.attention.own import OwnPlan, plan_own
from irattn.rendering.attention.results import RowResult
from irattn.rendering.attention.rules import RuleRow, Rules, rules_of
from irattn.rendering.attention.tiles import TilesPlan, plan_tiles
from irattn.rendering.dynamic import has_dynamic
from irattn.rendering.logits import LogitRules
from irattn.specs.features import AttentionFeatures
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.targets import Target

# Workgroups along the second and the third axis of a grid, at most.
_MOST_OF_AXIS = 65535


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of keys, at the level of lanes or, where these are None, of tensors.

    Lanes share keys and values in LDS, `lds`, or waves have keys of their own, `own`.
    """

    lanes: LanesPlan | None
    lds: LdsPlan | None
    own: OwnPlan | None
    tile: LanesPlan | TilesPlan
    head: Columns
    value_columns: Columns


@dataclass(frozen=True, kw_only=True)
class FusedPlan:
    """One kernel, whose workgroups attend to rows of queries each: what goes in and comes out."""

    spec: AttentionFeatures
    target: Target
    # What may be chosen of the tile, as it is now.
    tile_numbers: Numbers
    grid: Grid

    # The step: its tile, columns of heads, and rules. The last tile of keys may be cut short.
    tile: LanesPlan | TilesPlan
    head: Columns
    value_columns: Columns
    rules: Rules
    cuts_keys: bool

    # How lanes do a step, where that is written out: what they place in LDS or have to themselves,
    # the loops over keys and how far from queries steps may lie, keys of a part that a wave has,
    # and whether a lane writes one row at most.
    lanes: LanesPlan | None
    lds: LdsPlan | None
    own: OwnPlan | None
    # Chunks of the head columns whose queries lanes read from LDS again in every step.
    query_again: list[int]
    lane_loops: list[Steps]
    step_limits: StepLimits | None
    wave_keys: int
    writes_one_row: bool

    # What the kernel reads. Rows of the query from one token to the next, and rows of the keys
    # likewise, within a block of a cache; heads of the grid for each KV head; whether entries of a
    # table before the window of the first query are ignored.
    flats: list[Flat]
    key_argument: TensorType
    value_argument: TensorType
    elements: dict[str, str]
    has_table: bool
    query_stride: int
    key_stride: int
    heads_of_kv_head: int
    skips_pages: bool
    # Operands of the rules that have a layout of their own.
    laid_out: list[RuleRow]

    # Sizes that the kernel asks for by name: known ones, those that a call chooses, and lengths
    # that it tells for each sequence.
    known_sizes: dict[str, int]
    chosen_sizes: dict[str, DynamicSize]
    lens: list[str]
    # Steps of the search for a tile's sequence among packed ones, padding counted, and sequences
    # that the first of these steps leaves behind.
    halvings: int
    widest_half: int

    # Whether a workgroup asks for its place in the grid, and stores its own part.
    asks_for_ids: bool
    # Rows of columns first, then numbers of rows; and the merge of what parts of the keys give.
    results: list[RowResult]
    kernel: KernelInterface
    merge: MergePlan | None

    @property
    def allowed_tiles(self) -> list[Numbers]:
        """All that may be chosen of the tile."""
        return allowed_tiles(self.spec, self.target)

    def element_of(self, role: str) -> str:
        """The MLIR element type of the storage of a tensor: `output`, or its role as `key`.

        Keys and values are those that the kernel reads, of a cache if there is one.
        """
        return self.elements[role]

    def flat(self, name: str) -> KernelTensor:
        """What became of an argument."""
        return next(flat.value for flat in self.flats if flat.tensor.name == name)

    def is_of_one_page(self, keys: int) -> bool:
        """Whether so many neighbouring keys share an entry of the table."""
        return isinstance(self.spec, PagedAttentionSpec) and self.spec.block_size % keys == 0

    def shape_of(self, operand: RuleRow) -> tuple[int, ...]:
        """What a tile has of an operand of the rules, by rows and by keys."""
        sizes = {"m": self.tile.rows, "t": self.tile.keys}
        return tuple(sizes[dim] for dim in operand.dims)

    def at(self, name: str) -> str:
        """The value that has a size."""
        return f"%{name}"

    # As templates ask for what stands in other records.

    @property
    def element(self) -> str:
        """MLIR element type of what is multiplied."""
        return self.elements["query"]

    @property
    def operands(self) -> list[KernelTensor]:
        """What the kernel reads, as values."""
        return self.kernel.operands

    @property
    def is_packed(self) -> bool:
        """Whether sequences lie one after the other."""
        return self.grid.is_packed

    @property
    def is_split(self) -> bool:
        """Whether keys are cut into parts."""
        return self.grid.is_split

    @property
    def part_keys(self) -> int:
        """Keys of a part."""
        return self.grid.part_keys

    @property
    def heads(self) -> int:
        """Heads that the grid counts."""
        return self.grid.heads

    @property
    def has_head_rows(self) -> bool:
        """Whether a tile's rows are the queries of all heads of a group."""
        return self.grid.has_head_rows

    @property
    def has_token_rows(self) -> bool:
        """Whether all heads of a token lie between a query and the next."""
        return self.grid.has_token_rows

    @property
    def queries_of_head(self) -> AnySize:
        """Queries of one head and sequence."""
        return self.spec.num_queries


def plan_attention(
    spec: AttentionFeatures, target: Target, tile: Mapping[str, int] | None = None
) -> FusedPlan:
    """The plan of a spec on a target, with some of `allowed_tiles` in place of the tables' tile."""
    choice = choose(spec, target, tile)
    grid, step = choice.grid, _step(spec, target, choice)
    lanes, rows, keys = step.lanes, step.tile.rows, step.tile.keys
    cuts_keys = _cuts_keys(spec, target, keys)
    rules = rules_of(spec, cuts_keys, grid.has_head_rows)
    reading = reading_of(spec, step.head, step.value_columns)
    brought = step.lds or step.own
    sizes, results = named_sizes(spec, grid, rows), _results(spec, grid, step)
    halvings = spec.batch.bit_length()
    return FusedPlan(
        spec=spec,
        target=target,
        tile_numbers=choice.numbers,
        grid=grid,
        tile=step.tile,
        head=step.head,
        value_columns=step.value_columns,
        rules=rules,
        cuts_keys=cuts_keys,
        lanes=lanes,
        lds=step.lds,
        own=step.own,
        query_again=brought.query_again if brought else [],
        lane_loops=loops_of(rules, cuts_keys, lanes) if lanes else [],
        step_limits=step_limits(rules, lanes) if lanes else None,
        wave_keys=grid.part_keys // lanes.waves if lanes else 0,
        writes_one_row=lanes is not None and (lanes.splits_keys or len(lanes.queries) == 1),
        flats=reading.flats,
        key_argument=reading.key,
        value_argument=reading.value,
        elements=reading.elements | {"output": dtype(spec.outputs[0].dtype).mlir},
        has_table=reading.has_table,
        query_stride=spec.num_q_heads if grid.has_token_rows else 1,
        key_stride=spec.num_kv_heads if spec.has_tokens_first else 1,
        heads_of_kv_head=grid.heads // spec.num_kv_heads,
        skips_pages=reading.has_table and rules.most_behind is not None,
        laid_out=[operand for operand in rules.operands if operand.has_keys and target.is_gpu],
        known_sizes=known(sizes),
        chosen_sizes=chosen(sizes),
        lens=told_lengths(spec),
        halvings=halvings,
        widest_half=1 << (halvings - 1),
        asks_for_ids=lanes is not None and _asks_for_ids(spec, grid),
        results=results,
        kernel=interface_of(spec, reading.flats, results),
        merge=plan_merge(spec, target, grid) if grid.is_split else None,
    )


def _step(spec: AttentionFeatures, target: Target, choice: Choice) -> Step:
    """What a tile's step is at its level."""
    if not isinstance(choice.tile, LanesTile):
        tile = plan_tiles(choice.tile)
        return Step(
            lanes=None, lds=None, own=None, tile=tile, head=tile.head, value_columns=tile.value
        )
    lanes, splits_keys = plan_lanes(spec, target, choice.tile), choice.tile.splits_keys
    has_table = isinstance(spec, PagedAttentionSpec)
    return Step(
        lanes=lanes,
        lds=None if splits_keys else plan_lds(lanes, has_table),
        own=plan_own(lanes, choice.grid.most_rows) if splits_keys else None,
        tile=lanes,
        head=columns_of(spec.head_dim, HEAD_LETTERS),
        value_columns=columns_of(spec.v_dim, VALUE_LETTERS),
    )


def _cuts_keys(spec: AttentionFeatures, target: Target, keys: int) -> bool:
    """Whether the last tile of keys may not be full.

    On a CPU the select that hides keys is always there: without it, the compiler makes scaling and
    the maximum's subtraction one rounding where weights are made, and two where they are summed.
    """
    is_full = LogitRules(spec).is_static and largest(spec.num_keys) % keys == 0
    return not (target.is_gpu and is_full)


def _asks_for_ids(spec: AttentionFeatures, grid: Grid) -> bool:
    """Whether workgroups of lanes ask for their place, where a call chooses how many there are.

    IREE 3.13.0 makes a loop of them there, across which lanes have no registers to keep what is the
    same for all workgroups.
    """
    sequences = spec.size("batch")
    return has_dynamic((sequences, grid.rows_of_head)) and largest(sequences) <= _MOST_OF_AXIS


def _results(spec: AttentionFeatures, grid: Grid, step: Step) -> list[RowResult]:
    """What workgroups write: of finished rows or, where keys are cut into parts, of sums."""
    tensors = part_tensors(spec, grid) if grid.is_split else spec.new_outputs
    is_state, rows = grid.is_split and not step.lanes, step.tile.rows
    is_one_row = grid.group_rows == 1 and not step.lanes
    names = [f"state#{i}" if is_state else f"{t.name}_tile" for i, t in enumerate(tensors)]
    return [
        result_of(spec, grid, tensor, name, rows, None if i else step.value_columns, is_one_row)
        for i, (tensor, name) in enumerate(zip(tensors, names, strict=True))
    ]
