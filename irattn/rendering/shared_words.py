"""Words of a step of Q4_0's blocks, which are no whole words themselves.

A block has a scale of two bytes before its numbers. Of two blocks, a word begins with the last
numbers of one and ends with the scale of the next. Taken as they lie, words bring scales along, and
what is no number of a block is zero when it is multiplied. One Zen 4 core takes 0.28 ms for 4096 x
4096 in cold memory, 0.36 where scales are gathered. Of Q8_0 it takes longer so, 0.70 and 0.60.
"""

from dataclasses import dataclass

from irattn.rendering.packed_blocks import PART_ELEMENTS, PackedBlocks

_WORD_BYTES, _SCALE_BYTES = 4, 2
# Bytes of a column that are turned together.
PIECE_BYTES = 16
_PIECE_WORDS = PIECE_BYTES // _WORD_BYTES


@dataclass(frozen=True)
class NumberWord:
    """Numbers of a block: a word moved `down` some bits, of which those of a mask are kept.

    Tokens from `token` on, in a step, are multiplied with them.
    """

    word: int
    down: int
    mask: int
    token: int

    @property
    def place(self) -> str:
        """The piece that has the word, and its number there."""
        return _place_of_word(self.word)


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
    def end(self) -> int:
        """The byte behind the last one."""
        return self.packed.start(self.part + 1)

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
        return range(-(-self.begin // PIECE_BYTES), -(-self.end // PIECE_BYTES))

    @property
    def words(self) -> list[NumberWord]:
        """The words of numbers, each of low halves of bytes and of high ones."""
        first = self.begin + _SCALE_BYTES
        words = range(first // _WORD_BYTES, -(-self.end // _WORD_BYTES))
        return [made for word in words for made in self._of_word(word, first)]

    def _of_word(self, word: int, first: int) -> list[NumberWord]:
        """The numbers of a word, of bytes from `first` on."""
        begin = max(first, word * _WORD_BYTES)
        count = min(self.end, (word + 1) * _WORD_BYTES) - begin
        down = 8 * (begin - word * _WORD_BYTES)
        mask = 0x0F0F0F0F >> 8 * (_WORD_BYTES - count)
        token = self.part * PART_ELEMENTS + begin - first
        return [
            NumberWord(word, down + 4 * half, mask, token + PART_ELEMENTS // 2 * half)
            for half in range(2)
        ]


def sharing_blocks(packed: PackedBlocks) -> list[SharingBlock]:
    """The blocks of a step, or none where they share no words, or pieces are not whole."""
    if packed.name != "q4_0" or packed.block_bytes % PIECE_BYTES:
        return []
    return [SharingBlock(packed, part) for part in packed.parts]


def _place_of_word(word: int) -> str:
    """The piece that has a word of a step, and the word's number in it."""
    return "{}_{}".format(*divmod(word, _PIECE_WORDS))
