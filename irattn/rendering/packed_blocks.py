"""How kernels of CPUs take the blocks of quantised weights apart.

A block is cut into parts of 32 numbers with a scale each. A part becomes a register of 8 words of 4
bytes, one number each: masked, a byte of all words is a register of whole numbers, as large as its
place in the word makes it, and tokens are as much smaller. So numbers are not moved between lanes,
which takes longer than to multiply them. Bytes have no signs: tokens, times what is too much of
each number, are added up once before, for all rows of the weight.
"""

from dataclasses import dataclass

from irattn.core.weight_formats import weight_format

PART_ELEMENTS = 32
# Lanes of a register, on processors with longer ones too.
LANES = 8
_WORD_BYTES = 4
LINE_BYTES = 64


@dataclass(frozen=True)
class PackedBlocks:
    """Blocks of a format: `byte` is the mask of a number in its byte.

    `too_much` is what the numbers of the four bytes of a word have too much. Where a format
    `has_minimum`, each part has a number that is taken from all of its numbers, instead. A step
    along the depth takes `count` blocks, more than one of a single part each.
    """

    name: str
    byte: int
    too_much: tuple[int, ...]
    has_minimum: bool = False
    count: int = 1
    # Where blocks have the 16 bytes whose low halves come first, then the high ones, and where they
    # have the word of fifth bits; 0 of other formats.
    halves_at: int = 0
    fifths_at: int = 0

    @property
    def elements(self) -> int:
        """Elements of a step."""
        return self.count * weight_format(self.name).elements

    @property
    def block_bytes(self) -> int:
        """Bytes of a step."""
        return self.count * weight_format(self.name).block_bytes

    def start(self, block: int) -> int:
        """Where a block of a step begins."""
        return block * weight_format(self.name).block_bytes

    @property
    def lines(self) -> range:
        """Where the cache lines of a block begin, which are fetched."""
        return range(0, self.block_bytes, LINE_BYTES)

    @property
    def parts(self) -> range:
        """The parts of a step."""
        return range(self.elements // PART_ELEMENTS)

    @property
    def lanes(self) -> int:
        """Words of a part."""
        return LANES

    @property
    def places(self) -> range:
        """The bytes of a word."""
        return range(_WORD_BYTES)

    @property
    def masks(self) -> list[int]:
        """The mask of each byte of a word, as a signed number."""
        masks = [self.byte << 8 * place for place in self.places]
        return [mask - (mask >> 31 << 32) for mask in masks]

    @property
    def byte_mask(self) -> int:
        """The mask of all bytes of a word."""
        return self.byte * 0x01010101

    @property
    def token_scales(self) -> list[float]:
        """How much smaller tokens are, by the place of the byte that they are multiplied with."""
        return [2.0 ** (-8 * place) for place in self.places]

    @property
    def sum_scales(self) -> list[float]:
        """The factors of tokens for what numbers have too much, by place."""
        return [-1.0 if self.has_minimum else -float(number) for number in self.too_much]

    @property
    def has_lanes_of_parts(self) -> bool:
        """Whether the minima of a block, and its scales, are lanes of a register."""
        return self.has_minimum and len(self.parts) == LANES * self.count

    @property
    def block_sums(self) -> int:
        """Sums of tokens that a block has: a register for each part, of minima a lane."""
        return len(self.parts) * (1 if self.has_lanes_of_parts else LANES)

    def starts(self, part: int) -> list[int]:
        """Where the tokens of a part begin in a block, by place."""
        return [part * PART_ELEMENTS + place * LANES for place in self.places]

    def first_sum(self, part: int) -> int:
        """Where the sums of a part's tokens begin in a block."""
        return part * LANES


_BLOCKS = {
    blocks.name: blocks
    for blocks in (
        # The highest byte of a word has its sign.
        PackedBlocks("q8_0", 0xFF, (128, 128, 128, 0)),
        PackedBlocks("q4_0", 0x0F, (8, 8, 8, 8)),
        PackedBlocks("q4_1", 0x0F, (0, 0, 0, 0), has_minimum=True, halves_at=4),
        PackedBlocks("q5_0", 0x1F, (16, 16, 16, 16), halves_at=6, fifths_at=2),
        PackedBlocks("q5_1", 0x1F, (0, 0, 0, 0), has_minimum=True, halves_at=8, fifths_at=4),
        PackedBlocks("q4_k", 0x0F, (0, 0, 0, 0), has_minimum=True),
        PackedBlocks("q5_k", 0x1F, (0, 0, 0, 0), has_minimum=True),
        PackedBlocks("q6_k", 0x3F, (32, 32, 32, 32)),
        PackedBlocks("mxfp4", 0x1F, (16, 16, 16, 16)),
        # Steps of numbers whose scales are apart.
        PackedBlocks("int8_channel", 0xFF, (128, 128, 128, 0)),
        PackedBlocks("fp8_channel", 0xFF, (0, 0, 0, 0)),
        PackedBlocks("fp8_block", 0xFF, (0, 0, 0, 0)),
    )
}


def packed_blocks(name: str) -> PackedBlocks:
    """How blocks of the format of that name are taken apart."""
    return _BLOCKS[name]
