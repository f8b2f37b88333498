"""What a lane brings from memory to LDS, and where it places it there."""

from dataclasses import dataclass

from irattn.rendering.fused.lanes.lanes import Lanes


@dataclass(frozen=True)
class LdsTiles:
    """A step's keys, by rows, and values, by columns, in the memory that a workgroup shares.

    So are queries that lanes have no registers for. `has_table` says that a page of neighbouring
    keys is looked up.
    """

    lanes: Lanes
    has_table: bool = False

    @property
    def values_at(self) -> int:
        """The place of the values that lanes have fetched in what steps hand on: after the keys."""
        return self.lanes.carried + 1

    @property
    def carried(self) -> int:
        """How many values steps hand on."""
        return self.values_at + 1

    @property
    def bytes(self) -> int:
        """Bytes that keys, values and queries take."""
        lanes = self.lanes
        query = lanes.rows * self.query_pitch if self.query_again else 0
        return 2 * (query + lanes.keys * self.key_pitch + lanes.value_dim * self.value_pitch)

    @property
    def query_again(self) -> list[int]:
        """Chunks of the head columns whose queries lanes read again in every step: the first."""
        read = self.lanes.head_columns - self.lanes.kept_columns
        return list(range(read // self.lanes.head_chunk))

    @property
    def query_pitch(self) -> int:
        """Elements from a query in LDS to the next."""
        return len(self.query_again) * self.lanes.head_chunk + self.lanes.access

    @property
    def key_accesses(self) -> int:
        """Accesses of a key row."""
        return self.lanes.head_dim // self.lanes.access

    @property
    def key_reads(self) -> list[int]:
        """A lane's rows of a step's keys, from 0."""
        return list(range(self.lanes.keys * self.key_accesses // self.lanes.count))

    @property
    def key_starts(self) -> list[int]:
        """From a lane's first key to each of its keys, where these are not neighbours."""
        return [read * (self.lanes.count // self.key_accesses) for read in self.key_reads]

    @property
    def block(self) -> int:
        """Neighbouring keys whose values a lane turns."""
        return self.lanes.keys * self.lanes.value_dim // self.lanes.access // self.lanes.count

    @property
    def column_bytes(self) -> int:
        """Bytes of a column of the values that a lane turns."""
        return 2 * self.block

    @property
    def blocks(self) -> int:
        """Blocks of neighbouring keys in a step."""
        return self.lanes.keys // self.block

    @property
    def neighbours(self) -> int:
        """Pieces of a value, one after the other, that neighbouring lanes bring from memory.

        Eight lanes read at once on NVIDIA, line by line. With 1, where each has a line of its own,
        a causal prompt of 4096 takes 1.17 times as long on an H200. Not measured on AMD.
        """
        return 1 if self.lanes.layout.turned else 4

    @property
    def block_lanes(self) -> int:
        """Lanes that bring neighbouring pieces of the values of all blocks."""
        return self.neighbours * self.blocks

    @property
    def value_reads(self) -> list[int]:
        """Keys whose values a lane turns, from 0."""
        return list(range(self.block))

    @property
    def key_pitch(self) -> int:
        """Elements from a key row in LDS to the next: apart from the banks of the one before."""
        apart = (
            self.lanes.access if self.lanes.layout.turned else self.lanes.access * self.lanes.groups
        )
        return self.lanes.head_dim + apart

    @property
    def value_pitch(self) -> int:
        """Elements from a value column to the next."""
        return self.lanes.keys + self.lanes.access

    @property
    def key_block(self) -> int:
        """Neighbouring keys that a lane brings: those of a page are looked up once.

        Without a table that gains nothing, and with sizes that a call chooses it took a causal
        prompt of 4096 1.07 times as long on an H200. Not measured on AMD.
        """
        is_alone = self.lanes.layout.turned or not self.has_table
        return 1 if is_alone else len(self.key_reads)

    @property
    def value_turns(self) -> list[int]:
        """How far the LDS rows of each tile of value columns are turned.

        In the tiles of a group's next piece, so that neighbouring pieces are placed on banks of
        their own.
        """
        lanes = self.lanes
        if self.neighbours == 1:
            return [0 for _ in lanes.value_tiles]
        return [tile * lanes.own // lanes.access * lanes.own for tile in lanes.value_tiles]
