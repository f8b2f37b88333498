"""Formats of quantised weights: how many elements a block has, and how many bytes."""

from dataclasses import dataclass

from irattn.core.errors import SpecError, shown


@dataclass(frozen=True)
class WeightFormat:
    """One block format of GGUF files, by irattn's name.

    A row of a weight is blocks of `elements`, each of `block_bytes`, one after the other, as ggml
    lays them out (ggml-common.h).
    """

    name: str
    elements: int
    block_bytes: int

    def packed_shape(self, rows: int, columns: int) -> tuple[int, int]:
        """The shape in bytes of a weight `[rows, columns]`; SpecError where a block is cut."""
        check_columns("columns", columns, self.name)
        return rows, columns // self.elements * self.block_bytes


_TABLE = {
    entry.name: entry
    for entry in (
        WeightFormat("q8_0", 32, 34),
        WeightFormat("q4_0", 32, 18),
        WeightFormat("q4_k", 256, 144),
        WeightFormat("q5_k", 256, 176),
        WeightFormat("q6_k", 256, 210),
        WeightFormat("mxfp4", 32, 17),
    )
}

WEIGHT_FORMATS = tuple(_TABLE)


def weight_format(name: str) -> WeightFormat:
    """Look up a format by its name (`q8_0`); SpecError where there is none."""
    if not isinstance(name, str) or name not in _TABLE:
        raise SpecError(f"weight_format: expected one of {', '.join(_TABLE)}, got {shown(name)}")
    return _TABLE[name]


def check_columns(name: str, columns: int, packed: str | None) -> None:
    """Refuse an unknown format, and columns, called `name`, that cut a block of it."""
    if packed is None:
        return
    elements = weight_format(packed).elements
    if columns % elements:
        raise SpecError(
            f"{name}: {packed} has blocks of {elements} elements; expected a multiple of "
            f"{elements}, got {columns}"
        )
