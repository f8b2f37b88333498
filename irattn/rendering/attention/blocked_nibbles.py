"""How few rows multiply numbers of 4 bits as whole ones: the orders in which registers have them.

A register has 64 bytes of a key or value: a piece of 128 columns, whose four groups are its four
quarters. Each word of 16 bits has four numbers: shifted by `4 * k` and masked, the register becomes
four registers of words with one number each, which is 8 too large.
"""

from dataclasses import dataclass
from itertools import product

from irattn.specs.cache_elements import GROUP

# Lanes of 32 bits in a register, its quarters, and the numbers in a word.
_LANES = 16
_QUARTERS = 4
_IN_WORD = 4
_LESS = 8

# Columns of a register of bytes.
PIECE = _QUARTERS * GROUP

# Added to so large a number of f32, others are rounded to whole ones in its lowest bits.
_ROUNDER_BITS = 0x4B400000

_Places = list[tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class Quad:
    """Four registers of sums as one, by number, whose lanes are of these keys in each quarter."""

    name: str
    sums: list[int]
    keys: list[int]
    type: str = "!lanes_f32"


@dataclass(frozen=True, kw_only=True)
class ValuePiece:
    """A piece of a value: its first group, and where it begins among scales, weights and factors.

    `begin` is the place of what its sums begin with.
    """

    number: int
    group: int
    scales: int
    weights: int
    begin: int
    factors: int


@dataclass(frozen=True, kw_only=True)
class Nibbles:
    """Orders and places of the products of int4 as whole numbers.

    A query has its columns as pairs in `query_order`, by piece and shift, and then for each piece
    the register that sums of its products begin with, as numbers are 8 too large: pieces, by where
    that is and where the pairs that it is made of begin.
    """

    query_places: int
    query_order: list[int]
    offsets: list[tuple[int, list[int]]]
    shifts: list[tuple[int, int]]

    # Four registers of sums become one, a quad, which has four of them for each group, and
    # four quads become one. Each time two registers are joined in two ways and added.
    quads: list[Quad]
    neighbours: dict[str, list[int]]
    pairs: dict[str, list[int]]
    halves: dict[str, list[int]]
    quarters: dict[str, list[int]]

    # Values: a block of sums has registers by shift and half of the words of two values, which are
    # joined; and where the columns of a row are in its sums.
    value_registers: list[tuple[int, int, int]]
    value_shifts: list[int]
    joined_words: list[list[int]]
    column_order: list[int]

    # Weights of a step: numbers of the four groups of a piece; halves of them, until each group has
    # one; and the key and the group of each, those of even keys before those of odd ones. A row has
    # for each piece its pairs and the register that sums begin with: `too_much` is in eight times
    # the sum of the bits of its rounded numbers.
    weights: int
    weight_pairs: int
    halved_weights: list[int]
    weight_keys: list[int]
    weight_groups: list[int]
    too_much: int
    # The group of each lane of a register.
    in_quarters: list[int]
    value_pieces: list[ValuePiece]
    kept_scales: list[tuple[int, ValuePiece, int]]
    weight_row: int
    weight_places: int
    factor_places: int
    scale_places: int


def nibbles_of(head_dim: int, value_dim: int, keys: int, rows: int, value_block: int) -> Nibbles:
    """The orders for heads of so many columns, steps of so many keys and blocks of sums."""
    pieces, value_pieces = range(head_dim // PIECE), range(value_dim // PIECE)
    piece_pairs, weights = PIECE // 2, keys * _QUARTERS
    row = weights // 2 + _LANES
    registers = range(value_block // _LANES)
    parts = [_value_piece(piece, weights) for piece in value_pieces]
    return Nibbles(
        query_places=len(pieces) * (piece_pairs + _LANES),
        query_order=[column for piece in pieces for column in _query_order(piece)],
        offsets=[
            (
                len(pieces) * piece_pairs + piece * _LANES,
                list(range(piece * piece_pairs, (piece + 1) * piece_pairs, _LANES)),
            )
            for piece in pieces
        ],
        shifts=[(k * _LANES, 4 * k) for k in range(_IN_WORD)],
        quads=[_quad(q, rows) for q in range(_QUARTERS)],
        neighbours=_in_quarters([(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 2), (1, 2), (0, 3), (1, 3)]),
        pairs=_in_quarters([(0, 0), (0, 1), (1, 0), (1, 1)], [(0, 2), (0, 3), (1, 2), (1, 3)]),
        halves=_of_quarters([(0, 0), (0, 1), (1, 0), (1, 1)], [(0, 2), (0, 3), (1, 2), (1, 3)]),
        quarters=_of_quarters([(0, 0), (0, 2), (1, 0), (1, 2)], [(0, 1), (0, 3), (1, 1), (1, 3)]),
        value_registers=[(_LANES * r, r // 2 * 4, r % 2) for r in registers],
        value_shifts=[4 * k for k in range(len(registers) // 2)],
        joined_words=[
            [
                32 * value + 8 * q + 4 * half + i
                for q, i, value in product(range(_QUARTERS), range(4), (0, 1))
            ]
            for half in (0, 1)
        ],
        column_order=[place for piece in value_pieces for place in _column_order(piece)],
        weights=weights,
        weight_pairs=weights // 2,
        halved_weights=[weights >> n for n in range(1, keys.bit_length())],
        weight_keys=[
            2 * pair + odd for odd in (0, 1) for pair in range(keys // 2) for _ in range(4)
        ],
        weight_groups=[group for _ in range(keys) for group in range(_QUARTERS)],
        too_much=_signed(_LESS * keys * _ROUNDER_BITS),
        in_quarters=[lane // 4 for lane in range(_LANES)],
        value_pieces=parts,
        kept_scales=[
            (n, piece, piece.scales + n // 2 * _QUARTERS + n % 2 * (weights // 2))
            for n, piece in product(range(_LANES // rows), parts)
        ],
        weight_row=row,
        weight_places=len(value_pieces) * row,
        factor_places=len(value_pieces) * _LANES,
        scale_places=len(value_pieces) * weights,
    )


def _quad(number: int, rows: int) -> Quad:
    """The quad of four sums in the order of keys and then of so many rows."""
    sums = [4 * number + lane for lane in range(4)]
    return Quad(name=f"%quad{number}", sums=sums, keys=[one // rows for one in sums])


def _value_piece(number: int, weights: int) -> ValuePiece:
    """The piece of that number, of which a step has so many weights."""
    first = number * (weights // 2 + _LANES)
    return ValuePiece(
        number=number,
        group=number * _QUARTERS,
        scales=number * weights,
        weights=first,
        begin=first + weights // 2,
        factors=number * _LANES,
    )


def _query_order(piece: int) -> list[int]:
    """The columns that words of a piece have, shift by shift."""
    order = []
    for k, word in product(range(_IN_WORD), range(2 * _LANES)):
        group, byte = divmod(2 * word + k // 2, GROUP // 2)
        order.append(piece * PIECE + group * GROUP + k % 2 * (GROUP // 2) + byte)
    return order


def _column_order(piece: int) -> list[int]:
    """Where the columns of a piece are among sums: by shift, half of the words, and lane."""
    order = []
    for group, upper, byte in product(range(_QUARTERS), (0, 1), range(GROUP // 2)):
        half, word = divmod(byte // 2, 4)
        k = upper + 2 * (byte % 2)
        order.append(piece * PIECE + (2 * k + half) * _LANES + 4 * group + word)
    return order


def _in_quarters(low: _Places, high: _Places) -> dict[str, list[int]]:
    """Two ways to join two registers: in each quarter, lanes of it by register."""
    return {
        name: [_LANES * one + 4 * q + lane for q in range(_QUARTERS) for one, lane in places]
        for name, places in (("low", low), ("high", high))
    }


def _of_quarters(low: _Places, high: _Places) -> dict[str, list[int]]:
    """Two ways to join two registers, of whole quarters."""
    return {
        name: [_LANES * one + 4 * q + lane for one, q in places for lane in range(4)]
        for name, places in (("low", low), ("high", high))
    }


def _signed(number: int) -> int:
    """The number of 32 bits with a sign that has the same bits."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)
