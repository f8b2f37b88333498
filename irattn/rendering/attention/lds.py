"""The way from memory to LDS: what a lane brings, and where it places it."""

from dataclasses import dataclass
from itertools import product

from irattn.rendering.attention.lanes import LanesPlan

_BYTES = 2

# Value columns that lanes of MFMA have registers for beside their sums, at most.
_MOST_EARLY = 128

# By family, what keeps lanes that LDS serves in one phase on banks of their own: accesses between a
# row of keys and the next, and between a column of values and the next, and columns between a tile
# of these and the next, or between those of a group and of the next, where these lie apart.
_GAPS = {"WMMAR3": (1, 1, 0), "WMMAR4": (1, 1, 0), "MFMA": (2, 2, 1), "NV": (1, 1, 0)}
_GROUP_GAP = 2


@dataclass(frozen=True, kw_only=True)
class LdsPlan:
    """A step's keys, by rows, and values, by columns, in the memory that a workgroup shares.

    So are queries that lanes have no registers for: those of the chunks `query_again` of the head
    columns, which lanes read again in every step. Pitches count elements from a row to the next,
    `bytes` what all of it takes.
    """

    query_again: list[int]
    query_pitch: int
    bytes: int

    # Lanes that share a key row, and the columns from a lane's first access of it to each other; a
    # lane's rows of a step's keys, from 0; from its first to each of them; and its accesses, the
    # row of each and the number of the column, from 0.
    key_accesses: int
    key_columns: list[int]
    key_reads: list[int]
    key_starts: list[int]
    key_places: list[tuple[int, int]]
    # Whether a row's neighbour is that of the next group, not the next row of its own.
    alternates_groups: bool
    key_pitch: int

    # Neighbouring keys whose values a lane turns, from 0, the bytes of a column of these, and such
    # blocks in a step.
    block: int
    value_reads: list[int]
    column_bytes: int
    column_bits: int
    blocks: int
    value_pitch: int
    # Rows of LDS from a tile of value columns to the next, those of all tiles, and from a group's
    # columns to the next group's, where all of a group lie together.
    value_side: int
    value_rows: int
    group_rows: int | None
    # Neighbouring keys that a lane reads of a value column at once, from a group's first to the
    # next group's, and where such pieces begin.
    value_piece: int
    value_group: int
    value_pieces: list[int]
    # The number of a piece and the tile of columns of each, one piece after the other.
    value_places: list[tuple[int, int]]
    # Tiles of value columns that a lane reads before it makes weights.
    values_early: list[int]


def plan_lds(lanes: LanesPlan) -> LdsPlan:
    """The plan of LDS where lanes share a step's keys."""
    access, of_row = lanes.access, lanes.head_dim // lanes.access
    # As many as a power of two has: all lanes bring whole rows.
    key_accesses = of_row & -of_row
    key_columns = list(range(0, lanes.head_dim, key_accesses * access))
    query_again = list(range((lanes.head_columns - lanes.kept_columns) // lanes.head_chunk))
    query_pitch = len(query_again) * lanes.head_chunk + access
    key_reads = list(range(lanes.keys * key_accesses // lanes.count))
    apart = lanes.count // key_accesses
    block = lanes.keys * lanes.value_dim // access // lanes.count
    key_gap, value_gap, tile_gap = _GAPS[lanes.instruction.family]
    key_pitch, value_pitch = lanes.head_dim + access * key_gap, lanes.keys + access * value_gap
    group_rows = lanes.value_columns + _GROUP_GAP if lanes.pieces else None
    value_side = lanes.own if group_rows else lanes.side + tile_gap
    value_rows = lanes.groups * group_rows if group_rows else len(lanes.value_tiles) * value_side
    value_piece = _value_piece(lanes, block)
    value_pieces = list(range(0, lanes.keys, value_piece * lanes.layout.operand_groups))
    elements = lanes.keys * key_pitch + value_rows * value_pitch
    elements += lanes.rows * query_pitch if query_again else 0
    return LdsPlan(
        query_again=query_again,
        query_pitch=query_pitch,
        bytes=_BYTES * elements,
        key_accesses=key_accesses,
        key_columns=key_columns,
        key_reads=key_reads,
        key_starts=[read * apart for read in key_reads],
        key_places=list(product(key_reads, range(len(key_columns)))),
        alternates_groups=_alternates_groups(lanes, key_accesses),
        key_pitch=key_pitch,
        block=block,
        value_reads=list(range(block)),
        column_bytes=_BYTES * block,
        column_bits=8 * _BYTES * block,
        blocks=lanes.keys // block,
        value_pitch=value_pitch,
        value_side=value_side,
        value_rows=value_rows,
        group_rows=group_rows,
        value_piece=value_piece,
        value_group=0 if lanes.repeats else value_piece,
        value_pieces=value_pieces,
        value_places=list(product(range(len(value_pieces)), lanes.value_tiles)),
        values_early=_values_early(lanes),
    )


def _value_piece(lanes: LanesPlan, block: int) -> int:
    """Keys that a lane reads of a value column at once; `block` of them are placed at once.

    The groups of MFMA read pieces side by side: farther apart, some two of them share banks.
    """
    if lanes.is_tight:
        # As many as a product takes.
        return lanes.instruction.k
    is_mfma = lanes.instruction.family == "MFMA"
    return min(max(lanes.access, block), lanes.value_keys) if is_mfma else lanes.value_keys


def _values_early(lanes: LanesPlan) -> list[int]:
    """All tiles where there are registers, which CDNA has for columns of two products.

    A wave that is alone takes 0.95 times the cycles for heads of 128, by the model.
    """
    has_room = lanes.instruction.family == "MFMA" and lanes.value_dim <= _MOST_EARLY
    return lanes.value_tiles if has_room else []


def _alternates_groups(lanes: LanesPlan, key_accesses: int) -> bool:
    """Whether lanes that LDS serves in one phase would place neighbouring rows on the same banks.

    CDNA 4 serves 16 lanes with four words each at once: two rows of heads of 64.
    """
    if lanes.instruction.family != "MFMA" or key_accesses >= lanes.banks // 4:
        return False
    return lanes.count // key_accesses % (2 * lanes.key_group) == 0
