"""Words of a step of blocks that are no whole words themselves.

A block of Q8_0 or Q4_0 has a scale of two bytes before its numbers. Of two blocks, a word begins
with the last numbers of one and ends with the scale of the next. Taken as they lie, words bring
scales along, and what is no number of a block is zero when it is multiplied.
"""

from dataclasses import dataclass

from irattn.rendering.packed_blocks import PART_ELEMENTS, PackedBlocks

_WORD_BYTES, _SCALE_BYTES, _WORD_BITS = 4, 2, 32
# Bytes of a column that are turned together.
PIECE_BYTES = 16
_PIECE_WORDS = PIECE_BYTES // _WORD_BYTES


@dataclass(frozen=True)
class NumberWord:
    """Numbers of a block: a word moved `down` some bits, of which a mask is kept.

    Tokens from `token` on, in a step, are multiplied with them.
    """

    word: int
    down: int
    kept: int
    changed: int
    token: int

    @property
    def place(self) -> str:
        """The piece that has the word, and its number there."""
        return _place_of_word(self.word)

    @property
    def mask(self) -> int:
        """The bits that are kept, as a signed number."""
        return _signed(self.kept)

    @property
    def signs(self) -> int:
        """The bits that are changed after, as a signed number."""
        return _signed(self.changed)


@dataclass(frozen=True)
class SharingBlock:
    """A block of a step, which is its part of that number."""

    packed: PackedBlocks
    part: int

    @property
    def begin(self) -> int:
        """The first byte, of the scale."""
        return self.packed.start(self.part)

    @property
    def scale_place(self) -> str:
        """The piece that has the scale's word, and the word's number there."""
        return _place_of_word(self.begin // _WORD_BYTES)

    @property
    def scale_down(self) -> int:
        """How many bits the scale is moved down."""
        return 8 * (self.begin % _WORD_BYTES)

    @property
    def pieces(self) -> range:
        """The pieces of a column that no block before has begun."""
        end = self.packed.start(self.part + 1)
        return range(-(-self.begin // PIECE_BYTES), -(-end // PIECE_BYTES))

    @property
    def words(self) -> list[NumberWord]:
        """The words of numbers."""
        first, end = self.begin + _SCALE_BYTES, self.packed.start(self.part + 1)
        words = range(first // _WORD_BYTES, -(-end // _WORD_BYTES))
        return [made for word in words for made in self._of_word(word, first, end)]

    def _of_word(self, word: int, first: int, end: int) -> list[NumberWord]:
        """The numbers of a word, of bytes from `first` to `end`: two of a byte in Q4_0."""
        begin = max(first, word * _WORD_BYTES)
        count = min(end, (word + 1) * _WORD_BYTES) - begin
        down, place = 8 * (begin - word * _WORD_BYTES), begin - first
        token = self.part * PART_ELEMENTS + place
        ones = 0x01010101 >> 8 * (_WORD_BYTES - count)
        if self.packed.name == "q8_0":
            return [NumberWord(word, down, 0xFF * ones, 0x80 * ones, token)]
        return [
            NumberWord(word, down + 4 * half, 0x0F * ones, 0, token + PART_ELEMENTS // 2 * half)
            for half in range(2)
        ]


def sharing_blocks(packed: PackedBlocks) -> list[SharingBlock]:
    """The blocks of a step, or none where they have whole words or a step has no whole pieces."""
    if packed.name not in ("q8_0", "q4_0") or packed.block_bytes % PIECE_BYTES:
        return []
    return [SharingBlock(packed, part) for part in packed.parts]


def _place_of_word(word: int) -> str:
    """The piece that has a word of a step, and the word's number in it."""
    return "{}_{}".format(*divmod(word, _PIECE_WORDS))


def _signed(bits: int) -> int:
    return bits - (bits >> _WORD_BITS - 1 << _WORD_BITS)
