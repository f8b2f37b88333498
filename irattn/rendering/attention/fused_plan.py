"""The numbers and names of a fused graph: a kernel, what it reads and writes.

Templates read these and compute none themselves.
"""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import DynamicSize, TensorType
from irattn.rendering.attention.arguments import Flat, KernelTensor
from irattn.rendering.attention.block_lists import ListedBlocks
from irattn.rendering.attention.choose import Numbers, allowed_tiles
from irattn.rendering.attention.columns import Columns
from irattn.rendering.attention.copied import CopiedPlan
from irattn.rendering.attention.direct import DirectPlan
from irattn.rendering.attention.fused_step import FusedStep
from irattn.rendering.attention.kernel import KernelInterface
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.loops import StepLimits, Steps
from irattn.rendering.attention.merge import MergePlan
from irattn.rendering.attention.merge_few import FewMergePlan
from irattn.rendering.attention.own import OwnPlan
from irattn.rendering.attention.packed_levels import PackedLevels
from irattn.rendering.attention.results import RowResult
from irattn.rendering.attention.rules import RuleRow
from irattn.rendering.attention.second_round import SecondRound
from irattn.rendering.attention.tile_functions import TileFunction, TileRead
from irattn.rendering.attention.tiles import TilesPlan
from irattn.rendering.byte_pairs import BytePairs, byte_pairs


