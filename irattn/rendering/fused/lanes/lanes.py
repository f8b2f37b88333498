"""What each lane of a workgroup holds and does, where matrix instructions are written out."""

from dataclasses import dataclass

from irattn.rendering.fused.lanes.layouts import LAYOUTS, LaneLayout
from irattn.targets import MatrixInstruction

# Bytes that a lane moves at once.
_ACCESS = 16

# Registers of sums and queries where operands are held twice, at most: with 192, half of some 80
# graphs for prompts with heads of 256 spilled up to 16 others on gfx1100, with 176 none.
_MOST_KEPT = 176

# What adds two narrow products to a sum, by storage type.
_ADDING = {"f16": ("WMMAR3", "WMMAR4", "MFMA"), "bf16": ("WMMAR3", "WMMAR4")}


@dataclass(frozen=True)
class Pair:
    """Two neighbours in a tile of keys among a lane's scores of a query, maybe the outermost."""

    query: int
    tile: int
    even: int
    odd: int
    is_first: bool
    is_last: bool


@dataclass(frozen=True)
class Lanes:
    """A step at the level of lanes: scores turned, so that a lane has one query and many keys.

    Keys and value columns are taken in an order in which a lane's own lie together: what one
    product leaves in a lane is what the other takes from it.

    Waves have queries of their own, and share a step's keys; where one wave has all queries,
    `splits_keys`, they have keys of their own.
    """

    instruction: MatrixInstruction
    waves: int
    keys: int
    query_tiles: int
    io_dtype: str
    head_dim: int
    value_dim: int
    splits_keys: bool = False

    @property
    def layout(self) -> LaneLayout:
        """The layout of the matrix instruction."""
        return LAYOUTS[self.instruction.family]

    @property
    def is_nvidia(self) -> bool:
        """Whether the instructions besides matrix instructions are NVIDIA's, not AMD's."""
        return self.instruction.family == "NV"

    @property
    def groups(self) -> int:
        """Groups of lanes of a wave."""
        return self.layout.groups

    @property
    def wave_size(self) -> int:
        """Lanes of a wave."""
        return self.side * self.groups

    @property
    def count(self) -> int:
        """Lanes of the workgroup."""
        return self.waves * self.wave_size

    @property
    def repeats(self) -> bool:
        """Whether each group needs the weights of the other."""
        return self.layout.operand_groups < self.groups

    @property
    def side(self) -> int:
        """Keys, or value columns, of a tile."""
        return self.layout.side

    @property
    def wave_rows(self) -> int:
        """Queries of a wave."""
        return self.side * len(self.queries)

    @property
    def queries(self) -> list[int]:
        """Queries of a lane, from 0."""
        return list(range(self.query_tiles * self.layout.queries))

    @property
    def query_places(self) -> list[tuple[int, int]]:
        """The tile of each of a lane's queries, and the query's number there."""
        return [divmod(query, self.layout.queries) for query in self.queries]

    @property
    def sums_at(self) -> list[int]:
        """The places of the queries' sums in what steps hand on: after their maxima."""
        return [len(self.queries) + query for query in self.queries]

    @property
    def acc_at(self) -> int:
        """The place of the weighted values in what steps hand on: after the sums."""
        return 2 * len(self.queries)

    @property
    def carried(self) -> int:
        """How many maxima, sums and weighted values steps hand on."""
        return self.acc_at + 1

    @property
    def rows(self) -> int:
        """Queries of the workgroup."""
        return self.wave_rows if self.splits_keys else self.waves * self.wave_rows

    @property
    def score_count(self) -> int:
        """Scores of a step that a lane has."""
        return self.key_count * len(self.queries)

    @property
    def gathered_scores(self) -> int:
        """Scores of a step that two groups have."""
        return 2 * self.score_count

    @property
    def adds_pairs(self) -> bool:
        """Whether an instruction adds two weights to a sum."""
        return self.instruction.family in _ADDING[self.io_dtype]

    @property
    def pairs(self) -> list[Pair]:
        """Neighbours among the scores of a query, query by query."""
        of_query = [(tile, i) for tile in self.key_tiles for i in range(0, self.own, 2)]
        return [
            Pair(query, *one, one[1] + 1, one == of_query[0], one == of_query[-1])
            for query in self.queries
            for one in of_query
        ]

    @property
    def bits_count(self) -> int:
        """Pairs of weights that a lane has."""
        return self.score_count // 2

    @property
    def distances(self) -> list[int]:
        """Distances between lanes that have the same query: halfway, and halfway again."""
        first = self.layout.group_lanes
        return [first, 2 * first][: self.groups // 2]

    @property
    def own(self) -> int:
        """Rows of a tile's sums that a lane has."""
        return self.side // self.groups

    @property
    def group_step(self) -> int:
        """From a group's first row of a tile's sums to the next group's."""
        return self.own if self.layout.sum_step == 1 else 1

    @property
    def sum_sizes(self) -> list[int]:
        """Sizes of a tile's sums but for the rows that a lane has: both sides' tiles, queries."""
        tiles = [1, self.query_tiles] if self.layout.turned else [self.query_tiles, 1]
        return [*tiles, self.layout.queries]

    @property
    def depth(self) -> int:
        """Elements of an operand that a lane has."""
        return self.instruction.k // self.layout.operand_groups

    @property
    def half_depth(self) -> int:
        """Elements of an operand that a lane has of the same queries."""
        return self.depth // self.layout.halves

    @property
    def access(self) -> int:
        """Elements that a lane moves at once."""
        return _ACCESS // 2

    # The queries and keys.

    @property
    def head_columns(self) -> int:
        """Head columns that a lane multiplies."""
        return self.head_dim // self.layout.operand_groups

    @property
    def kept_columns(self) -> int:
        """Head columns whose queries have registers, besides sums, where waves share a step's keys.

        Half of the lanes repeat the operands of the others on RDNA 3: with heads of 256, queries
        and sums would take all registers.
        """
        if self.splits_keys or not self.repeats:
            return self.head_columns
        left = max(0, _MOST_KEPT // len(self.queries) - self.value_columns)
        return min(self.head_columns, 2 * left // self.instruction.k * self.instruction.k)

    @property
    def head_chunk(self) -> int:
        """Neighbouring head columns: so many that lanes read LDS on banks of their own."""
        if self.splits_keys:
            return max(self.access, self.depth)
        if self.kept_columns < self.head_columns:
            return self.instruction.k
        return self.head_columns if self.layout.turned else self.access

    @property
    def head_chunks(self) -> list[int]:
        """Where the chunks of the first group's head columns begin."""
        return list(range(0, self.head_dim, self.head_chunk * self.layout.operand_groups))

    @property
    def chunk_steps(self) -> int:
        """Matrix instructions along the head columns of a chunk."""
        return self.head_dim // self.instruction.k // len(self.head_chunks)

    @property
    def key_tiles(self) -> list[int]:
        """Tiles of keys, from 0."""
        return list(range(self.keys // self.side))

    @property
    def key_starts(self) -> list[int]:
        """From a lane's first key to its first in each tile."""
        step = self.side if self.repeats else self.own
        return [tile * step for tile in self.key_tiles]

    @property
    def key_group(self) -> int:
        """From a group's first key to the next group's."""
        return self.own if self.repeats else self.key_count

    @property
    def key_count(self) -> int:
        """Keys of a step whose scores a lane has."""
        return self.keys // self.groups

    @property
    def key_offsets(self) -> list[list[list[int]]]:
        """A lane's keys after its first, by tile and query."""
        return [
            [[start + i for i in range(self.own)] for _ in self.queries]
            for start in self.key_starts
        ]

    @property
    def counts_seen(self) -> bool:
        """Whether one comparison tells that a key is one of those that a query sees in its window.

        With one for each end, two answers for each score stand in scalar registers: paged prompts
        spilled up to 10 of these on gfx942 and 8 on gfx1201. On gfx1100 what is compared took 16
        vector registers too many.
        """
        return not (self.repeats or self.splits_keys)

    @property
    def weight_pairs(self) -> list[int]:
        """Pairs of weights in the order of the keys, from those of both groups.

        Only where the groups repeat each other's.
        """
        of_tile, of_query = self.own // 2, self.key_count // 2
        return [
            group * self.bits_count + query * of_query + tile * of_tile + i
            for query in self.queries
            for tile in self.key_tiles
            for group in range(self.groups)
            for i in range(of_tile)
        ]

    # The values.

    @property
    def value_tiles(self) -> list[int]:
        """Tiles of value columns, from 0."""
        return list(range(self.value_dim // self.side))

    @property
    def value_columns(self) -> int:
        """Value columns that a lane sums up."""
        return self.value_dim // self.groups

    @property
    def value_keys(self) -> int:
        """Keys of a step whose values a lane multiplies."""
        return self.keys // self.layout.operand_groups

    @property
    def value_steps(self) -> int:
        """Matrix instructions along the keys."""
        return self.keys // self.instruction.k
