"""The lanes of a workgroup where matrix instructions are written out: what each holds and does."""

from dataclasses import dataclass

from irattn.rendering.attention.lane_layouts import LaneLayout
from irattn.targets import MatrixInstruction


@dataclass(frozen=True)
class Pair:
    """Two neighbours in a tile of keys among a lane's scores of a query, maybe the outermost."""

    number: int
    query: int
    tile: int
    even: int
    odd: int
    is_first: bool
    is_last: bool


@dataclass(frozen=True)
class GivenPiece:
    """Neighbours among the keys of a lane's scores of a query: a tile's, from its first key on."""

    tile: int
    query: int
    start: int


@dataclass(frozen=True, kw_only=True)
class LanesPlan:
    """A step at the level of lanes: scores turned, so that a lane has one query and many keys.

    Keys and value columns are taken in an order in which a lane's own lie together: what one
    product leaves in a lane is what the other takes from it.

    Waves have queries of their own, and share a step's keys; where one wave has all queries,
    `splits_keys`, they have keys of their own. Where several `column_waves` have the same queries,
    each makes the scores of a tile of a step's keys, and sums up value columns of its own.
    """

    instruction: MatrixInstruction
    layout: LaneLayout
    # Whether the instructions besides matrix instructions are NVIDIA's, not AMD's.
    is_nvidia: bool
    # Whether instructions bring whole accesses from memory to LDS, and turn what they read there.
    loads_lds: bool
    # Whether lanes multiply matrices themselves, in the time of other instructions of theirs.
    multiply_matrices: bool
    # Elements that a lane moves at once, and brings to itself of keys and values, and banks of LDS.
    access: int
    own_access: int
    banks: int

    # The lanes of a wave, as `layout` groups them; waves, and lanes, of the workgroup.
    side: int
    groups: int
    wave_size: int
    waves: int
    count: int
    splits_keys: bool
    column_waves: int
    # Distances between lanes that have the same query: halfway, and halfway again; and whether an
    # instruction swaps what so distant lanes have.
    distances: list[int]
    swaps_lanes: bool
    # Whether each group needs the weights of the other.
    repeats: bool
    # Rows of a tile's sums that a lane has; from a group's first to the next group's.
    own: int
    group_step: int
    # Elements of an operand that a lane has of the same queries.
    half_depth: int

    # Queries of a lane, from 0, in so many tiles: the tile of each, and its number there. Queries
    # of a wave, and of the workgroup, of each of its heads; and from a wave's first to the next
    # wave's: 0 where each has all of them.
    query_tiles: int
    queries: list[int]
    # Heads of a group that waves have the same rows of, in turn.
    heads: int
    query_places: list[tuple[int, int]]
    wave_rows: int
    rows: int
    rows_apart: int

    # Head columns, and whether queries are negated, which makes the factor on scores positive: the
    # largest score is the largest logit; those that a lane multiplies; those whose queries have
    # registers, besides sums; neighbours; where these begin in the first group, and from a group's
    # to the next group's: 0 where each has all of them; and matrix instructions along each.
    head_dim: int
    negates_query: bool
    head_columns: int
    kept_columns: int
    head_chunk: int
    head_chunks: list[int]
    head_group: int
    chunk_steps: int

    # Keys of a step, in tiles from 0; those whose scores a lane has; and from its first key to its
    # first of each tile, and from a group's first to the next group's.
    keys: int
    key_tiles: list[int]
    key_count: int
    key_starts: list[int]
    key_group: int
    # A lane's keys after its first, by tile and query.
    key_offsets: list[list[list[int]]]
    # Those of its scores that lie together where a tensor has a number for each key.
    given_pieces: list[GivenPiece]
    # Whether one comparison tells that a key is one of those that a query sees in its window. With
    # one for each end, two answers for each score stand in scalar registers: paged prompts spilled
    # up to 10 of these on gfx942 and 8 on gfx1201. On gfx1100 what is compared took 16 vector
    # registers too many.
    counts_seen: bool

    # A lane's scores of a step, those that two groups have, and pairs of its weights.
    score_count: int
    gathered_scores: int
    bits_count: int
    pairs: list[Pair]
    # Whether an instruction adds two weights to a sum; and whether none rounds what is written, for
    # which lanes ask about NaN at once.
    adds_pairs: bool
    rounds_by_bits: bool
    # Pairs of weights in the order of the keys, from those of both groups: only where the groups
    # repeat each other's.
    weight_pairs: list[int]

    # Value columns of a wave, in tiles from 0, those that a lane sums up, and of all its queries;
    # sizes of a tile's sums but for the rows that a lane has.
    value_dim: int
    value_tiles: list[int]
    value_columns: int
    output_count: int
    sum_sizes: list[int]
    # Where the groups' columns of an access each lie side by side, so that a wave writes whole
    # lines of memory: the first of a lane's own of each. Empty where a group's follow each other.
    pieces: list[int]
    # Keys whose values a lane multiplies; from a group's first to the next group's: 0 where each
    # has all of them; and matrix instructions along them.
    value_keys: int
    value_group: int
    value_steps: int

    @property
    def is_tight(self) -> bool:
        """Whether lanes have registers for what they multiply only while they do: sums of several
        tiles of queries take most, and half of the lanes repeat the operands of the others.
        """
        return self.repeats and self.query_tiles > 1 and self.kept_columns < self.head_columns

    @property
    def last_key_offset(self) -> int:
        """The last of a lane's keys of a step, from its first."""
        return self.key_offsets[-1][0][-1]