@dataclass(frozen=True, kw_only=True)
class FusedPlan(FusedStep):
    """One kernel, whose workgroups attend to rows of queries each: what goes in and comes out."""

    # The file of the kernel.
    template: str
    # What may be chosen of the tile, as it is now.
    tile_numbers: Numbers

    # The step: its tile, and columns of heads.
    tile: LanesPlan | TilesPlan
    # Rows from one tile of a sequence to the next, and tiles of the most rows.
    tile_rows: int
    most_tiles: int
    head: Columns
    value_columns: Columns
    # The functions of scores where a step is of tensors.
    functions: dict[str, TileFunction]

    # How lanes do a step, where that is written out: what is copied, or brought by each to itself,
    # the loops over keys and how far from queries steps may lie, keys of a part that a wave has,
    # and whether a lane writes one row at most.
    copied: CopiedPlan | None
    direct: DirectPlan | None
    own: OwnPlan | None
    # Chunks of the head columns whose queries lanes read from LDS again in every step.
    query_again: list[int]
    lane_loops: list[Steps]
    # Where steps are those of listed blocks.
    listed: ListedBlocks | None
    step_limits: StepLimits | None
    wave_keys: int
    writes_one_row: bool
    # Whether a row of a tensor with a number for each key has whole pieces of a lane's neighbours.
    has_whole_pieces: bool

    # What the kernel reads. The slot where the values of a block begin, and how many rows that is;
    # rows of the query from one token to the next, and rows of the keys likewise, within a block of
    # a cache; heads of the grid for each KV head; whether entries of a table before the window of
    # the first query are ignored.
    flats: list[Flat]
    key_argument: TensorType
    value_argument: TensorType
    elements: dict[str, str]
    block_size: int
    first_value_slot: int
    first_value_row: int
    query_stride: int
    # The most queries of a packed sequence that count as few.
    few_queries: int | None
    key_stride: int
    heads_of_kv_head: int
    skips_pages: bool
    # Operands of the rules that have a layout of their own.
    laid_out: list[RuleRow | TileRead]

    # Sizes that the kernel asks for by name: known ones, those that a call chooses, and lengths
    # that it tells for each sequence.
    known_sizes: dict[str, int]
    chosen_sizes: dict[str, DynamicSize]
    lens: list[str]
    # Steps of the search for a tile's sequence among packed ones, padding counted, and sequences
    # that the first of these steps leaves behind.
    halvings: int
    widest_half: int
    # How it is found in the order of most keys, if packed tiles have that.
    levels: PackedLevels | None
    finds_sequence: ClassVar[bool] = False

    # Whether workgroups of all heads come one after the other, then those of the next tile, or of
    # the next sequence's tile of this number; which tiles begin beside others, if any do in another
    # order; and whether a workgroup asks for its place in the grid, and stores its own part.
    heads_first: bool
    sequences_inside: bool
    second_round: SecondRound | None
    asks_for_ids: bool
    # Rows of columns first, then numbers of rows; and the merge of what parts of the keys give.
    results: list[RowResult]
    kernel: KernelInterface
    is_packed: bool
    merge: MergePlan | FewMergePlan | None

    @property
    def allowed_tiles(self) -> list[Numbers]:
        """All that may be chosen of the tile."""
        return allowed_tiles(self.spec, self.target)

    @property
    def counts_all_keys(self) -> bool:
        """Whether a tensor's numbers of keys are those of all packed sequences, not of one."""
        return self.is_packed and not self.has_table

    @property
    def may_idle(self) -> bool:
        """Whether waves that share keys may have no rows: those past the end of a sequence."""
        is_of_some = self.grid.is_of_few and bool(self.lds or self.copied or self.direct)
        return self.grid.is_of_many or is_of_some

    @property
    def ends_parts(self) -> bool:
        """Whether parts that a padded sequence does not have end at once, and nothing is merged."""
        return isinstance(self.merge, MergePlan) and self.merge.counts_parts

    @property
    def brings_beside(self) -> bool:
        """Whether lanes place and fetch the next steps beside products."""
        return self.turns is not None and bool(self.turns.brought)

    @property
    def result_columns(self) -> int:
        """The columns of a row of the output that a workgroup has, or pieces of these where lanes
        write such.
        """
        lanes = self.lanes
        of_head = len(lanes.pieces) if lanes and lanes.pieces else self.spec.v_dim
        return self.tile_heads * of_head

    @property
    def last_loops(self) -> list[Steps]:
        """The loops in which lanes ask if there is a step after this one, and read no other: all of
        a part, and the last one of a tile of few rows, as asking takes time.
        """
        if self.grid.is_split:
            return self.lane_loops
        return self.lane_loops[-1:] if self.tile_heads > 1 else []

    @property
    def tile_heads(self) -> int:
        """The heads of a group whose rows a workgroup has."""
        return self.lanes.heads if self.lanes else 1

    def element_of(self, role: str) -> str:
        """The MLIR element type of the storage of a tensor: `output`, or its role as `key`.

        Keys and values are those that the kernel reads, of a cache if there is one.
        """
        return self.elements[role]

    @property
    def byte_pairs(self) -> BytePairs:
        """How two bytes of a quantised cache become two f16."""
        assert self.cache
        numbers = self.cache.format
        return byte_pairs(self.target, None if numbers.is_integer else numbers.name)

    @property
    def scales_weights(self) -> bool:
        """Whether weights are multiplied with the scales of values: a few numbers for a token's.

        On AMD's GPUs, whose waves wait for memory alone, values are.
        """
        cache = self.cache
        is_of_tokens = cache is not None and cache.scale == "token" and not cache.is_packed
        return is_of_tokens and self.own is not None and self.target.driver == "cuda"

    @property
    def scales_values(self) -> bool:
        """Whether numbers of values are multiplied with their scales as they are read."""
        return self.cache is not None and not (self.cache.scales_sums or self.scales_weights)

    @property
    def read_columns(self) -> list[int]:
        """The numbers of neighbours that lanes read at once of keys and values."""
        assert self.lanes
        counts = {self.lanes.head_chunk, self.own.access} if self.own else {self.lanes.access}
        return sorted(counts)

    @property
    def scales_at_once(self) -> int:
        """Neighbouring keys whose scales lie side by side: in a page, or in a row of memory."""
        assert self.lanes
        own = self.lanes.own
        is_row = self.is_of_one_page(own) if self.has_table else self.has_whole_pieces
        return own if is_row and not self.spec.has_tokens_first else 1

    def scale_of(self, kind: str) -> str:
        """The argument with the scales of keys, `k`, or values, `v`; of a latent cache, of keys."""
        if kind == "v" and self.value_argument.name != self.key_argument.name:
            return "value_scale"
        return "key_scale"

    def scales_of(self, kind: str) -> int:
        """The scales of a row of a `kind` of `scale_of`, where groups of columns have one each."""
        name = self.scale_of(kind)
        tensors = (flat.tensor for flat in self.flats)
        return next(tensor.largest_shape[-1] for tensor in tensors if tensor.name == name)

    def flat(self, name: str) -> KernelTensor:
        """The flat value of an argument."""
        return next(flat.value for flat in self.flats if flat.tensor.name == name)

    def is_of_one_page(self, keys: int) -> bool:
        """Whether so many neighbouring keys share an entry of the table."""
        return self.has_table and self.block_size % keys == 0

    def shape_of(self, operand: RuleRow | TileRead) -> tuple[int, ...]:
        """The shape of a tile's part of an operand of the rules, by rows and by keys."""
        sizes = {"m": self.tile.rows, "t": self.tile.keys}
        return tuple(sizes[dim] for dim in operand.dims)
