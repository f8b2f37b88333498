"""Whole divisions by constants as products, by Granlund and Montgomery (1994)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WholeShare:
    """`number // divisor` of a number from 0 to 2**31 - 1: an upper word, shifted by some bits.

    The word is that of the number times `multiplier`, without signs.
    """

    multiplier: int
    shift: int


def whole_share(divisor: int) -> WholeShare:
    """The product for a divisor of 3 or more that is no power of two.

    The multiplier is `2**(bits + 31) / divisor` and less than 1, so that the product, in parts of
    `2**(bits + 31)`, is too large by less than `2**31 / 2**(bits + 31)`. That is less than
    `1 / divisor`, and a quotient lies at least so far below the next whole number.
    """
    bits = divisor.bit_length()
    return WholeShare(multiplier=-(-(1 << (bits + 31)) // divisor), shift=bits - 1)
