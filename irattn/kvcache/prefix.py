"""Blocks by the tokens that they hold and all tokens before them."""

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from irattn.core.errors import ArgumentError, shown

_MOST_ID = 2**63 - 1


class PrefixHashes:
    """The hashes of a sequence's full blocks, each of its tokens and of the hash before it.

    Equal hashes mean equal tokens from the first one on: 256 bits are not met by chance, nor on
    purpose.
    """

    def __init__(self, block_size: int) -> None:
        self.block_size = block_size
        self.of_blocks: list[bytes] = []
        self._rest = np.empty(0, np.int64)

    def add(self, tokens: Sequence[int] | np.ndarray) -> None:
        """The next tokens of the sequence; ArgumentError for anything but whole numbers."""
        pending = np.concatenate([self._rest, token_ids(tokens)])
        full = len(pending) // self.block_size * self.block_size
        for block in pending[:full].reshape(-1, self.block_size):
            before = self.of_blocks[-1] if self.of_blocks else b""
            self.of_blocks.append(blake2b(before + block.tobytes(), digest_size=32).digest())
        self._rest = pending[full:]

    @property
    def num_tokens(self) -> int:
        """The number of tokens that are known."""
        return len(self.of_blocks) * self.block_size + len(self._rest)

    def copy(self) -> "PrefixHashes":
        """Hashes that go on by themselves."""
        other = PrefixHashes(self.block_size)
        other.of_blocks, other._rest = self.of_blocks.copy(), self._rest
        return other


def token_ids(tokens: Sequence[int] | np.ndarray) -> np.ndarray:
    """Ids as int64 `[tokens]`; ArgumentError for anything but whole numbers."""
    try:
        ids = np.asarray(tokens)
    except (ValueError, TypeError) as error:
        # What NumPy raises for lists of lists of different lengths, and for what refuses to be one.
        raise ArgumentError(f"tokens: expected a list of token ids, got {shown(tokens)}") from error
    if ids.ndim != 1 or (ids.size and ids.dtype.kind not in "iu"):
        raise ArgumentError(
            f"tokens: expected a list of token ids, got {ids.dtype} {list(ids.shape)}"
        )
    if ids.size and int(ids.max()) > _MOST_ID:
        raise ArgumentError(f"tokens: expected token ids of at most 2**63 - 1, got {ids.max()}")
    return ids.astype(np.int64)


class PrefixIndex:
    """Finds a block by its hash, and the block whose last user left it longest ago."""

    def __init__(self) -> None:
        self._blocks: dict[bytes, int] = {}
        self._hashes: dict[int, bytes] = {}
        self._idle: OrderedDict[int, None] = OrderedDict()

    def __contains__(self, block: int) -> bool:
        return block in self._hashes

    @property
    def num_idle(self) -> int:
        """Blocks that are here and that no sequence uses."""
        return len(self._idle)

    def find(self, block_hash: bytes) -> int | None:
        """The block with this hash; None where there is none."""
        return self._blocks.get(block_hash)

    def add(self, block_hash: bytes, block: int) -> None:
        """A block that a sequence uses, under a hash that is not here."""
        self._blocks[block_hash] = block
        self._hashes[block] = block_hash

    def set_idle(self, block: int) -> None:
        """No sequence uses the block any more."""
        self._idle[block] = None

    def set_used(self, block: int) -> None:
        """A sequence uses the block."""
        self._idle.pop(block, None)

    def pop_oldest(self) -> int:
        """Forget the idle block that was left longest ago."""
        block, _ = self._idle.popitem(last=False)
        del self._blocks[self._hashes.pop(block)]
        return block
