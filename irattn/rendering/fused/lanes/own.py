"""What a lane brings from memory to its own registers, where waves have keys of their own."""

from dataclasses import dataclass

from irattn.rendering.fused.lanes.lanes import Lanes
from irattn.targets import Target

_F32_BYTES = 4

# Registers in waves of 32 lanes, at most: of queries and sums, which a lane keeps; and of these, a
# step's keys and its values.
_MOST_KEPT = 160
_MOST_AT_ONCE = 192


@dataclass(frozen=True)
class TurnedTiles:
    """Two tiles of value columns: the access that brought both, and their pair of its columns."""

    tiles: tuple[int, int]
    access: int
    column_pair: int


@dataclass(frozen=True)
class Own:
    """A wave's keys and values as operands, and what the waves have summed up, in LDS.

    A lane has one row of a tile of keys. Of values it has neighbouring columns, one in each tile:
    which columns a tile is made of is free, so that nothing changes lanes. `rows` are the rows
    that the waves have summed up.
    """

    lanes: Lanes
    rows: int

    @property
    def keeps_query(self) -> bool:
        """Whether a lane has registers for its queries, besides those for its sums."""
        return self.lanes.wave_size > 32 or self._kept <= _MOST_KEPT

    @property
    def query_again(self) -> list[int]:
        """Chunks of the head columns whose queries lanes read again in every step."""
        return [] if self.keeps_query else list(range(len(self.lanes.head_chunks)))

    @property
    def _kept(self) -> int:
        lanes = self.lanes
        return len(lanes.queries) * (lanes.head_columns // 2 + lanes.value_columns)

    @property
    def query_pitch(self) -> int:
        """Elements from a query in LDS to the next."""
        return self.lanes.head_dim + self.lanes.access

    @property
    def value_reads(self) -> list[int]:
        """Keys of a step whose values a lane has, from 0."""
        return list(range(self.lanes.value_keys))

    @property
    def access(self) -> int:
        """Neighbouring columns of a value that a lane reads at once."""
        tiles, most = len(self.lanes.value_tiles), self.lanes.access
        if tiles <= most:
            return tiles
        return most // 2 if self.lanes.repeats else most

    @property
    def access_pairs(self) -> int:
        """Pairs of the columns that a lane reads at once."""
        return self.access // 2

    @property
    def key_pairs(self) -> list[tuple[int, int]]:
        """Pairs of the keys whose values a lane has."""
        return [(key, key + 1) for key in self.value_reads[::2]]

    @property
    def turned(self) -> dict[int, TurnedTiles]:
        """Tiles of value columns whose values are turned at once, by the first of them."""
        return {tile: self._turned(tile) for tile in self.lanes.value_tiles[::2]}

    def _turned(self, tile: int) -> TurnedTiles:
        access, column = divmod(tile, self.access)
        return TurnedTiles((tile, tile + 1), access, column // 2)

    @property
    def reads_early(self) -> bool:
        """Whether values are read before the scores are there, while keys have registers too."""
        lanes = self.lanes
        keys = len(lanes.key_tiles) * lanes.head_columns // 2
        values = len(self.value_reads) * self.access // 2
        fits = lanes.wave_size > 32 or self._kept + keys + values <= _MOST_AT_ONCE
        return fits and self.access == len(lanes.value_tiles)

    # What waves have summed up.

    @property
    def piece(self) -> int:
        """Neighbours in a row that a lane adds up for all waves."""
        least = -(-self.rows * self.lanes.value_dim // self.lanes.count)
        return 1 << (least - 1).bit_length()

    @property
    def pieces(self) -> int:
        """Pieces of a row."""
        return self.lanes.value_dim // self.piece

    @property
    def piece_alignment(self) -> int:
        """Bytes that the place of a piece in LDS is a multiple of."""
        return min(16, _F32_BYTES * self.piece)

    @property
    def pitch(self) -> int:
        """Numbers from a row in LDS to the next."""
        return self.lanes.value_dim + self.lanes.access // 2

    def fits(self, target: Target) -> bool:
        """Whether queries and the sums of all waves fit LDS."""
        query = 0 if self.keeps_query else 2 * self.lanes.rows * self.query_pitch
        sums = _F32_BYTES * self.lanes.waves * self.rows * (self.pitch + 2)
        return target.lds_bytes is None or query + sums <= target.lds_bytes
