"""The way from memory right into LDS on CDNA 4, while the step before it is done."""

from dataclasses import dataclass

from irattn.rendering.attention.lanes import LanesPlan

_BYTES, _WORD_BYTES = 2, 4

# Steps whose keys and values are in LDS at once: one that lanes do, and the next.
_BUFFERS = 2

# Elements between a block of so many keys and the next, which keep lanes that LDS serves in one
# phase on banks of their own. Of wider heads a block has two keys, for which no gap does.
_GAPS = {4: 32, 8: 64}


@dataclass(frozen=True)
class AccessSwap:
    """The words that groups of lanes at a `distance` swap: the lower group gives its own at the
    second number of a query's, the upper one its own at the first.
    """

    distance: int
    words: list[tuple[int, int, int]]


@dataclass(frozen=True, kw_only=True)
class DirectPlan:
    """A step's keys and values in the memory that a workgroup shares, past registers.

    Both are there in blocks of `rows` keys, what the lanes of a wave bring at once: an access of
    each row, then another of each. First come those of the first `group_accesses` columns that a
    group of lanes sums up, from group to group. `pitch` counts elements from a block to the next,
    `blocks` those of a step, `all_blocks` those of the steps in LDS, `bytes` what all of it takes.
    """

    rows: int
    group_accesses: int
    pitch: int
    blocks: int
    all_blocks: int
    bytes: int
    # Elements of a block from a group's access to the next group's of the same number.
    access_step: int
    # Where tiles of keys begin, in blocks; where chunks of head columns begin in a block, and tiles
    # of value columns, of which two have the halves of accesses: groups in turn, `turn` by `turn`,
    # the first one's first and last.
    tile_starts: list[int]
    head_starts: list[int]
    value_starts: list[int]
    turn: int
    # The blocks that a wave brings, from 0; and from its first to each, in blocks and in keys.
    reads: list[int]
    block_starts: list[int]
    row_starts: list[int]
    # What groups swap at the end, where lanes write pieces of rows.
    swaps: list[AccessSwap]


def plan_direct(lanes: LanesPlan) -> DirectPlan:
    """The plan of LDS where a wave brings blocks right there."""
    access, rows = lanes.access, lanes.wave_size * lanes.access // lanes.head_dim
    blocks, pitch = lanes.keys // rows, lanes.wave_size * access + _GAPS[rows]
    reads, group_accesses = list(range(blocks // lanes.waves)), lanes.value_columns // access
    access_step = rows * access
    return DirectPlan(
        rows=rows,
        group_accesses=group_accesses,
        pitch=pitch,
        blocks=blocks,
        all_blocks=_BUFFERS * blocks,
        # Of keys and of values.
        bytes=2 * _BUFFERS * blocks * pitch * _BYTES,
        access_step=access_step,
        tile_starts=[tile * lanes.side // rows for tile in lanes.key_tiles],
        head_starts=[
            chunk // access // group_accesses * access_step for chunk in lanes.head_chunks
        ],
        value_starts=[tile // 2 * lanes.groups * access_step for tile in lanes.value_tiles],
        turn=rows // lanes.own,
        reads=reads,
        block_starts=[read * lanes.waves for read in reads],
        row_starts=[read * lanes.waves * rows for read in reads],
        swaps=_swaps(lanes) if lanes.pieces else [],
    )


def _swaps(lanes: LanesPlan) -> list[AccessSwap]:
    """The swaps that turn groups' accesses and their places: by halves, then by quarters."""
    words, places = lanes.access * _BYTES // _WORD_BYTES, lanes.groups
    swaps = []
    for distance in sorted(lanes.distances, reverse=True):
        apart = distance // lanes.layout.group_lanes
        lower = [place for place in range(places) if place // apart % 2 == 0]
        swaps.append(
            AccessSwap(
                distance,
                [
                    (query, place * words + word, (place + apart) * words + word)
                    for query in lanes.queries
                    for place in lower
                    for word in range(words)
                ],
            )
        )
    return swaps


def goes_to_lds(lanes: LanesPlan) -> bool:
    """Whether there are instructions for this, and waves share the blocks of a step evenly."""
    rows, left = divmod(lanes.wave_size * lanes.access, lanes.head_dim)
    fits = left == 0 and rows in _GAPS and lanes.value_dim == lanes.head_dim
    return lanes.loads_lds and fits and lanes.keys % (rows * lanes.waves) == 0


def swaps_accesses(lanes: LanesPlan) -> bool:
    """Whether each group has as many accesses of a row as there are groups, which swap them at the
    end, so that those of a line lie side by side.

    Were they there before, keys would lie in LDS in another order than values, and each need an
    address of its own: a wave that is alone would take 1.014 times the cycles.
    """
    return lanes.swaps_lanes and lanes.value_columns == lanes.groups * lanes.access
