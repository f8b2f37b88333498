"""The shapes of a tile's vectors and registers: numbers that follow from it, for templates."""

from dataclasses import dataclass
from itertools import product

from irattn.rendering.attention.blocked_nibbles import PIECE, Nibbles, nibbles_of
from irattn.rendering.attention.blocked_tile import BlockedTile
from irattn.rendering.cache_formats import QuantisedCache

# Registers of a quantised key that are widened at once, by instructions for twice as many halves.
_TURNED = 2

# Products of pairs of 16 bits and their sum in 32, by lanes of sums.
_WHOLE_DOTS = {8: "llvm.x86.avx2.pmadd.wd", 16: "llvm.x86.avx512.pmaddw.d.512"}

# A number from a table in a register, by lanes, where a register has all numbers of 4 bits.
_NUMBER_TABLES = {16: "llvm.x86.avx512.permvar.sf.512"}


@dataclass(frozen=True, kw_only=True)
class BlockedShapes:
    """Numbers of a tile.

    A factor is what a product takes of one row at once: a number in f32, or a pair of bf16.
    """

    # The MLIR element type of a factor; elements as they are given that fill a register of them;
    # and lanes of two registers, one interleaved with the other.
    factor: str
    # The element type of the sums of products, and the instruction that multiplies pairs of whole
    # numbers.
    sum: str
    whole_dot: str
    # The instruction that takes numbers of 4 bits from a register that has all of them.
    number_table: str
    given_lanes: int
    interleaved_lanes: int
    # The last of a tile's heads, counted from 0.
    last_head: int

    # Columns that are kept of a query, where lanes are columns whole registers; elements as they
    # are given in those; whether these are more than a query has, and the last register of head
    # columns is not full.
    query_columns: int
    given_query_columns: int
    cuts_query: bool
    cuts_head: bool
    # Factors of all keys of a step. Columns of a value that are read at once, as products have them
    # and as they are given, and of two side by side; whether the last register is not full.
    key_steps: int
    read_columns: int
    given_columns: int
    neighbour_columns: int
    # Groups of columns that have scales, in those of a value that are read at once, by number.
    value_groups: list[tuple[int, int]]
    cuts_values: bool
    # Whole numbers of 4 bits; None where others are multiplied. Places of a query's row.
    nibbles: Nibbles | None
    query_places: int

    # A block of scores: the registers of its sums by row and column, how many a row has, and where
    # registers begin in what is multiplied by all rows. Where rows are few, a block has so many
    # keys (`scored_keys`) that their scores with its rows fill a register: they are its rows then,
    # and its columns the rows of queries, with `block_lanes` lanes.
    scored_keys: int
    block_lanes: int
    # Products of pairs in a turn, by name: the register of a key, and whether the row is of second
    # bf16. Where a table has the bytes of bf16: the order in which it takes those of a key, and
    # those of two values, two registers of columns at a time; and how two bytes become a number.
    score_dots: list[tuple[str, int, bool]]
    value_dots: list[tuple[str, bool]]
    key_order: list[int]
    value_orders: list[tuple[int, list[int]]]
    # Where both values of a pair lie in memory: the order in which they become pairs, that of the
    # columns of such a row, and the places of columns in it. None where it is theirs.
    pair_order: list[int]
    column_order: list[int]
    column_places: list[int]
    joined_bytes: list[tuple[str, int, list[int]]]
    # Columns of a key that a turn of the loop over them takes, as products have them and as they
    # are given; the turn's registers, with where they begin; and those of each key.
    turn_columns: int
    given_keys: int
    turn_registers: list[tuple[int, int]]
    key_registers: list[tuple[int, int, int]]
    score_registers: int
    score_sums: list[tuple[int, int]]
    score_starts: range
    # The same of a block of weighted values.
    value_registers: int
    value_sums: list[tuple[int, int]]
    value_starts: range
    # Where registers of a row of scores begin; and of its weights as pairs, with the two registers
    # that each is made of.
    step_registers: list[int]
    pair_registers: list[tuple[int, int, int]]


