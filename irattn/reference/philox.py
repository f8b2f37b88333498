"""Philox 4x32-10, and which weights of attention dropout keeps by it."""

import numpy as np

# Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3", table 2 and Random123's
# philox.h: the multipliers of both words, and what each round adds to the key.
_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_KEY_STEPS = (np.uint64(0x9E3779B9), np.uint64(0xBB67AE85))
_ROUNDS = 10
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


def philox(counter: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Four random words, uint32 `[..., 4]`, of counters `[..., 4]` and keys `[..., 2]`."""
    words = [counter[..., n].astype(np.uint64) for n in range(4)]
    keys = [key[..., n].astype(np.uint64) for n in range(2)]
    for _ in range(_ROUNDS):
        first, second = words[0] * _MULTIPLIERS[0], words[2] * _MULTIPLIERS[1]
        words = [
            (second >> _HALF) ^ words[1] ^ keys[0],
            second & _LOW,
            (first >> _HALF) ^ words[3] ^ keys[1],
            first & _LOW,
        ]
        keys = [(one + step) & _LOW for one, step in zip(keys, _KEY_STEPS, strict=True)]
    return np.stack(np.broadcast_arrays(*words), axis=-1).astype(np.uint32)


def kept_weights(
    dropout_p: float, seed: np.ndarray, head: int, queries: np.ndarray, keys: np.ndarray
) -> np.ndarray:
    """Which weights of a head of all sequences' heads are kept, `[queries, keys]`."""
    seed = seed.astype(np.int64).astype(np.uint32)
    shape = np.broadcast_shapes(queries.shape, keys.shape)
    counter = np.zeros((*shape, 4), np.uint32)
    counter[..., 0], counter[..., 1], counter[..., 2] = keys // 4, queries, head
    counter[..., 3] = seed[2]
    words = philox(counter, seed[:2])
    own = np.broadcast_to(keys % 4, shape)[..., None]
    word = np.take_along_axis(words, own, axis=-1)[..., 0]
    return np.asarray(word >= round(dropout_p * 2**32))
