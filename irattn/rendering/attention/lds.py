"""The way from memory to LDS: what a lane brings, and where it places it."""

from dataclasses import dataclass

from irattn.rendering.attention.lanes import LanesPlan

_BYTES = 2


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

    # Accesses of a key row; a lane's rows of a step's keys, from 0; and from its first to each of
    # them.
    key_accesses: int
    key_reads: list[int]
    key_starts: list[int]
    # Neighbouring keys that a lane brings.
    key_block: int
    key_pitch: int

    # Neighbouring keys whose values a lane turns, from 0, the bytes of a column of these, and such
    # blocks in a step.
    block: int
    value_reads: list[int]
    column_bytes: int
    blocks: int
    # Pieces of a value, one after the other, that neighbouring lanes bring from memory, and lanes
    # that bring those of all blocks.
    neighbours: int
    block_lanes: int
    value_pitch: int
    # How far the LDS rows of each tile of value columns are turned.
    value_turns: list[int]


def plan_lds(lanes: LanesPlan, has_table: bool) -> LdsPlan:
    """The plan of LDS where lanes share a step's keys.

    `has_table` says that a page of neighbouring keys is looked up.
    """
    access, key_accesses = lanes.access, lanes.head_dim // lanes.access
    query_again = list(range((lanes.head_columns - lanes.kept_columns) // lanes.head_chunk))
    query_pitch = len(query_again) * lanes.head_chunk + access
    # Apart from the banks of the row before.
    key_pitch = lanes.head_dim + access * (1 if lanes.layout.turned else lanes.groups)
    value_pitch = lanes.keys + access
    key_reads = list(range(lanes.keys * key_accesses // lanes.count))
    key_block = _key_block(lanes, has_table, len(key_reads))
    apart = 1 if key_block > 1 else lanes.count // key_accesses
    block = lanes.keys * lanes.value_dim // access // lanes.count
    neighbours = _neighbours(lanes)
    elements = lanes.keys * key_pitch + lanes.value_dim * value_pitch
    elements += lanes.rows * query_pitch if query_again else 0
    return LdsPlan(
        query_again=query_again,
        query_pitch=query_pitch,
        bytes=_BYTES * elements,
        key_accesses=key_accesses,
        key_reads=key_reads,
        key_starts=[read * apart for read in key_reads],
        key_block=key_block,
        key_pitch=key_pitch,
        block=block,
        value_reads=list(range(block)),
        column_bytes=_BYTES * block,
        blocks=lanes.keys // block,
        neighbours=neighbours,
        block_lanes=neighbours * (lanes.keys // block),
        value_pitch=value_pitch,
        value_turns=_value_turns(lanes, neighbours),
    )


def _key_block(lanes: LanesPlan, has_table: bool, reads: int) -> int:
    """Keys that a lane brings one after the other: those of a page are looked up once.

    Without a table that gains nothing, and with sizes that a call chooses it took a causal prompt
    of 4096 1.07 times as long on an H200. Not measured on AMD.
    """
    return 1 if lanes.layout.turned or not has_table else reads


def _neighbours(lanes: LanesPlan) -> int:
    """Pieces of a value that neighbouring lanes bring.

    Eight lanes read at once on NVIDIA, line by line. With 1, where each has a line of its own, a
    causal prompt of 4096 takes 1.17 times as long on an H200. Not measured on AMD.
    """
    return 1 if lanes.layout.turned else 4


def _value_turns(lanes: LanesPlan, neighbours: int) -> list[int]:
    """Turns in the tiles of a group's next piece, so that neighbours go to banks of their own."""
    if neighbours == 1:
        return [0 for _ in lanes.value_tiles]
    return [tile * lanes.own // lanes.access * lanes.own for tile in lanes.value_tiles]
