"""Products of bf16 tokens with blocks of quantised weights, whose numbers are bf16 as they are.

Numbers of blocks are whole, of at most 8 bits, and bf16 has as many: pairs of them are multiplied
with pairs of a token's by an instruction, and each part of a block is added up in f32 before it is
scaled. Nothing is rounded, and tokens are read as they lie.
"""

from dataclasses import dataclass

import numpy as np

from irattn.rendering.packed_blocks import PART_ELEMENTS, PackedBlocks
from irattn.rendering.values import Value

# Numbers of 16 bits that a register has, and the bits of f32's mantissa.
_TABLE_NUMBERS, _MANTISSA = 32, 23


@dataclass(frozen=True)
class ExactTokens:
    """Tokens in bf16, `numbers`, for the product that is called `product`."""

    numbers: Value
    packed: PackedBlocks
    product: str

    @property
    def in_pairs(self) -> bool:
        """Whether tokens lie by pairs of parts: never, they are as given."""
        return False

    @property
    def sums(self) -> Value | None:
        """The sums of parts of tokens, less than nothing, which minima are multiplied with."""
        if not self.packed.has_minimum:
            return None
        rows, depth = self.numbers.shape
        name = f"{self.numbers.name}_of_{self.product}_sums"
        return Value(name, (rows, int(depth) // PART_ELEMENTS), "f32")

    @property
    def split(self) -> list[int | str]:
        """The sizes of tokens by the parts of a row and their elements."""
        rows, depth = self.numbers.shape
        return [rows, int(depth) // PART_ELEMENTS, PART_ELEMENTS]

    @property
    def table(self) -> list[int]:
        """The bits of bf16 for each byte, or none where a register does not have as many."""
        count = self.packed.byte + 1
        if count > _TABLE_NUMBERS:
            return []
        bits = [_bits(byte - self._too_much) for byte in range(count)]
        return bits * (_TABLE_NUMBERS // count)

    @property
    def bytes_as_f32(self) -> list[tuple[int, int, float]]:
        """How each of the last two bytes of a word becomes f32, as last bits of a power of two.

        The bits that are kept, those that are changed after, and what the number then is too much.
        """
        sign = 0x80 if self.packed.byte == 0xFF else 0
        return [
            (0xFF << place, (127 + power) << _MANTISSA | sign << place, 2.0**power + self._too_much)
            for place, power in ((0, _MANTISSA), (8, _MANTISSA - 8))
        ]

    @property
    def _too_much(self) -> int:
        """How much each byte has too much; those with signs have it after these are changed."""
        return self.packed.too_much[0]


def _bits(number: int) -> int:
    """The bits of bf16 that a whole number has."""
    return int(np.float32(number).view(np.uint32)) >> 16
