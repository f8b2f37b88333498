"""Share a tile of attention between the lanes of a workgroup, for a spec and a chip."""

from irattn.core.tensors import Role
from irattn.rendering.attention.arguments import storage_of
from irattn.rendering.attention.lane_layouts import LAYOUTS, LaneLayout
from irattn.rendering.attention.lanes import GivenPiece, LanesPlan, Pair
from irattn.rendering.attention.lanes_table import LanesTile
from irattn.rendering.cache_formats import quantised_cache
from irattn.specs.features import AttentionFeatures
from irattn.targets import MatrixInstruction, Target

# Elements of 16 bits that a lane moves at once: 16 bytes. Of 8 bits, of a quantised cache, lanes of
# AMD's GPUs bring as many to themselves, those of NVIDIA's twice as many. Of 4 bits, where a lane
# takes one half of bytes, twice as many took 180 registers for an H200: room for fewer waves.
ACCESS = 8

# Registers of sums and queries where operands are held twice, at most: with 192, half of some 80
# graphs for prompts with heads of 256 spilled up to 16 others on gfx1100, with 176 none.
_MOST_KEPT = 176

# With several tiles of queries, which need scores and weights of their own: of heads of 128, 32
# columns, 249 registers in all on gfx1100; with 48 columns 17 spilled.
_MOST_KEPT_OF_TILES = 160

# Families of chips with an instruction that adds two narrow products to a sum, by storage type:
# `dot10-insts` and `dot12-insts` of LLVM's AMDGPU.td.
_ADDING = {
    "f16": ("cdna1", "cdna2", "cdna3", "cdna4", "rdna3", "rdna3.5", "rdna4"),
    "bf16": ("cdna4", "rdna3", "rdna3.5", "rdna4"),
}

# Those without an instruction that rounds f32 to bf16, where asking each number whether it is NaN
# took 224 instructions for 32 rows of 128 columns. On RDNA 3 it has not been measured.
_ROUNDING_BY_BITS = ("cdna2", "cdna3")

# Those with instructions that swap rows of lanes between two registers, bring 16 bytes a lane from
# memory right into LDS, and turn what they load from there.
_SWAPPING = ("cdna4",)
_LOADING_LDS = ("cdna4",)


