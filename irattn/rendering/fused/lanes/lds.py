"""What a lane brings from memory to LDS, and where it places it there."""

from dataclasses import dataclass

from irattn.rendering.fused.lanes.lanes import Lanes


@dataclass(frozen=True)
class Lds:
    """A step's keys, by rows, and values, by columns, in the memory that a workgroup shares."""

    lanes: Lanes

    @property
    def places(self) -> list[str]:
        """What is there."""
        return ["key_lds", "value_lds"]

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

    def key_row(self, read: int) -> str:
        """The LDS row of what lane l fetched, so that lanes read one row after the other."""
        key = f"(l floordiv {self.key_accesses} + {read * self.key_rows_apart})"
        return self._row_of(key, self.lanes.key_group)

    def column_row(self, number: int) -> str:
        """The LDS row of one of the value columns that lane l fetched likewise."""
        column = f"(l floordiv {self.blocks} * {self.lanes.access} + {number})"
        return self._row_of(column, self.lanes.value_columns)

    def _row_of(self, x: str, group: int) -> str:
        # Neighbours are a lane's elements of one tile, then those of other groups or other tiles.
        lanes, own, step = self.lanes, self.lanes.own, self.lanes.layout.sum_step
        tile = f"{x} floordiv {lanes.side}" if group == own else f"{x} mod {group} floordiv {own}"
        group_step = own if step == 1 else 1
        of_group = f"{x} floordiv {group} mod {lanes.groups} * {group_step}"
        return f"{tile} * {lanes.side} + {of_group} + {x} mod {own} * {step}"