def shapes_of(tile: BlockedTile, cache: QuantisedCache | None = None) -> BlockedShapes:
    """The numbers of a tile, and of how it reads a quantised cache."""
    lanes, at_once = tile.registers.lanes, tile.at_once
    is_cut = tile.key_columns * at_once != tile.head_dim
    keeps_registers = tile.pairs is not None or tile.reads_rows
    query_columns = tile.key_columns if keeps_registers else tile.head_dim
    read_columns = tile.value_columns if tile.places_values else tile.value_block
    scored_keys, block_lanes = lanes // tile.block_rows, tile.block_rows * lanes
    score_rows, score_registers = tile.block_rows, tile.score_block // lanes
    if tile.reads_rows:
        score_rows, score_registers = scored_keys, tile.block_rows
    value_registers = tile.value_block // lanes
    pair_starts = range(0, tile.keys // 2, lanes)
    is_widened = cache is not None and not tile.pairs
    has_turns = is_widened and tile.key_columns % (_TURNED * lanes) == 0
    turns = _TURNED if has_turns else 1
    given_keys, given_columns, value_groups = turns * lanes * at_once, read_columns, []
    nibbles = None
    if cache and cache.is_packed and tile.pairs:
        sizes = (tile.head_dim, tile.value_dim, tile.keys, tile.block_rows, tile.value_block)
        nibbles = nibbles_of(*sizes)
        turns, given_keys, given_columns = PIECE // 2 // lanes, PIECE // 2, PIECE // 2
    elif cache and cache.is_packed:
        turns, given_keys, given_columns = cache.group // lanes, cache.half, cache.half
        # Those that are placed are read a group after the other.
        read_columns = cache.group if tile.places_values else read_columns
        value_groups = list(enumerate(range(0, read_columns, cache.group)))
    is_tabled = cache is not None and tile.pairs == "bf16"
    if is_tabled:
        turns = _TURNED
        given_keys = turns * lanes * at_once
    joins_pairs = tile.reads_rows and tile.pairs and not (is_tabled or nibbles)
    column_order = _column_order(lanes, read_columns) if joins_pairs else []
    turn_registers = [(r, r * lanes) for r in range(turns)]
    row_names = [("", False), ("_rest", True)][: 2 if tile.splits_rows else 1]
    return BlockedShapes(
        factor="i32" if tile.pairs else "f32",
        sum="i32" if tile.pairs == "i16" else "f32",
        whole_dot=_WHOLE_DOTS.get(lanes, ""),
        number_table=_NUMBER_TABLES.get(lanes, ""),
        given_lanes=lanes * at_once,
        interleaved_lanes=2 * lanes,
        last_head=tile.heads - 1,
        query_columns=query_columns,
        given_query_columns=query_columns * at_once,
        cuts_query=is_cut and keeps_registers,
        cuts_head=is_cut,
        key_steps=tile.keys // at_once,
        read_columns=read_columns,
        given_columns=given_columns,
        neighbour_columns=2 * read_columns,
        value_groups=value_groups,
        cuts_values=tile.value_columns != tile.value_dim,
        nibbles=nibbles,
        query_places=nibbles.query_places if nibbles else query_columns,
        scored_keys=scored_keys,
        block_lanes=block_lanes,
        score_dots=[
            (f"_at{start}{name}" if r else name, start, is_rest)
            for r, start in (turn_registers if is_tabled else [(0, 0)])
            for name, is_rest in row_names
        ],
        value_dots=row_names,
        key_order=_key_order(lanes),
        value_orders=_value_orders(lanes, read_columns) if is_tabled else [],
        pair_order=[n for c in column_order for n in (c, c + read_columns)],
        column_order=column_order,
        column_places=[column_order.index(c) for c in range(len(column_order))],
        joined_bytes=_joined_bytes(lanes),
        turn_columns=turns * lanes,
        given_keys=given_keys,
        turn_registers=turn_registers,
        key_registers=[(n, *one) for n in range(scored_keys) for one in turn_registers],
        score_registers=score_registers,
        score_sums=list(product(range(score_rows), range(score_registers))),
        score_starts=range(0, score_registers * lanes, lanes),
        value_registers=value_registers,
        value_sums=list(product(range(tile.value_rows), range(value_registers))),
        value_starts=range(0, tile.value_block, lanes),
        step_registers=list(range(0, tile.keys, lanes)),
        pair_registers=[(start, 2 * n, 2 * n + 1) for n, start in enumerate(pair_starts)],
    )


# A register has four quarters of bytes: instructions that join bytes of two registers take those of
# the first half of each quarter, or of the second half.


def _key_order(lanes: int) -> list[int]:
    """The bytes of two registers of columns, such that each is in halves of quarters."""
    return [
        half * 2 * lanes + lanes // 2 * q + i
        for q, half, i in product(range(4), (0, 1), range(lanes // 2))
    ]


def _value_orders(lanes: int, columns: int) -> list[tuple[int, list[int]]]:
    """The bytes of two values beside one another in the same halves, by where registers begin."""
    quarter = lanes // 4
    return [
        (
            first,
            [
                value * columns + first + lanes * half + quarter * q + i
                for q, half, i, value in product(range(4), (0, 1), range(quarter), (0, 1))
            ],
        )
        for first in range(0, columns, 2 * lanes)
    ]


def _column_order(lanes: int, columns: int) -> list[int]:
    """Columns in pairs of registers, of halves of quarters: where 16 bits are joined within those.

    On Zen 4 instructions that take any 16 bits of two registers keep products waiting, one cycle
    for each pair of values.
    """
    if columns % (2 * lanes):
        return []
    half = lanes // 4
    return [
        first + 2 * half * quarter + half * part + column
        for first in range(0, columns, 2 * lanes)
        for part, quarter, column in product((0, 1), range(4), range(half))
    ]


def _joined_bytes(lanes: int) -> list[tuple[str, int, list[int]]]:
    """Low bytes and high ones beside one another, in two registers: name, register and order."""
    return [
        (
            name,
            half * lanes,
            [
                high * 4 * lanes + lanes * q + lanes // 2 * half + i
                for q, i, high in product(range(4), range(lanes // 2), (0, 1))
            ],
        )
        for half, name in enumerate(("first", "last"))
    ]
