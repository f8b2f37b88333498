"""The way from memory right into LDS, past registers, while the step before it is done."""

from dataclasses import dataclass
from itertools import product

from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.cache_formats import QuantisedCache

_BYTES = 2

# Steps whose keys and values are in LDS at once: one that lanes do, and the next.
_BUFFERS = 2

# Accesses between a row of keys and the next, and of values, which keep lanes that LDS serves in
# one phase on banks of their own.
_KEY_GAP, _VALUE_GAP = 4, 1

# Keys whose values an instruction turns on their way into registers, in tiles.
_MOST_TURNED = 4

# Registers of a lane's sums, scores and queries, at most.
_MOST_KEPT = 208


@dataclass(frozen=True)
class QueryPiece:
    """A lane's part of a query tile, and a chunk of its columns, for one matrix instruction."""

    number: int
    chunk: int
    tile: int
    step: int


@dataclass(frozen=True, kw_only=True)
class CopiedPlan:
    """A step's keys and values, both by rows, in the memory that a workgroup shares.

    Queries that lanes have no registers for are there too, in `query_pieces`, of which each lane
    has its own, and reads them again in every step. Pitches count elements from a row to the next,
    `bytes` what all of it takes.
    """

    query_pieces: list[QueryPiece]
    bytes: int

    # Lanes that copy a row, and those of a wave's rows of queries; a lane's rows of a step, from 0,
    # and from its first to each of them; and neighbours among these.
    row_lanes: int
    reads: list[int]
    starts: list[int]
    block: int
    # Rows of LDS, and from a step's first to that of the next step.
    rows: int
    key_pitch: int
    value_pitch: int
    # Tiles of keys whose values a lane reads of a tile of columns at once, and rows from such tiles
    # to the next.
    turned: int
    value_starts: list[int]
    # The packed pairs of output columns that a lane has of a query; and, of what a part of the keys
    # gives, which is wider, pairs of tiles of columns, of which a lane writes neighbours.
    pairs: int
    tile_pairs: list[int]


def are_copied(lanes: LanesPlan, cache: QuantisedCache | None) -> bool:
    """Whether lanes copy what they share: NVIDIA's do, but widen quantised numbers in registers."""
    return lanes.is_nvidia and cache is None


def plan_copied(lanes: LanesPlan, has_table: bool) -> CopiedPlan:
    """The plan of LDS where a step's keys and values are copied there.

    `has_table` says that a page of neighbouring keys is looked up.
    """
    row_lanes = lanes.head_dim // lanes.access
    reads = list(range(lanes.keys * row_lanes // lanes.count))
    # Keys of a page are looked up once where they are neighbours.
    block = len(reads) if has_table else 1
    apart = 1 if has_table else lanes.count // row_lanes
    key_pitch = lanes.head_dim + lanes.access * _KEY_GAP
    value_pitch = lanes.value_dim + lanes.access * _VALUE_GAP
    keeps_query = _kept(lanes) <= _MOST_KEPT
    query_elements = 0 if keeps_query else lanes.rows * lanes.head_dim
    turned = min(_MOST_TURNED, len(lanes.key_tiles))
    return CopiedPlan(
        query_pieces=[] if keeps_query else _query_pieces(lanes),
        bytes=_BYTES * (query_elements + _BUFFERS * lanes.keys * (key_pitch + value_pitch)),
        row_lanes=row_lanes,
        reads=reads,
        starts=[read * apart for read in reads],
        block=block,
        rows=_BUFFERS * lanes.keys,
        key_pitch=key_pitch,
        value_pitch=value_pitch,
        turned=turned,
        value_starts=list(range(0, lanes.keys, turned * lanes.side)),
        pairs=lanes.value_columns // 2,
        tile_pairs=list(range(len(lanes.value_tiles) // 2)),
    )


def _query_pieces(lanes: LanesPlan) -> list[QueryPiece]:
    chunks, steps = range(len(lanes.head_chunks)), range(lanes.chunk_steps)
    places = product(chunks, range(lanes.query_tiles), steps)
    return [QueryPiece(number, *place) for number, place in enumerate(places)]


def _kept(lanes: LanesPlan) -> int:
    """Registers of sums, scores, and queries, pairs of whose columns have one."""
    of_query = lanes.value_columns + lanes.key_count + lanes.head_columns // 2
    return len(lanes.queries) * of_query
