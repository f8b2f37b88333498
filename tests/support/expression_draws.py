"""Score and mask functions at random, of all that they may do."""

import random
from dataclasses import dataclass

import numpy as np

from irattn import (
    AttentionSpec,
    PackedAttentionSpec,
    PackedPagedAttentionSpec,
    PagedAttentionSpec,
)


@dataclass
class Drawn:
    """A function of scores that computes what a seed draws; it is traced but once."""

    seed: int
    floats: np.ndarray
    flags: np.ndarray
    numbers: np.ndarray
    depth: int = 3

    @property
    def score_mod(self):
        floats, flags, numbers = self.floats, self.flags, self.numbers

        def score_mod(score, batch, head, query, key):
            at = _Draw(self.seed, (batch, head, query, key), floats, flags, numbers)
            return score * 0.5 + 0.5 * at.float(self.depth, score)

        return score_mod

    @property
    def mask_mod(self):
        floats, flags, numbers = self.floats, self.flags, self.numbers

        def mask_mod(batch, head, query, key):
            at = _Draw(self.seed, (batch, head, query, key), floats, flags, numbers)
            # A row that sees one key only is nothing but a value.
            return at.bool(self.depth) | (key % 3 == query % 3)

        return mask_mod


class _Draw:
    """Expressions of each kind, of so many levels; what is drawn stays within some hundreds."""

    def __init__(self, seed, names, floats, flags, numbers):
        self.pick, self.names = random.Random(seed), names
        self.floats, self.flags, self.numbers = floats, flags, numbers

    def int(self, depth):
        pick, names = self.pick, self.names
        if depth == 0:
            # A symbolic number in any case, and not one of each key.
            return pick.choice([*names, *names, pick.randint(-3, 9)]) + 0 * pick.choice(names)
        a, b = self.int(depth - 1), self.int(depth - 1)
        makers = [
            lambda: a + b,
            lambda: a - b,
            lambda: (a % 7) * (b % 5),
            lambda: a // pick.choice([2, 3, 8]),
            lambda: a % pick.choice([4, 5, 16]),
            lambda: np.minimum(a, b),
            lambda: np.maximum(a, -b),
            lambda: abs(a) & 7,
            lambda: a | 1,
            lambda: (a ^ b) & 15,
            lambda: (a & 15) << (b & 3),
            lambda: a >> pick.choice([1, 5, b]),
            lambda: (pick.randint(-(2**31), 2**31 - 1) + 0 * a) >> (abs(b) & 63),
            lambda: self.numbers[a],
            lambda: self.numbers[names[3]],
            lambda: self.numbers[names[2]],
            lambda: np.where(self.bool(depth - 1), a, b),
            lambda: ~a + self.bool(depth - 1),
        ]
        return pick.choice(makers)()

    def bool(self, depth):
        pick, names = self.pick, self.names
        a, b = self.int(max(0, depth - 1)), self.int(max(0, depth - 1))
        compared = [a < b, a <= b, a == b % 3, a != b, a > b]
        if depth == 0:
            return pick.choice(compared)
        c, d = self.bool(depth - 1), self.bool(depth - 1)
        more = [c & d, c | d, c ^ d, ~c, np.where(c, d, ~d), self.flags[names[1], names[3]]]
        return pick.choice([*compared, *more, self.float(depth - 1) > 0.25])

    def float(self, depth, score=None):
        pick, names = self.pick, self.names
        score = names[3] * 0.01 if score is None else score
        if depth == 0:
            return pick.choice([score, score, self.int(0) * 0.01, score * pick.uniform(-1, 1)])
        a, b = self.float(depth - 1, score), self.float(depth - 1, score)
        makers = [
            lambda: a + b,
            lambda: a - b,
            lambda: np.tanh(a) * b,
            lambda: a / (abs(b) + 0.5),
            lambda: np.exp(np.minimum(a, 1.0)),
            lambda: np.log(abs(a) + 1),
            lambda: np.sqrt(abs(a) + 0.01),
            lambda: np.maximum(a, -b),
            lambda: np.where(self.bool(depth - 1), a, b),
            lambda: a + self.floats[names[1], names[3]],
            lambda: self.floats[names[3] // 2, names[2]] - a,
            lambda: -a + np.tanh(self.int(depth - 1) * 0.1),
        ]
        return pick.choice(makers)()


_PAGES = {"block_size": 8, "num_blocks": 40, "max_blocks": 9}
_KEYS = 72


def any_functions(seed, io_dtypes=("f16", "bf16", "f16", "bf16", "f32")):
    """A small spec of any attention, with functions that read arrays and others of its features."""
    pick = random.Random(seed)
    group, kv_heads = pick.choice([1, 2, 3]), pick.choice([1, 2])
    q_len = pick.choice([1, 1, 2, 5, 9, 40])
    fields = {
        "num_q_heads": group * kv_heads,
        "num_kv_heads": kv_heads,
        "head_dim": pick.choice([64, 64, 64, 128, 40]),
        "io_dtype": pick.choice(io_dtypes),
        "causal": pick.random() < 0.5,
        "logits_soft_cap": pick.choice([None, None, 4.0]),
        "sinks": pick.random() < 0.2,
        "return_lse": pick.random() < 0.3,
    }
    op = pick.choice(["attention", "packed", "paged", "packed_paged"])
    if op == "attention":
        window = pick.choice([None, None, (9, None), (20, 3)])
        layout = pick.choice(["HND", "NHD"])
        spec = AttentionSpec(
            **fields,
            batch=2,
            q_len=q_len,
            kv_len=pick.choice([70, 33]),
            window=window,
            layout=layout,
        )
    elif op == "packed":
        spec = PackedAttentionSpec(**fields, batch=3, q_tokens=40, kv_tokens=pick.choice([40, 70]))
    elif op == "paged":
        ragged = pick.random() < 0.3
        spec = PagedAttentionSpec(**fields, **_PAGES, batch=2, q_len=q_len, ragged=ragged)
    else:
        spec = PackedPagedAttentionSpec(**fields, **_PAGES, batch=4, q_tokens=40)
    floats = np.zeros((_KEYS, _KEYS), pick.choice([np.float16, np.float32]))
    flags = np.zeros((spec.num_q_heads, _KEYS), bool)
    drawn = Drawn(seed, floats, flags, np.zeros(_KEYS, np.int32), depth=pick.choice([1, 2, 3]))
    which = pick.choice(["score_mod", "mask_mod", "both"])
    return spec.replace(
        score_mod=drawn.score_mod if which != "mask_mod" else None,
        mask_mod=drawn.mask_mod if which != "score_mod" else None,
    )
