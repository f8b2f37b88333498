"""Which weights dropout keeps, as an expression: by Philox 4x32-10 of a seed and a place."""

from __future__ import annotations

from functools import lru_cache

from irattn.specs.expressions.expression import SEED, Captured, Expression
from irattn.specs.expressions.number import Number, Steps, call

# Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3": the multipliers of both words,
# and what each round adds to the key.
_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10


@lru_cache(maxsize=256)
def kept_by_dropout(dropout_p: float, num_q_heads: int) -> Expression:
    """Whether a weight is kept: its word of Philox is at least `round(dropout_p * 2**32)`.

    The key are the first two numbers of the seed. The counter is the weight's key divided by four,
    its query, its head counted through all sequences, and the seed's third number; the key's rest
    says which of the four words is its own.
    """
    steps = Steps()
    steps.captured = [Captured(SEED, (3,), "i32")]
    batch, head, query, key = (steps.note(name) for name in ("batch", "head", "query", "key"))
    seed = [steps.note("read", steps.constant(n), text=SEED) for n in range(3)]
    counter = [key // 4, query, batch * num_q_heads + head, seed[2]]
    words = _philox(counter, seed[:2])
    own = key % 4
    word = words[3]
    for n in range(3):
        word = call("where", own == n, words[n], word)
    # Words count without signs: with their highest bits turned, they compare as numbers with signs.
    least = steps.constant(_signed(round(dropout_p * 2**32) ^ 2**31))
    kept = least <= (word ^ steps.constant(-(2**31)))
    return Expression(tuple(steps.steps), tuple(steps.captured)).up_to(kept.at)


def _philox(words: list[Number], keys: list[Number]) -> list[Number]:
    for n in range(_ROUNDS):
        own = [key + _signed(n * step) for key, step in zip(keys, _KEY_STEPS, strict=True)]
        (low, high), (low_2, high_2) = (
            (word * multiplier, call("multiply_high", word, multiplier))
            for word, multiplier in zip(words[::2], map(_signed, _MULTIPLIERS), strict=True)
        )
        words = [high_2 ^ words[1] ^ own[0], low_2, high ^ words[3] ^ own[1], low]
    return words


def _signed(word: int) -> int:
    """The number of 32 bits with a sign that has the bits of a word."""
    return (word + 2**31) % 2**32 - 2**31
