"""Products by panels: columns of quantised weights, which lanes have.

A panel is some columns of a weight along a step of its depth, taken apart once for all rows of
tokens of a workgroup: 32 bits have four numbers of a column, or two in bf16, as many lanes have
their columns. An instruction multiplies them with those of a token and adds them up: whole numbers
exactly, others in f32. Each part of a block is then scaled, whatever the number of rows, so that
bits do not depend on it.
"""

from dataclasses import dataclass
from itertools import product

from irattn.rendering.exact_tokens import ExactTokens
from irattn.rendering.integer_products import RoundedTokens
from irattn.rendering.packed_blocks import LANES, LINE_BYTES, PART_ELEMENTS, PackedBlocks
from irattn.rendering.shared_words import PIECE_BYTES, SharingBlock, sharing_blocks
from irattn.rendering.values import tensor_type

# Lanes of a register, and the registers of columns beside those of rows: 8 whole sums, as many
# real ones and what is multiplied fit 32 registers, and a sum waits for no other.
PANEL_LANES = 16
_GROUPS, _ROWS = 2, 4
# Tokens that share what is taken apart of a weight, which then takes 3 % of the time of what
# multiplies pairs in registers.
_TILE_ROWS = 256
# Words of four bytes that are turned together: a quarter of a register of each column.
_TURNED = 4
_WORD_BYTES = 4
# Parts whose numbers are in the same bytes; one alone in other formats.
_PARTS_TOGETHER = {"q4_k": 2, "q5_k": 2, "q6_k": 4}


