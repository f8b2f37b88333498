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
    def places(self) -> list[str]:
        """What is there."""
        return [*(["query_lds"] if self.query_again else []), "key_lds", "value_lds"]

    @property
    def keys_at(self) -> int:
        """The place of the keys that lanes have fetched in what steps hand on."""
        return self.lanes.carried

    @property
    def values_at(self) -> int:
        """The place of the values, the last one."""
        return self.keys_at + 1

    @property
    def carried(self) -> int:
        """How much steps hand on."""
        return self.values_at + 1

    @property
    def bytes(self) -> int:
        """What it takes."""
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
        """Its rows of a step's keys, from 0."""
        return list(range(self.lanes.keys * self.key_accesses // self.lanes.count))

    @property
    def key_rows_apart(self) -> int:
        """From one of these rows to the next."""
        return self.lanes.count // self.key_accesses

    @property
    def block(self) -> int:
        """Neighbouring keys whose values it turns."""
        return self.lanes.keys * self.lanes.value_dim // self.lanes.access // self.lanes.count

    @property
    def blocks(self) -> int:
        """Such blocks of keys in a step."""
        return self.lanes.keys // self.block

    @property
    def neighbours(self) -> int:
        """Pieces of a value, one after the other, that neighbouring lanes bring from memory.

        Eight lanes read at once on NVIDIA, line by line. With 1, where each has a line of its own,
        a causal prompt of 4096 takes 1.17 times as long on an H200. Not measured on AMD.
        """
        return 1 if self.lanes.layout.turned else 4

    @property
    def value_block(self) -> str:
        """The block of keys whose values lane l brings."""
        if self.neighbours == 1:
            return f"l mod {self.blocks}"
        return f"l floordiv {self.neighbours} mod {self.blocks}"

    @property
    def value_piece(self) -> str:
        """The piece of each of these values."""
        if self.neighbours == 1:
            return f"l floordiv {self.blocks}"
        n = self.neighbours
        return f"(l floordiv {n * self.blocks} * {n} + l mod {n})"

    @property
    def value_reads(self) -> list[int]:
        """These keys, from 0."""
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

    def key(self, read: int) -> str:
        """The key that lane l brings."""
        own = f"l floordiv {self.key_accesses}"
        if self.key_block == 1:
            return f"{read * self.key_rows_apart} + {own}"
        return f"{own} * {self.key_block} + {read}"

    def key_row(self, read: int) -> str:
        """The LDS row of what lane l fetched, so that lanes read one row after the other."""
        key = f"({self.key(read)})"
        if self.key_block == 1:
            key = f"(l floordiv {self.key_accesses} + {read * self.key_rows_apart})"
        return self._row_of(key, self.lanes.key_group)

    def column_row(self, number: int) -> str:
        """The LDS row of one of the value columns that lane l fetched likewise."""
        column = f"({self.value_piece} * {self.lanes.access} + {number})"
        piece = f"{column} mod {self.lanes.value_columns} floordiv {self.lanes.access}"
        turn = "" if self.neighbours == 1 else f"{piece} * {self.lanes.own}"
        return self._row_of(column, self.lanes.value_columns, turn)

    def value_row(self, tile: int) -> str:
        """The LDS row of the value column of index i in a tile.

        In the tiles of a group's next piece rows are turned, so that neighbouring pieces are placed
        on banks of their own.
        """
        lanes = self.lanes
        if self.neighbours == 1:
            return f"i + {tile * lanes.side}"
        piece = tile * lanes.own // lanes.access
        return f"(i + {piece * lanes.own}) mod {lanes.side} + {tile * lanes.side}"

    def _row_of(self, x: str, group: int, turn: str = "") -> str:
        # Neighbours are a lane's elements of one tile, then those of other groups or other tiles.
        lanes, own, step = self.lanes, self.lanes.own, self.lanes.layout.sum_step
        tile = f"{x} floordiv {lanes.side}" if group == own else f"{x} mod {group} floordiv {own}"
        group_step = own if step == 1 else 1
        of_group = f"{x} floordiv {group} mod {lanes.groups} * {group_step}"
        within = f"{of_group} + {x} mod {own} * {step}"
        if turn:
            within = f"({within} + {turn}) mod {lanes.side}"
        return f"{tile} * {lanes.side} + {within}"
