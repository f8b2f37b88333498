"""Weights of whole numbers in words of 32 bits, as a config's `quantization_config` states them."""

from dataclasses import dataclass

import numpy as np

_WORD = 32
# Columns of a block of a GGUF format, which has a scale of its own.
_BLOCK = 32
_FORMATS = {4: "q4_0", 8: "q8_0"}


@dataclass(frozen=True)
class WordWeights:
    """Whole numbers of `bits` bits in words of 32, as `maker` lays them out.

    A weight is its number less a zero point, times a scale. Both are those of a row and of a group
    of `group` columns, of all where it is None. Without `has_zeros` zero points are the middle of
    the numbers. Columns of a group follow one another, or stand where `has_order` says it. Files
    have zero points less `zero_step`.
    """

    maker: str
    bits: int
    group: int | None
    has_zeros: bool = False
    has_order: bool = False
    zero_step: int = 0

    @property
    def middle(self) -> int:
        """The zero point of weights that are symmetric."""
        return 1 << (self.bits - 1)

    @property
    def numbers_of_word(self) -> int:
        """The numbers that a word has."""
        return _WORD // self.bits

    def groups_in_order(self, columns: int) -> np.ndarray:
        """The group of each of so many columns, where those of a group follow one another."""
        return np.arange(columns) // (self.group or columns)

    def num_groups(self, columns: int) -> int:
        """The groups of so many columns."""
        return -(-columns // (self.group or columns))

    @property
    def format(self) -> str:
        """The GGUF format whose blocks are these numbers, where `misfit` names nothing."""
        return _FORMATS[self.bits]

    @property
    def misfit(self) -> str:
        """The word for what blocks of a GGUF format lack; empty where weights are such blocks."""
        if self.has_zeros:
            return "zero points"
        if self.has_order:
            return "groups of columns in an order of their own"
        return f"groups of {self.group} columns" if self.group and self.group % _BLOCK else ""