@dataclass(frozen=True)
class Panels:
    """How a product of `tokens` by `columns` is made by panels."""

    tokens: RoundedTokens | ExactTokens
    columns: int

    @property
    def exact(self) -> ExactTokens | None:
        """The tokens, where they are multiplied as they are."""
        return self.tokens if isinstance(self.tokens, ExactTokens) else None

    @property
    def word_elements(self) -> int:
        """The numbers of a word."""
        return 2 if self.exact else PART_ELEMENTS // LANES

    @property
    def part_words(self) -> int:
        """The words of a part."""
        return PART_ELEMENTS // self.word_elements

    @property
    def has_halves(self) -> bool:
        """Whether each half of a part has a scale."""
        return self.packed.name == "q6_k"

    @property
    def groups(self) -> range:
        """The registers of columns of a panel."""
        return range(_GROUPS)

    @property
    def width(self) -> int:
        """Columns of a panel."""
        return _GROUPS * PANEL_LANES

    @property
    def ahead(self) -> int:
        """Columns from a panel to the next, which is fetched meanwhile.

        A panel is read in pieces of all its columns, each of which would be waited for.
        """
        return self.width

    @property
    def group_bytes(self) -> int:
        """Bytes of a step of a register's columns."""
        return PANEL_LANES * self.packed.block_bytes

    @property
    def step_bytes(self) -> int:
        """Bytes of a step of a panel."""
        return _GROUPS * self.group_bytes

    @property
    def depth_bytes(self) -> int:
        """Bytes of all steps of a register's columns."""
        depth = int(self.tokens.numbers.shape[1])
        return depth // self.packed.elements * self.group_bytes

    @property
    def share_bytes(self) -> int:
        """Bytes of a block of a register's columns."""
        return PANEL_LANES * self.block_bytes

    @property
    def lines(self) -> range:
        """Where the cache lines of these bytes begin."""
        return range(0, self.share_bytes, LINE_BYTES)

    @property
    def lanes(self) -> range:
        """The columns of a register."""
        return range(PANEL_LANES)

    @property
    def tile_rows(self) -> int:
        """Rows of a workgroup."""
        return _TILE_ROWS

    @property
    def tile_columns(self) -> int:
        """Columns of a workgroup: fewer where few workgroups would be left."""
        return self.width * (2 if self.columns >= 32 * self.width else 1)

    @property
    def rows(self) -> int | str:
        """Tokens of the product, or the value that says how many there are."""
        return self.tokens.numbers.shape[0]

    @property
    def packed(self) -> PackedBlocks:
        """The blocks of a step."""
        return self.tokens.packed

    @property
    def ways(self) -> dict[str, bool]:
        """Whether tokens are multiplied one alone, by what ends the names of a way."""
        if isinstance(self.rows, str):
            return {"_single": True, "_several": False}
        return {"": self.rows == 1}

    @property
    def block_rows(self) -> range:
        """The rows of tokens that are multiplied together."""
        return range(_ROWS if isinstance(self.rows, str) else min(_ROWS, self.rows))

    @property
    def cuts_columns(self) -> bool:
        """Whether the last panel has fewer columns."""
        return self.columns % self.width != 0

    @property
    def sums(self) -> list[tuple[int, int]]:
        """The registers of sums of a block, by row and group."""
        return list(product(self.block_rows, self.groups))

    @property
    def step_sums(self) -> int:
        """Sums of a token in a step."""
        return len(self.packed.parts) * len(self.halves)

    @property
    def halves(self) -> dict[int, range]:
        """The words of a part that have a scale in common."""
        shares = 2 if self.has_halves else 1
        count = self.part_words // shares
        return {half: range(half * count, (half + 1) * count) for half in range(shares)}

    @property
    def numbers(self) -> str:
        """The type of the words of a panel, by word and group."""
        words = len(self.packed.parts) * self.part_words
        return tensor_type((words, _GROUPS, PANEL_LANES), "i32")

    @property
    def scales(self) -> str:
        """The type of a scale for each of its sums, or of what is taken from them."""
        return tensor_type((self.step_sums, _GROUPS, PANEL_LANES), "f32")

    @property
    def blocks(self) -> int:
        """Blocks of a step."""
        return self.packed.count

    @property
    def block_bytes(self) -> int:
        """Bytes of a block."""
        return self.packed.start(1)

    @property
    def block_elements(self) -> int:
        """Elements of a block."""
        return len(self.parts_of_block) * PART_ELEMENTS

    @property
    def words_of_block(self) -> list[tuple[int, int]]:
        """The words of a block, by part and number."""
        return list(product(self.parts_of_block, range(self.part_words)))

    @property
    def parts_of_block(self) -> range:
        """The parts of a block."""
        return range(len(self.packed.parts) // self.blocks)

    @property
    def sharing(self) -> list[SharingBlock]:
        """The blocks of a step whose words are taken as they lie where one token is multiplied."""
        return [] if self.exact else sharing_blocks(self.packed)

    @property
    def blocks_at_once(self) -> int:
        """The blocks that one token is multiplied with in a turn."""
        return len(self.sharing) or 1

    @property
    def last_scale_at_once(self) -> int:
        """The last scale of these blocks."""
        return self.blocks_at_once * len(self.scales_of_block) - 1

    def sum_before(self, part: int) -> str:
        """The sums that the products of a part of those blocks are added to."""
        return f"%more{len(self.halves) * part - 1}" if part else "%so_far"

    def lines_of(self, part: int, word: int) -> list[int]:
        """Lines that are fetched beside a word, of those of a block of a register's columns."""
        words = self.words_of_block
        return _share(list(self.lines), words.index((part, word)), len(words))

    def lines_beside(self, block: SharingBlock, word: int) -> list[int]:
        """Lines that are fetched beside a word of a block, of those of its pieces."""
        count = PANEL_LANES * PIECE_BYTES
        lines = range(block.pieces.start * count, block.pieces.stop * count, LINE_BYTES)
        return _share(list(lines), word, len(block.words))

    @property
    def row_bytes(self) -> int:
        """Bytes of a row of the weight."""
        return self.depth_bytes // PANEL_LANES

    @property
    def parts_together(self) -> list[range]:
        """The parts of a block that are taken apart together, as they have bytes in common."""
        count = _PARTS_TOGETHER.get(self.packed.name, 1)
        firsts = range(0, len(self.parts_of_block), count)
        return [range(first, first + count) for first in firsts]

    def bytes_of_scales(self, parts: range) -> list[tuple[int, int, int]]:
        """Scales of parts that have two each: number, word, and bits to the word's last byte."""
        scales = range(2 * parts.start, 2 * parts.stop)
        return [(scale, *_byte_of_word(scale)) for scale in scales]

    @property
    def upper_halves(self) -> list[int]:
        """The upper halves of the words of two registers, in pairs."""
        words = [word for lane in self.lanes for word in (lane, lane + PANEL_LANES)]
        return [2 * word + 1 for word in words]

    def dots_of(self, part: int) -> list[tuple[int, range, str]]:
        """The sums of a part: their number, the words that each has, and the sums before."""
        first = len(self.halves) * part
        starts = {0: self.sum_before(part)}
        return [
            (first + half, words, starts.get(half, f"%more{first}"))
            for half, words in self.halves.items()
        ]

    @property
    def given_words(self) -> range:
        """The words of a part as they are taken apart, of four bytes."""
        return range(LANES)

    def pair_bytes(self, pair: int) -> list[int]:
        """The bytes that a register of pairs is made of: both bytes of a number are the same."""
        firsts = range(2 * pair, PANEL_LANES * _WORD_BYTES, _WORD_BYTES)
        return [byte for first in firsts for byte in (first, first, first + 1, first + 1)]

    @property
    def scales_of_block(self) -> range:
        """The scales of a block."""
        return range(self.step_sums // self.blocks)

    @property
    def turned(self) -> range:
        """The words that are turned together."""
        return range(_TURNED)

    def each_quarter(self, *numbers: int) -> str:
        """The lanes of two registers that make one: `numbers` of each quarter, 16 for the other."""
        quarters = range(0, PANEL_LANES, _TURNED)
        return ", ".join(str(first + number) for first in quarters for number in numbers)


def _byte_of_word(number: int) -> tuple[int, int]:
    """The word that a byte is in, and how many bits it lies below the word's last byte."""
    word, place = divmod(number, _WORD_BYTES)
    return word, 8 * (_WORD_BYTES - 1 - place)


def _share(lines: list[int], number: int, count: int) -> list[int]:
    """The lines of one of so many equal shares."""
    return lines[number * len(lines) // count : (number + 1) * len(lines) // count]