def plan_lanes(spec: AttentionFeatures, target: Target, tile: LanesTile) -> LanesPlan:
    """The plan of lanes for a spec's attention, cut into such tiles."""
    storage = storage_of(spec, Role.QUERY)
    family, instruction = target.family, target.lane_matrix[storage]
    assert family is not None
    layout = LAYOUTS[instruction.family]
    side, groups, wave_size = layout.side, layout.groups, layout.side * layout.groups
    own, repeats = side // groups, layout.operand_groups < groups
    queries = list(range(tile.query_tiles * layout.queries))
    count, wave_rows = len(queries), side * len(queries)
    key_tiles, key_count = list(range(tile.keys // side)), tile.keys // groups
    score_count, pairs = key_count * count, _pairs(queries, key_tiles, own)
    key_starts = [n * (side if repeats else own) for n in key_tiles]
    value_dim, value_keys = spec.v_dim // tile.column_waves, tile.keys // layout.operand_groups
    value_columns = value_dim // groups
    head_columns = spec.head_dim // layout.operand_groups
    kept_columns = head_columns
    has_own_keys = tile.splits_keys or tile.column_waves > 1
    if repeats and not has_own_keys:
        kept_columns = min(head_columns, _most_kept(value_columns, count, instruction.k))
    cache = quantised_cache(spec)
    has_bytes = cache is not None and not cache.is_packed and instruction.family == "NV"
    own_access = 2 * ACCESS if has_bytes else ACCESS
    own_chunk = max(own_access, instruction.k // layout.operand_groups) if has_own_keys else None
    head_chunk = own_chunk or _head_chunk(instruction, layout, head_columns, kept_columns)
    head_chunks = list(range(0, spec.head_dim, head_chunk * layout.operand_groups))
    return LanesPlan(
        instruction=instruction,
        layout=layout,
        is_nvidia=instruction.family == "NV",
        loads_lds=family.name in _LOADING_LDS,
        multiply_matrices=family.simd is not None and family.simd.multiplies_matrices,
        access=ACCESS,
        own_access=own_access,
        banks=family.lds_banks.banks,
        side=side,
        groups=groups,
        wave_size=wave_size,
        waves=tile.waves,
        count=tile.waves * wave_size,
        splits_keys=tile.splits_keys,
        column_waves=tile.column_waves,
        distances=[layout.group_lanes, 2 * layout.group_lanes][: groups // 2],
        swaps_lanes=family.name in _SWAPPING,
        repeats=repeats,
        own=own,
        group_step=own if layout.sum_step == 1 else 1,
        half_depth=instruction.k // layout.operand_groups // layout.halves,
        query_tiles=tile.query_tiles,
        queries=queries,
        heads=tile.heads,
        query_places=[divmod(query, layout.queries) for query in queries],
        wave_rows=wave_rows,
        rows=wave_rows if tile.splits_keys else _row_waves(tile) * wave_rows,
        rows_apart=0 if tile.splits_keys else wave_rows,
        head_dim=spec.head_dim,
        negates_query=spec.scale < 0,
        head_columns=head_columns,
        kept_columns=kept_columns,
        head_chunk=head_chunk,
        head_chunks=head_chunks,
        head_group=0 if repeats else head_chunk,
        chunk_steps=spec.head_dim // instruction.k // len(head_chunks),
        keys=tile.keys,
        key_tiles=key_tiles,
        key_count=key_count,
        key_starts=key_starts,
        key_group=own if repeats else key_count,
        key_offsets=[[[start + i for i in range(own)] for _ in queries] for start in key_starts],
        given_pieces=[
            GivenPiece(n, query, start) for n, start in enumerate(key_starts) for query in queries
        ],
        counts_seen=not (repeats or tile.splits_keys),
        score_count=score_count,
        gathered_scores=2 * score_count,
        bits_count=score_count // 2,
        pairs=pairs,
        adds_pairs=family.name in _ADDING[storage],
        rounds_by_bits=storage == "bf16" and family.name in _ROUNDING_BY_BITS,
        weight_pairs=_weight_pairs(queries, key_tiles, groups, own // 2),
        value_dim=value_dim,
        value_tiles=list(range(value_dim // side)),
        value_columns=value_columns,
        output_count=count * value_columns,
        sum_sizes=_sum_sizes(layout, tile.query_tiles),
        pieces=[],
        value_keys=value_keys,
        value_group=0 if repeats else value_keys,
        value_steps=tile.keys // instruction.k,
    )


def _row_waves(tile: LanesTile) -> int:
    """The waves that have rows of their own of a head."""
    return tile.waves // (tile.column_waves * tile.heads)


def _most_kept(value_columns: int, queries: int, depth: int) -> int:
    """The most head columns whose queries have registers, besides sums, in whole depths.

    Half of the lanes repeat the operands of the others on RDNA 3: with heads of 256, queries and
    sums would take all registers.
    """
    most = _MOST_KEPT if queries == 1 else _MOST_KEPT_OF_TILES
    left = max(0, most // queries - value_columns)
    return 2 * left // depth * depth


def _head_chunk(instruction: MatrixInstruction, layout: LaneLayout, columns: int, kept: int) -> int:
    """Neighbouring head columns: so many that lanes read LDS on banks of their own."""
    if kept < columns:
        return instruction.k
    return ACCESS if layout.operand_groups == 4 else columns


def _sum_sizes(layout: LaneLayout, query_tiles: int) -> list[int]:
    """Both sides' tiles of a product, and a lane's queries in a tile."""
    tiles = [1, query_tiles] if layout.turned else [query_tiles, 1]
    return [*tiles, layout.queries]


def _pairs(queries: list[int], key_tiles: list[int], own: int) -> list[Pair]:
    """Neighbours among the scores of a query, query by query."""
    of_query = [(tile, i) for tile in key_tiles for i in range(0, own, 2)]
    places = [(query, *one) for query in queries for one in of_query]
    return [
        Pair(
            n,
            query,
            tile,
            even,
            even + 1,
            (tile, even) == of_query[0],
            (tile, even) == of_query[-1],
        )
        for n, (query, tile, even) in enumerate(places)
    ]


def _weight_pairs(queries: list[int], key_tiles: list[int], groups: int, of_tile: int) -> list[int]:
    """Pairs of weights, so many of a tile, in the order of the keys, from those of all groups."""
    of_query = of_tile * len(key_tiles)
    return [
        group * len(queries) * of_query + query * of_query + tile * of_tile + i
        for query in queries
        for tile in key_tiles
        for group in range(groups)
        for i in range(of_tile)
    ]
