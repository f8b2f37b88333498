"""Formats of quantised weights: in blocks with their scales, or numbers with scales beside them."""

from dataclasses import dataclass

from irattn.core.errors import SpecError, shown


@dataclass(frozen=True)
class WeightFormat:
    """A format by irattn's name: a block format of GGUF files, or one whose scales are apart.

    A row of a weight is blocks of `elements`, each of `block_bytes`, one after the other, as ggml
    lays them out (ggml-common.h). Where scales are apart, the weight has numbers of `dtype`, and a
    scale is that of `scaled` rows and columns; 0 columns are a whole row.
    """

    name: str
    elements: int
    block_bytes: int
    dtype: str = "u8"
    scaled: tuple[int, int] | None = None

    def packed_shape(self, rows: int, columns: int) -> tuple[int, int]:
        """The shape of a weight `[rows, columns]` as it is stored; SpecError for cut blocks."""
        check_columns("columns", columns, self.name)
        return rows, columns if self.scaled else columns // self.elements * self.block_bytes

    def scale_shape(self, rows: int, columns: int) -> tuple[int, ...] | None:
        """The shape of the scales of a weight `[rows, columns]`; None where blocks have them."""
        if self.scaled is None:
            return None
        of_rows, of_columns = self.scaled
        scales = -(-rows // of_rows)
        return (scales, -(-columns // of_columns)) if of_columns else (scales,)


# Lanes share a row in steps of so many elements.
_STEP = 32
_BLOCKS = (
    WeightFormat("q8_0", 32, 34),
    WeightFormat("q4_0", 32, 18),
    WeightFormat("q4_1", 32, 20),
    WeightFormat("q5_0", 32, 22),
    WeightFormat("q5_1", 32, 24),
    WeightFormat("q4_k", 256, 144),
    WeightFormat("q5_k", 256, 176),
    WeightFormat("q6_k", 256, 210),
    WeightFormat("mxfp4", 32, 17),
)
_SCALED = (
    WeightFormat("int8_channel", _STEP, _STEP, "int8", (1, 0)),
    WeightFormat("fp8_channel", _STEP, _STEP, "fp8_e4m3", (1, 0)),
    # DeepSeek-V3's.
    WeightFormat("fp8_block", _STEP, _STEP, "fp8_e4m3", (128, 128)),
)
_TABLE = {entry.name: entry for entry in (*_BLOCKS, *_SCALED)}

# Those in blocks, and those with scales apart.
WEIGHT_FORMATS = tuple(entry.name for entry in _BLOCKS)
SCALED_FORMATS = tuple(entry.name for entry in _SCALED)


def weight_format(name: str) -> WeightFormat:
    """Look up a format by its name (`q8_0`); SpecError where there is none."""
    if not isinstance(name, str) or name not in _TABLE:
        raise SpecError(f"weight_format: expected one of {', '.join(_TABLE)}, got {shown(name)}")
    return _TABLE[name]


def check_columns(name: str, columns: int, packed: str | None) -> None:
    """Refuse an unknown format, and columns, called `name`, that cut a block of it."""
    if packed is None:
        return
    elements, scaled = weight_format(packed).elements, weight_format(packed).scaled
    if columns % elements:
        why = "is read in steps" if scaled else "has blocks"
        raise SpecError(
            f"{name}: {packed} {why} of {elements} elements; expected a multiple of "
            f"{elements}, got {columns}"
        )


def check_scaled_rows(name: str, rows: int, packed: str | None) -> None:
    """Refuse rows, called `name`, of one of several weights where they share a scale."""
    scaled = weight_format(packed).scaled if packed else None
    if scaled and rows % scaled[0]:
        raise SpecError(
            f"{name}: {packed} has a scale for {scaled[0]} rows; where rows of several weights "
            f"are one, expected a multiple of {scaled[0]}, got {rows}"
        )
