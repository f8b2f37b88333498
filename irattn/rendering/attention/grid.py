"""The grid of workgroups: heads, the rows of queries of each, and parts of the keys."""

from dataclasses import dataclass

from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType, largest
from irattn.rendering.attention.packed_parts import FewQueriesSpec, ManyQueriesSpec, most_few
from irattn.rendering.logits import logit_rules
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed_paged_attention import FEW_QUERIES
from irattn.targets import Target

# Where a few rows leave most of a GPU idle, keys are cut into parts of so many, which are attended
# to apart and merged. It is the same number for every length, so that the bits of a sequence do not
# depend on how long others may be.
_PART_KEYS = 256

# Sums of latents are wider: on gfx1201 128 heads of 4 sequences of 2,048 keys take 45.2 us in parts
# of 192, 38.6 of 256.
_SHORT_PARTS, _MOST_COLUMNS_OF_SHORT_PARTS = 192, 256

# Chips for which another is better, by `irattn tune` (irattn/lab/tuning/README.md): a sequence of
# 512 keys in parts of 256 has 16 compute units, of 110 on gfx90a. With 32 or 48 work-group
# processors, parts of 192 have 24 of these at work for it, which takes 0.80 of the time; where all
# are, sums of more parts are merged, for 1.01 of it (by parts of 128 0.70 and 1.03). Sinks cost
# nothing more; caches of 8 bits take 0.86 and 1.02, those of int4 0.89 to 0.92 and 1.03 to 1.07, a
# window of 256 0.70 and 1.03.
_PART_KEYS_OF_CHIP = {
    **dict.fromkeys(("gfx90a", "gfx942", "gfx950", "gfx1151"), 128),
    **dict.fromkeys(("gfx1100", "gfx1201"), _SHORT_PARTS),
}

# Parts of a packed sequence's keys, at most: those of a longer one are longer.
_MOST_PARTS = 32

# Where waves share keys, of more rows than one has, what a part gives is more to write and to merge
# than what it reads: on an H200 64 tokens over 4096 keys take 36 us in parts of 512, 44 of 256.
_PART_KEYS_OF_ROWS = {"cuda": 512}
# What sequences share, which hides no key, is attended to beside what each has of its own: fewer
# workgroups leave room for these. 64 sequences of 256 tokens after 4096 take 64 us, with 512 68.
_PART_KEYS_OF_SHARED = {"cuda": 1024}
# Trees and drafts have as many parts as make so many workgroups, at once on an H200: 64 drafts of
# each of 8 sequences after 2,048 tokens take 92 us in 2 parts of 1,088 keys, 111 in one, 106 in 3,
# 137 in parts of 512. Parts of a sequence are alike, of whole times so many keys: 1,024, 1,024 and
# 64 take 108.
_WORKGROUPS_OF_DRAFTS = {"cuda": 256}
_ROWS_OF_DRAFTS, _LEAST_KEYS_OF_PART = 128, 64

# Fewer queries than this share a tile with those of the other heads of their group.
_FEW_QUERIES = 64

# Rows of a tile of a few queries: those of a matrix instruction, or of one token if it has more.
_ROWS_OF_FEW = 16


