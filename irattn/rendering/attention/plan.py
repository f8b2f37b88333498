"""The plan of the fused graphs: a kernel that does the work as it is cut, what it reads and writes.

Templates read these numbers and names and compute none themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from irattn.core.dtypes import dtype
from irattn.core.errors import RenderError
from irattn.core.tensors import AnySize, DynamicSize, TensorType, largest
from irattn.rendering.attention.arguments import Flat, KernelTensor
from irattn.rendering.attention.block_lists import (
    ListedBlocks,
    blocks_of,
    check_blocks_of_steps,
    listed_blocks,
)
from irattn.rendering.attention.choose import Numbers, allowed_tiles, choose
from irattn.rendering.attention.columns import Columns
from irattn.rendering.attention.copied import CopiedPlan
from irattn.rendering.attention.direct import DirectPlan
from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.kernel import (
    KernelInterface,
    chosen,
    interface_of,
    known,
    named_sizes,
    reading_of,
    told_lengths,
)
from irattn.rendering.attention.lane_layouts import LAYOUTS
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.lds import LdsPlan
from irattn.rendering.attention.loops import StepLimits, Steps, loops_of, step_limits
from irattn.rendering.attention.merge import MergePlan, plan_merge
from irattn.rendering.attention.merge_few import FewMergePlan, plan_merge_few
from irattn.rendering.attention.own import OwnPlan
from irattn.rendering.attention.packed_parts import FewQueriesSpec, most_few
from irattn.rendering.attention.results import RowResult, results_of
from irattn.rendering.attention.rules import RuleRow, Rules, rules_of
from irattn.rendering.attention.step import Step, step_of
from irattn.rendering.attention.tile_functions import (
    TileFunction,
    TileRead,
    tile_functions,
)
from irattn.rendering.attention.tiles import TilesPlan
from irattn.rendering.attention.turns import TurnsPlan, plan_turns
from irattn.rendering.attention.wide import WidePlan
from irattn.rendering.byte_pairs import BytePairs, byte_pairs
from irattn.rendering.cache_formats import QuantisedCache, quantised_cache
from irattn.rendering.dynamic import has_dynamic
from irattn.rendering.limits import check_quantised
from irattn.rendering.logits import logit_rules
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.targets import Target
from irattn.targets.chips import dies_of

# Value columns that leave lanes registers for what rules keep from step to step.
_MOST_BESIDE_SUMS = 128

# Workgroups along the second and the third axis of a grid, at most.
_MOST_OF_AXIS = 65535


@dataclass(frozen=True, kw_only=True)
class FusedPlan:
    """One kernel, whose workgroups attend to rows of queries each: what goes in and comes out."""

    # The file of the kernel.
    template: str
    spec: AttentionFeatures
    target: Target
    # What may be chosen of the tile, as it is now.
    tile_numbers: Numbers
    grid: Grid

    # The step: its tile, columns of heads, and rules. The last tile of keys may be cut short.
    tile: LanesPlan | TilesPlan
    # Rows from one tile of a sequence to the next, and tiles of the most rows.
    tile_rows: int
    most_tiles: int
    head: Columns
    value_columns: Columns
    rules: Rules
    cuts_keys: bool
    # The functions of scores where a step is of tensors.
    functions: dict[str, TileFunction]

    # How lanes do a step, where that is written out: what they place in LDS or have to themselves,
    # the loops over keys and how far from queries steps may lie, keys of a part that a wave has,
    # and whether a lane writes one row at most.
    lanes: LanesPlan | None
    lds: LdsPlan | None
    # The order of tiles of queries, where lanes weigh scores of one beside products of another.
    turns: TurnsPlan | None
    copied: CopiedPlan | None
    direct: DirectPlan | None
    own: OwnPlan | None
    wide: WidePlan | None
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
    # How a quantised cache is read.
    cache: QuantisedCache | None
    key_argument: TensorType
    value_argument: TensorType
    elements: dict[str, str]
    has_table: bool
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
    finds_sequence: ClassVar[bool] = False

    # Whether workgroups of all heads come one after the other, then those of the next tile; and
    # whether a workgroup asks for its place in the grid, and stores its own part.
    heads_first: bool
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
    def may_idle(self) -> bool:
        """Whether waves that share keys may have no rows: those past the end of a sequence."""
        is_of_some = self.grid.is_of_few and bool(self.lds or self.copied or self.direct)
        return self.grid.is_of_many or is_of_some

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

    @property
    def adds_to_slopes(self) -> bool:
        """Whether products of queries and keys are added to what ALiBi takes: a step's keys differ
        by the same for all steps, where queries see none after their own.

        Scores that a rule before ALiBi multiplies, as those that a bias in bf16 is added to, are
        not.
        """
        spec, rules, ahead = self.spec, self.rules, self.rules.last_ahead
        is_first = not (spec.logits_soft_cap or rules.functions or self.cache)
        is_first = is_first and rules.counts_in_base_2
        is_behind = ahead is not None and ahead <= 0
        # On RDNA 4 one instruction in 16 less took 31 registers more, and two of eight waves.
        is_gain = self._weighs_at_once and self.lanes and self.lanes.layout == LAYOUTS["WMMAR3"]
        return spec.alibi and is_first and is_behind and bool(is_gain)

    @property
    def hides_zero(self) -> bool:
        """Whether scores are added to a zero that the compiler is not told of.

        Of a known one, IREE 3.13.0's LLVM copies scalar registers on RDNA 3. Where vector registers
        grow scarce, a copy stays in the loop, its product is given the same registers for sums as
        for what they are added to, and copy propagation deletes the copy as overwritten. Of the
        kernels of lanes, those with functions of scores, or with several operands of them, may take
        that many registers.
        """
        spec, has_functions = self.spec, bool(self.rules.functions)
        has_several = (bool(spec.bias), bool(spec.keep_mask), spec.alibi).count(True) > 1
        is_scarce = self.lanes is None or has_functions or has_several
        matrix = self.target.matrix.get(spec.io_dtype)
        repeats = matrix is not None and matrix.repeats_operands
        return is_scarce and repeats and not self.adds_to_slopes

    @property
    def keeps_limits(self) -> bool:
        """Whether lanes keep from step to step what follows from a query's maximum, in registers of
        their own: where they multiply matrices, making it again takes time from these.
        """
        return bool(self.lanes and self.lanes.multiply_matrices and self.lds)

    @property
    def keeps_places(self) -> bool:
        """Whether lanes keep where they read, and each step adds to it: rows follow from steps
        where no key is cut short, looked up or a packed sequence's.
        """
        is_cut = self.cuts_keys or self.has_table or self.grid.is_packed
        return self.keeps_limits and not (is_cut or self.cache)

    @property
    def kept_of_maximum(self) -> list[str]:
        """The names of the numbers that lanes keep of a query's maximum from step to step."""
        return ["limit", "minus_max"] if self.keeps_limits else ["max"]

    @property
    def asks_what_is_hidden(self) -> bool:
        """Whether waves ask first whether a step that hides keys hides some from them: where lanes
        multiply matrices, comparing all scores takes time from these.
        """
        lanes = self.lanes
        return bool(lanes and lanes.multiply_matrices and not lanes.splits_keys)

    @property
    def mends_weights(self) -> bool:
        """Whether a score that is NaN, but hidden by a bias, is taken back from the weights: only
        where one is, which costs less than to ask for each score.
        """
        spec = self.spec
        adds_pairs = self._weighs_at_once and not (spec.return_lse or spec.dropout_p)
        return spec.bias is not None and adds_pairs

    @property
    def _weighs_at_once(self) -> bool:
        """Whether all weights of a step are made at once, and added up in pairs, where lanes have
        registers beside their sums: with values of 256 columns 26 spilled on gfx1201, and with two
        queries and 64 columns 16 of ALiBi on gfx1100, 2 of a bias on gfx1201.
        """
        lanes = self.lanes
        if lanes is None or self.wide or self.turns or not lanes.adds_pairs:
            return False
        return lanes.value_dim <= _MOST_BESIDE_SUMS and len(lanes.queries) == 1

    def rules_of_step(self, is_masked: bool, asks_mask: bool) -> list[str]:
        """The rules that turn the scores of a step into those that are weighed, in order.

        `is_masked` says that the step hides keys, `asks_mask` that a function of scores is asked.
        """
        functions, conditions = self.rules.functions, self.rules.conditions
        asked = {
            "key_factors": self.cache is not None,
            "soft_cap": bool(self.spec.logits_soft_cap),
            "score_mod": "score_mod" in functions,
            **{rule: rule != "alibi" or not self.adds_to_slopes for rule in self.rules.addends},
            "keep_mask": "keep_mask" in conditions,
            "mask_mod": "mask_mod" in functions and asks_mask,
            "is_seen": is_masked,
        }
        return [rule for rule, is_asked in asked.items() if is_asked]

    def is_of_one_page(self, keys: int) -> bool:
        """Whether so many neighbouring keys share an entry of the table."""
        return self.has_table and self.block_size % keys == 0

    def shape_of(self, operand: RuleRow | TileRead) -> tuple[int, ...]:
        """The shape of a tile's part of an operand of the rules, by rows and by keys."""
        sizes = {"m": self.tile.rows, "t": self.tile.keys}
        return tuple(sizes[dim] for dim in operand.dims)


