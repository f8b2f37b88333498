"""How a register for each of some rows becomes one number for each row."""

from dataclasses import dataclass

from irattn.rendering.values import vector_type


@dataclass(frozen=True)
class Across:
    """Powers of two of rows and lanes; `name` is what types are named after."""

    name: str
    rows: int
    lanes: int

    @property
    def halved_rows(self) -> list[int]:
        """Registers that are left when two become one; and again, until all rows are in one."""
        most = min(self.rows, self.lanes).bit_length() - 1
        return [self.rows >> halvings for halvings in range(1, most + 1)]

    @property
    def halved_turns(self) -> list[int]:
        """Lanes that are left of a register in which rows take several turns, down to one."""
        turns = self.lanes // self.rows
        return [self.lanes >> halvings for halvings in range(1, turns.bit_length())]

    @property
    def types(self) -> dict[str, str]:
        """The vectors on the way, by name."""
        types = {
            f"{self.name}_numbers": vector_type((self.rows,), "f32"),
            f"{self.name}_rows0": vector_type((self.rows, self.lanes), "f32"),
        }
        for number, half in enumerate(self.halved_rows, 1):
            types[f"{self.name}_rows{number}"] = vector_type((half, self.lanes), "f32")
            types[f"{self.name}_pairs{number}"] = vector_type((half, 2 * self.lanes), "f32")
        left = self.halved_rows[-1] if self.halved_rows else self.rows
        types[f"{self.name}_turned"] = vector_type((self.lanes, left), "f32")
        for number, turns in enumerate((self.lanes, *self.halved_turns[:-1])):
            types[f"{self.name}_turns{number}"] = vector_type((turns,), "f32")
        return types