@dataclass(frozen=True, kw_only=True)
class Grid:
    """The rows of a head, of which a workgroup has a tile, and the keys that it attends to.

    The rows are the queries of one head or, where there are few, `has_head_rows`, those of all
    heads of a group: `heads` counts the heads of the grid, which are KV heads then.
    """

    heads: int
    rows_of_head: AnySize
    has_head_rows: bool
    # Whether all heads of a token lie between a query, or an output, and the next.
    has_token_rows: bool
    # Whether sequences lie one after the other, and a workgroup finds its own; and whether it does
    # so among those of many queries alone, or of few, at most so many. Rows of few are token by
    # token: the heads of a group for one, then for the next.
    is_packed: bool
    is_of_many: bool
    few_queries: int | None
    # Whether keys are cut into parts, which are attended to apart and merged; keys of a part, and
    # parts.
    is_split: bool
    part_keys: int
    parts: int
    # Whether a sequence's length tells how many keys its parts have: as many times `least_keys` as
    # make no more parts, which hold `parts_keys` together where they have these.
    parts_grow: bool
    least_keys: int
    parts_keys: int
    # How many keys there are from the first that any query sees to a sequence's end, at most, where
    # parts are laid over these alone; None where they are laid over all.
    seen_keys: int | None

    @property
    def is_of_few(self) -> bool:
        """Whether a workgroup finds its sequence among those of few queries."""
        return self.few_queries is not None

    @property
    def most_rows(self) -> int:
        """The most rows that a head may have."""
        return largest(self.rows_of_head)

    @property
    def group_rows(self) -> int | None:
        """The rows of all queries of a group, where one tile has these; of few, those of a tile."""
        if self.few_queries == FEW_QUERIES:
            return min(self.most_rows, _ROWS_OF_FEW)
        return self.most_rows if self.has_head_rows else None

    @property
    def has_one_row(self) -> bool:
        """Whether a head, or a group of heads, has a single row, and the compiler knows it."""
        if self.group_rows is not None:
            return self.group_rows == 1
        return self.rows_of_head == 1 and not self.is_packed

    @property
    def rows_at_once(self) -> int:
        """The rows that a tile at the level of tensors is chosen for."""
        if self.few_queries is not None:
            return min(self.most_rows, max(_ROWS_OF_FEW, self.most_rows // self.few_queries))
        return self.most_rows


# Rows of a wave that has all of them.
_WAVE_ROWS = 16


def grid_of(spec: AttentionFeatures, target: Target, part_keys: int | None = None) -> Grid:
    """The grid of a spec, with parts of so many keys, or as many as the target's table says."""
    queries, keys = spec.num_queries, largest(spec.num_keys)
    is_packed = any(tensor.role == Role.QUERY_BOUNDS for tensor in spec.inputs)
    if isinstance(spec, FewQueriesSpec):
        return _grid_of_few(spec, target, part_keys or _part_keys_of_few(spec, target))
    has_token_rows = is_packed or (spec.has_tokens_first and queries != 1)
    # Weights are dropped where rows are those of one head.
    drops = spec.dropout_p is not None
    is_few = not isinstance(queries, DynamicSize) and queries < _FEW_QUERIES and not drops
    part_keys = part_keys or _part_keys(spec, target, largest(queries) * spec.group_size)
    # Lanes, which alone take functions of scores, have the rows of several heads where these are a
    # wave's, or of parts. A tile of a single row was wrong: on gfx942 it stored beyond LDS.
    has_lanes = keys > part_keys or largest(queries) * spec.group_size <= _WAVE_ROWS
    has_head_rows = is_few and not has_token_rows and (has_lanes or not spec.functions)
    is_split = has_head_rows and keys > part_keys
    parts = _parts(spec, part_keys, largest(queries)) if is_split else _Parts(1)
    return Grid(
        heads=spec.num_kv_heads if has_head_rows else spec.num_q_heads,
        rows_of_head=queries * spec.group_size if has_head_rows else queries,
        has_head_rows=has_head_rows,
        has_token_rows=has_token_rows,
        is_packed=is_packed,
        is_of_many=isinstance(spec, ManyQueriesSpec),
        few_queries=None,
        is_split=is_split,
        part_keys=part_keys,
        parts=parts.count,
        parts_grow=False,
        least_keys=part_keys,
        parts_keys=0,
        seen_keys=parts.seen_keys,
    )


@dataclass(frozen=True)
class _Parts:
    """Parts of a sequence's keys, and those that they are laid over, if not all."""

    count: int
    seen_keys: int | None = None


def _parts(spec: AttentionFeatures, part_keys: int, most_queries: int) -> _Parts:
    """The parts of so many keys each, as few as a window needs: they begin at the same keys.

    Of those of all keys, the ones that lie before every query's window are left out.
    """
    keys, every = largest(spec.num_keys), _parts_of_all(spec, part_keys)
    rules = logit_rules(spec)
    behind = rules.most_behind
    if behind is None or spec.alignment != "bottom_right":
        return every
    seen = most_queries + behind
    count = every.count - max(0, keys - seen) // part_keys
    if not rules.is_static or isinstance(spec.num_keys, DynamicSize):
        # A window may begin with a part's last key.
        count = min(every.count, (seen + part_keys - 2) // part_keys + 1)
    return _Parts(count, seen) if count < every.count else every


def _parts_of_all(spec: AttentionFeatures, part_keys: int) -> _Parts:
    """The parts of so many keys each of all keys."""
    return _Parts(-(-largest(spec.num_keys) // part_keys))


def _part_keys(spec: AttentionFeatures, target: Target, rows: int) -> int:
    """The keys of a part that so many rows attend to."""
    own = _PART_KEYS_OF_CHIP.get(target.name, _PART_KEYS)
    if own == _SHORT_PARTS and spec.v_dim > _MOST_COLUMNS_OF_SHORT_PARTS:
        own = _PART_KEYS
    return own if rows <= _WAVE_ROWS else _PART_KEYS_OF_ROWS.get(target.driver, own)


def _part_keys_of_few(spec: FewQueriesSpec, target: Target) -> int:
    """The keys of a part of packed sequences; tiles of decodes have the rows of a wave."""
    few = most_few(spec)
    own = _part_keys(spec, target, 1 if few == FEW_QUERIES else few * spec.group_size)
    if few == FEW_QUERIES:
        return own
    if not spec.causal and spec.mask_mod is None:
        return _PART_KEYS_OF_SHARED.get(target.driver, own)
    wanted = _WORKGROUPS_OF_DRAFTS.get(target.driver)
    # A batch that a call chooses may be of one sequence.
    if wanted is None or "batch" in spec.dynamic:
        return own
    tiles = -(-few * spec.group_size // _ROWS_OF_DRAFTS)
    parts = max(1, wanted // (spec.batch * spec.num_kv_heads * tiles))
    return max(_PART_KEYS, -(-largest(spec.num_keys) // parts))


def _grid_of_few(spec: FewQueriesSpec, target: Target, part_keys: int) -> Grid:
    few, rows = most_few(spec), most_few(spec) * spec.group_size
    # Waves of few rows share a part in whole steps, which parts of any length would not be.
    has_own_keys = few == FEW_QUERIES or rows <= _WAVE_ROWS
    are_alike = target.driver in _WORKGROUPS_OF_DRAFTS and not has_own_keys
    least = _LEAST_KEYS_OF_PART if are_alike else part_keys
    laid = _parts(spec, part_keys, few)
    # Where all keys have parts of any length, so have those of a window.
    if are_alike or laid.count > _MOST_PARTS:
        laid = _parts_of_all(spec, part_keys)
    parts = laid.count
    return Grid(
        heads=spec.num_kv_heads,
        rows_of_head=rows,
        has_head_rows=True,
        has_token_rows=False,
        is_packed=True,
        is_of_many=False,
        few_queries=few,
        is_split=True,
        part_keys=part_keys,
        parts=min(parts, _MOST_PARTS),
        parts_grow=are_alike or parts > _MOST_PARTS,
        least_keys=least,
        parts_keys=min(parts, _MOST_PARTS) * least,
        seen_keys=laid.seen_keys,
    )


def part_tensors(spec: AttentionFeatures, grid: Grid) -> list[TensorType]:
    """The results of the parts of the keys: weighted values, maxima and sums."""
    shape: tuple[AnySize, ...] = (
        spec.size("batch"),
        grid.heads,
        grid.parts,
        grid.rows_of_head,
    )
    if isinstance(spec, FewQueriesSpec):
        shape = (grid.heads, grid.parts, spec.rows)
    return [
        TensorType("part_acc", (*shape, spec.v_dim), "f32"),
        TensorType("part_max", shape, "f32"),
        TensorType("part_sum", shape, "f32"),
    ]