def plan_attention(
    spec: AttentionFeatures, target: Target, tile: Mapping[str, int] | None = None
) -> FusedPlan:
    """The plan of a spec on a target, with some of `allowed_tiles` in place of the tables' tile."""
    choice = choose(spec, target, tile)
    grid, step = choice.grid, step_of(spec, target, choice)
    check_quantised(spec, is_of_lanes=step.lanes is not None and step.wide is None)
    lanes, rows, keys = step.lanes, step.tile.rows, step.tile.keys
    check_blocks_of_steps(spec, grid, choice.tile, rows)
    _check_dropout(spec, target, step)
    cuts_keys = _cuts_keys(spec, target, keys)
    ruled = _with_positive_scale(spec) if lanes else spec
    rules = rules_of(ruled, cuts_keys, grid.has_head_rows, is_of_lanes=lanes is not None)
    functions = {} if lanes else tile_functions(spec, grid.has_head_rows)
    of_functions = [one for each in functions.values() for one in each.reads]
    read: list[RuleRow | TileRead] = [*rules.operands, *of_functions]
    reading = reading_of(spec, step.head, step.value_columns, reads_bytes=lanes is not None)
    brought = step.lds or step.own
    tile_rows = step.own.rows if grid.is_of_few and step.own else rows
    most_tiles = -(-grid.most_rows // tile_rows)
    sizes, results = named_sizes(spec, grid, tile_rows), results_of(spec, grid, step)
    halvings = spec.batch.bit_length()
    first_value_slot = getattr(spec, "first_value_slot", 0)
    key_stride = spec.num_kv_heads if spec.has_tokens_first else 1
    return FusedPlan(
        template=_template(step),
        spec=spec,
        target=target,
        tile_numbers=choice.numbers,
        grid=grid,
        tile=step.tile,
        tile_rows=tile_rows,
        most_tiles=most_tiles,
        head=step.head,
        value_columns=step.value_columns,
        rules=rules,
        cuts_keys=cuts_keys,
        functions=functions,
        lanes=lanes,
        lds=step.lds,
        turns=_turns(spec, step),
        copied=step.copied,
        direct=step.direct,
        own=step.own,
        wide=step.wide,
        query_again=brought.query_again if brought else [],
        lane_loops=loops_of(rules, cuts_keys, lanes, blocks_of(spec)) if lanes else [],
        listed=listed_blocks(spec, keys),
        step_limits=step_limits(rules, lanes, grid.has_head_rows) if lanes else None,
        wave_keys=grid.part_keys // lanes.waves if lanes else 0,
        writes_one_row=lanes is not None and (lanes.splits_keys or len(lanes.queries) == 1),
        has_whole_pieces=lanes is not None and _has_whole_pieces(spec, lanes),
        flats=reading.flats,
        cache=quantised_cache(spec),
        key_argument=reading.key,
        value_argument=reading.value,
        elements=reading.elements | {"output": dtype(spec.outputs[0].dtype).mlir},
        has_table=reading.has_table,
        block_size=getattr(spec, "block_size", 1),
        first_value_slot=first_value_slot,
        first_value_row=first_value_slot * key_stride,
        query_stride=spec.num_q_heads if grid.has_token_rows or grid.is_of_few else 1,
        few_queries=most_few(spec) if isinstance(spec, PackedPagedAttentionSpec) else None,
        key_stride=key_stride,
        heads_of_kv_head=grid.heads // spec.num_kv_heads,
        skips_pages=reading.has_table and rules.most_behind is not None,
        laid_out=[one for one in read if "t" in one.dims and target.is_gpu],
        known_sizes=known(sizes),
        chosen_sizes=chosen(sizes),
        lens=told_lengths(spec),
        halvings=halvings,
        widest_half=1 << (halvings - 1),
        heads_first=_heads_first(target, step, grid, most_tiles, largest(spec.size("batch"))),
        asks_for_ids=lanes is not None and _asks_for_ids(spec, grid, sizes),
        results=results,
        kernel=interface_of(spec, reading.flats, results),
        is_packed=grid.is_packed,
        merge=_plan_merge(spec, target, grid) if grid.is_split else None,
    )


def _plan_merge(spec: AttentionFeatures, target: Target, grid: Grid) -> MergePlan | FewMergePlan:
    if isinstance(spec, FewQueriesSpec):
        return plan_merge_few(spec, target, grid)
    return plan_merge(spec, target, grid)


def _has_whole_pieces(spec: AttentionFeatures, lanes: LanesPlan) -> bool:
    keys = spec.num_keys
    return not isinstance(keys, DynamicSize) and keys % lanes.own == 0


def _with_positive_scale(spec: AttentionFeatures) -> AttentionFeatures:
    """The spec of what lanes make logits of: a negative scale has negated queries."""
    return spec if spec.scale > 0 else spec.replace(softmax_scale=-spec.scale)


def _check_dropout(spec: AttentionFeatures, target: Target, step: Step) -> None:
    """RenderError for dropout where no kernel drops weights."""
    if spec.dropout_p is not None and step.wide:
        raise RenderError(
            f"dropout_p: on {target.name}, fused attention expected values of at most 256 columns, "
            f"got {spec.v_dim}; leave it out, or choose a CPU as target"
        )


def _turns(spec: AttentionFeatures, step: Step) -> TurnsPlan | None:
    """The turns of lanes with registers for a step's keys and values at once, and no dropout."""
    if step.lanes is None or not (step.lds or step.direct) or spec.dropout_p is not None:
        return None
    has_all_values = step.lds is None or step.lds.values_early == step.lanes.value_tiles
    return plan_turns(step.lanes, step.lds) if has_all_values else None


def _template(step: Step) -> str:
    """The kernel that does such steps."""
    if step.lanes is None:
        return "attention/gpu_tiles.mlir.j2"
    if step.wide:
        return "attention/gpu_lanes_wide.mlir.j2"
    if step.copied or step.direct:
        return "attention/gpu_lanes_copied.mlir.j2"
    return f"attention/{'gpu_lanes_decode' if step.own else 'gpu_lanes'}.mlir.j2"


def _cuts_keys(spec: AttentionFeatures, target: Target, keys: int) -> bool:
    """Whether the last tile of keys may not be full.

    On a CPU the select that hides keys is always there: without it, the compiler makes scaling and
    the maximum's subtraction one rounding where weights are made, and two where they are summed.
    """
    # Listed blocks may reach beyond the last key by whole steps.
    keys = (blocks_of(spec) or (0, keys))[1]
    is_full = logit_rules(spec).is_static and largest(spec.num_keys) % keys == 0
    return not (target.is_gpu and is_full)


def _heads_first(target: Target, step: Step, grid: Grid, most_tiles: int, batch: int) -> bool:
    """Whether heads come before tiles, so that dies have the same work, and keys of their own.

    Tiles first, those of one number, which have the same work in all heads, would be one die's:
    1.85 times the mean on MI300X, for a causal prompt of 1024 tokens and 32 heads. On NVIDIA the
    last head's tiles of most keys would begin when most others are done: of a causal prompt of 4096
    multiprocessors worked 0.84 of the time on an H100.
    """
    # Packed sequences have their tiles along the same axis.
    tiles = most_tiles * grid.parts + (batch + 1 if grid.is_packed else 0)
    if grid.is_of_few:
        tiles = most_tiles * grid.parts * batch
    gains = dies_of(target.name) > 1 or step.copied is not None
    return gains and tiles <= _MOST_OF_AXIS


def _asks_for_ids(spec: AttentionFeatures, grid: Grid, sizes: Mapping[str, AnySize]) -> bool:
    """Whether workgroups of lanes ask for their place, where a call chooses how many there are.

    IREE 3.13.0 makes a loop of them there, across which lanes have no registers to keep what is the
    same for all workgroups.
    """
    if grid.is_packed:
        return "tiles" not in sizes
    sequences = spec.size("batch")
    return has_dynamic((sequences, grid.rows_of_head)) and largest(sequences) <= _MOST_OF_AXIS
