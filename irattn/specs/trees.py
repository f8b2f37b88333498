"""Trees of drafted tokens: which tokens each follows, as bits."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from irattn.core.errors import SpecError

WORD_BITS = 32


def paths_to_root(parents: Sequence[int]) -> list[int]:
    """For each token of a tree, as bits, itself and those before it on its way to the root.

    `parents` tell for each the one that it follows, a number below its own, or -1 for none;
    SpecError where they do not.
    """
    paths: list[int] = []
    for token, parent in enumerate(parents):
        if not -1 <= parent < token:
            raise SpecError(
                f"parents: expected for each token a number from -1 to less than its own, got "
                f"{parent} for token {token}"
            )
        paths.append(1 << token | (paths[parent] if parent >= 0 else 0))
    return paths


def as_words(paths: Sequence[int], count: int) -> np.ndarray:
    """Bits as so many words each, the lowest first: int32 `[tokens, count]`."""
    words = [[path >> WORD_BITS * n & 0xFFFFFFFF for n in range(count)] for path in paths]
    return np.array(words, np.uint32).reshape(-1, count).view(np.int32)


def is_on_path(words: Sequence[Any], token: Any) -> Any:
    """Whether the bit of a token is set in words of 32 bits, of a function of scores."""
    word = words[0]
    for n, later in enumerate(words[1:], 1):
        word = np.where(token < WORD_BITS * n, word, later)
    return (word >> (token & (WORD_BITS - 1))) & 1 != 0
