"""The way of wide heads: waves share the value columns, as one has no registers for all sums."""

from dataclasses import dataclass

from irattn.rendering.attention.lanes import LanesPlan

_BYTES, _F32_BYTES = 2, 4

# Scores that a lane moves at once.
_PIECE = 4

# Registers that the keys and the queries of some chunks take, at most.
_MOST_AT_ONCE = 96


@dataclass(frozen=True)
class Depth:
    """Keys of one matrix instruction along the values: those that a lane has, and pairs of them."""

    reads: list[int]
    key_pairs: list[tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class WidePlan:
    """Scores that waves give each other, and queries, in LDS; keys and values come past it.

    Of values a lane has neighbouring columns, one in each tile, as where waves have keys of their
    own. `bytes` are those of LDS.
    """

    bytes: int
    # Lanes that place a row of queries in LDS, and the columns from a lane's first piece of it to
    # each; and elements from a query there to the next.
    query_lanes: int
    query_columns: list[int]
    query_pitch: int
    # Chunks of the head columns, in groups whose keys and queries a lane has at once.
    chunk_groups: list[list[int]]
    # From a wave's first key to the next one's.
    key_step: int
    # Scores of a tile that a lane moves at once, and so many pieces of them.
    piece: int
    pieces: int
    # Keys of a step whose values a lane multiplies, by matrix instruction; pairs of its columns.
    depths: list[Depth]
    access_pairs: int


def plan_wide(lanes: LanesPlan) -> WidePlan:
    """The plan of what lanes have to themselves, and of what waves give each other."""
    query_lanes, query_pitch = lanes.count // lanes.rows, lanes.head_dim + lanes.access
    of_depth = lanes.value_keys // lanes.value_steps
    starts = range(0, lanes.value_keys, of_depth)
    return WidePlan(
        bytes=_BYTES * lanes.rows * query_pitch + _F32_BYTES * lanes.count * lanes.own,
        query_lanes=query_lanes,
        query_columns=list(range(0, lanes.head_dim, query_lanes * lanes.access)),
        query_pitch=query_pitch,
        chunk_groups=_chunk_groups(lanes),
        key_step=lanes.key_starts[1],
        piece=_PIECE,
        pieces=lanes.own // _PIECE,
        depths=[_depth(list(range(start, start + of_depth))) for start in starts],
        access_pairs=len(lanes.value_tiles) // 2,
    )


def _depth(reads: list[int]) -> Depth:
    return Depth(reads, [(read, read + 1) for read in reads[::2]])


def _chunk_groups(lanes: LanesPlan) -> list[list[int]]:
    """Chunks of so many registers: two neighbours of a key, or of a query, have one."""
    most, chunks = _MOST_AT_ONCE // lanes.head_chunk, list(range(len(lanes.head_chunks)))
    return [chunks[start : start + most] for start in range(0, len(chunks), most)]
