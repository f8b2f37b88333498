"""How products of few rows with many tokens, summed over these, are cut up on GPUs.

IREE 3.13.0 makes no matrix instructions of so few rows, but lanes sum 32 tokens of 16 columns at
once: LLVM took minutes of these in bf16 on RDNA (columns a multiple of 16 that is none of 64).
"""

import math
from dataclasses import dataclass

from irattn.targets import Target

_MOST_ROWS, _TOKENS, _COLUMNS = 4, 8, 4


@dataclass(frozen=True)
class FewRowsTile:
    """How lanes share the product, one number for each of its dimensions (0: not cut).

    A lane has `of_lane` of the workgroup's elements, and sums up `step` at once.
    """

    workgroup: list[int]
    of_lane: list[int]
    step: list[int]
    workgroup_size: int
    wave_size: int


def few_rows_tile(
    heads: int, rows: int, columns: int, tokens: int, target: Target
) -> FewRowsTile | None:
    """The tile of a product of `rows` by `columns` of each head, summed over tokens.

    None leaves it to the compiler: other rows, tokens in no whole steps, and what has a dimension
    of size 1, which it takes away, and the tile with it.
    """
    wave = target.wave_size
    if wave is None or heads == 1 or not 1 < rows <= _MOST_ROWS or tokens % _TOKENS:
        return None
    of_lane = math.gcd(columns, _COLUMNS)
    lanes = rows * columns // of_lane
    return FewRowsTile(
        workgroup=[1, rows, columns, 0],
        of_lane=[1, 1, of_lane, 0],
        step=[0, 0, 0, _TOKENS],
        workgroup_size=-(-lanes // wave) * wave,
        wave_size=wave,
    )
