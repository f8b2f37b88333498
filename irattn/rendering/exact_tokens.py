"""Products of tokens with blocks of quantised weights, whose numbers are bf16 as they are.

Numbers of blocks are whole, of at most 8 bits, and bf16 has as many: pairs of them are multiplied
with pairs of a token's by an instruction, and each part of a block is added up in f32 before it is
scaled. Nothing is rounded. Tokens in bf16 are read as they lie, and those in f16 are made sums of
two bf16 each, which have all of their bits.
"""

from dataclasses import dataclass

import numpy as np

from irattn.rendering.packed_blocks import PART_ELEMENTS, PackedBlocks
from irattn.rendering.values import Value

# Numbers of 16 bits that a register has; an instruction takes them from two. And the bits of f32's
# mantissa.
_TABLE_NUMBERS, _MANTISSA = 32, 23


@dataclass(frozen=True)
class ExactTokens:
    """The `given` tokens, in bf16 or f16, for the product that is called `product`."""

    given: Value
    packed: PackedBlocks
    product: str

    @property
    def numbers(self) -> Value:
        """The bf16 that are multiplied: tokens, or the first of each."""
        return self._part("first") if self.splits else self.given

    @property
    def rest(self) -> Value | None:
        """The second bf16 of each number; None where one has all bits."""
        return self._part("rest") if self.splits else None

    @property
    def splits(self) -> bool:
        """Whether numbers become sums of two bf16."""
        return self.given.element == "f16"

    @property
    def made(self) -> list[Value]:
        """The values that products read besides `numbers`."""
        return [one for one in (self.rest, self.sums) if one]

    def _part(self, which: str) -> Value:
        return Value(f"{self.given.name}_of_{self.product}_{which}", self.given.shape, "bf16")

    @property
    def sums(self) -> Value | None:
        """The sums of parts of tokens, less than nothing, which minima are multiplied with."""
        if not self.packed.has_minimum:
            return None
        rows, depth = self.given.shape
        name = f"{self.given.name}_of_{self.product}_sums"
        return Value(name, (rows, int(depth) // PART_ELEMENTS), "f32")

    @property
    def split(self) -> list[int | str]:
        """The sizes of tokens by the parts of a row and their elements."""
        rows, depth = self.given.shape
        return [rows, int(depth) // PART_ELEMENTS, PART_ELEMENTS]

    @property
    def table(self) -> list[list[int]]:
        """The bits of bf16 for each byte by register, or none where two do not have as many."""
        count = self.packed.byte + 1
        if count > 2 * _TABLE_NUMBERS:
            return []
        bits = [_bits(byte - self._too_much) for byte in range(count)] * -(-_TABLE_NUMBERS // count)
        return [
            bits[start : start + _TABLE_NUMBERS] for start in range(0, len(bits), _TABLE_NUMBERS)
        ]

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


def _bits(number: float) -> int:
    """The bits of bf16 that a number has."""
    return int(np.float32(number).view(np.uint32)) >> 16
