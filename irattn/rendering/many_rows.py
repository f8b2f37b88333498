"""How CPUs multiply many rows in f32, each sum with the bits that it has among few."""

from dataclasses import dataclass

from irattn.rendering.cpu.registers import Registers

# Fewer rows are not worth it.
_LEAST_ROWS = 32
# One Zen 4 core, GFLOP/s of the loop over rows of 8 KiB, as they lie, and a line further apart; the
# last with parts of 512 of the depth, and 1024 (peak 117):
#   4 x 4, AVX-512   82  89 103 101
#   6 x 4, AVX-512   80 108  99  99
#   3 x 4, AVX2      85  89 101  97
# Rows that are a multiple of a quarter of a way of the first cache (4 KiB) apart share few places.
_QUARTER_WAY, _LINE = 256, 16
# Blocks beside those of few rows, columns by rows, and the part of the depth, by lanes.
_WAYS: dict[int, tuple[dict[int, int], int | None]] = {16: ({6: 4}, None), 8: ({}, 512)}
# Of the rows of whole blocks, so many must be there.
_SHARE = (16, 17)


@dataclass(frozen=True)
class ManyRows:
    """Blocks of so many columns by rows, beside those of few rows.

    Of several parts of the depth, `depth_part` long where depths are cut, all rows take one before
    the next: a block's rows of the weight stay in the first cache. Rows of tokens lie `apart`
    elements further than they are long.
    """

    blocks: dict[int, int]
    depth_part: int | None
    apart: int


def many_rows(registers: Registers, element: str, rows: int | str, depth: int) -> ManyRows | None:
    """How so many rows are multiplied; None: as few are."""
    known = _WAYS.get(registers.lanes)
    if known is None or element != "f32" or isinstance(rows, str) or rows < _LEAST_ROWS:
        return None
    blocks, part = known
    return ManyRows(
        blocks={block: columns for block, columns in blocks.items() if _fills(block, rows)},
        depth_part=part,
        apart=_LINE if depth % _QUARTER_WAY == 0 else 0,
    )


def _fills(block: int, rows: int) -> bool:
    """Whether blocks of so many rows leave few of them empty."""
    least, of = _SHARE
    return -(-rows // block) * block * least <= rows * of
