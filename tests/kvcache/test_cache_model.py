"""A paged cache against a model of it: plain lists of tokens, one for each sequence and layer.

`IRATTN_CACHE_OPERATIONS=100000 pytest tests/kvcache/test_cache_model.py` draws so many operations
for each cache.
"""

import os
from collections import Counter
from itertools import accumulate

import numpy as np
import pytest

from irattn import PagedCache
from irattn.core.errors import OutOfBlocksError

pytestmark = pytest.mark.slow

OPERATIONS = int(os.environ.get("IRATTN_CACHE_OPERATIONS", "1000"))
BLOCK = 4

CACHES = {
    "one layer": {"num_layers": 1, "num_blocks": 24},
    "few blocks": {"num_layers": 2, "num_blocks": 7},
    "windows": {"num_layers": 3, "num_blocks": 30, "windows": [None, (5, None), (5, 0)]},
    "only windows": {"num_layers": 2, "num_blocks": [18, 12], "windows": [(9, None), (0, None)]},
}
SWARM = {"begin": 3, "append": 14, "extend": 6, "fork": 2, "free": 5, "evict": 1, "swap": 3}


class Model:
    """Sequences as lists; `tokens` are ids, and a token's numbers in a layer follow from both."""

    def __init__(self, seed, num_layers, num_blocks, windows=None):
        self.rng = np.random.default_rng(seed)
        self.windows = windows or [None] * num_layers
        self.cache = PagedCache(
            num_layers=num_layers, num_blocks=num_blocks, windows=windows, num_kv_heads=2,
            head_dim=3, block_size=BLOCK, io_dtype="f32",
        )  # fmt: skip
        self.layers = range(num_layers)
        self.held = {}
        # The first token that the last queries of a sequence see, by layer.
        self.seen_from = {}
        self.swapped = set()
        # The tokens of sequences that ended lately.
        self.ended = [[]]
        self.refused = 0
        self.shared = 0
        self.fill_unused()

    def numbers(self, layer, tokens):
        """Keys and values that depend on all tokens up to each, as a model's do."""
        hashes = accumulate(tokens, lambda before, token: (31 * before + token + 7) % 2**20)
        history = np.fromiter(hashes, np.int64)
        keys = history[:, None, None] + np.array([[0, 1, 2], [3, 4, 5]]) + layer / 8
        return keys.astype(np.float32), -keys.astype(np.float32)

    def some(self, present=True):
        found = [one for one in self.held if not present or one not in self.swapped]
        return int(self.rng.choice(found)) if found else None

    def new_tokens(self):
        """Few different ones, so that prefixes are often equal."""
        return [int(token) for token in self.rng.integers(0, 2, self.rng.integers(1, 11))]

    def begin(self):
        # Often what another sequence had, up to some token.
        earlier = self.ended[int(self.rng.integers(len(self.ended)))]
        prompt = earlier[: self.rng.integers(0, len(earlier) + 1)] + self.new_tokens()
        sequence = self.cache.begin(prompt)
        known = self.cache.current_length(sequence)
        assert known < len(prompt)
        assert known % BLOCK == 0
        self.shared += known
        self.held[sequence] = prompt[:known]
        self.seen_from[sequence] = [self.first_seen(layer, known) for layer in self.layers]
        self.check(sequence)
        self.grow(sequence, prompt[known:], are_known=True)

    def append(self):
        if (sequence := self.some()) is not None:
            self.grow(sequence, self.new_tokens()[: self.rng.integers(1, 11)])

    def grow(self, sequence, tokens, are_known=False):
        """In every layer, or in none of them: only the first may be refused."""
        before = self.held[sequence]
        for layer in self.layers:
            key, value = self.numbers(layer, before + tokens)
            try:
                self.cache.append(sequence, layer, key[len(before) :], value[len(before) :])
            except OutOfBlocksError:
                assert layer == 0
                self.refused += 1
                if are_known:
                    self.end(sequence)
                return
        self.note(sequence, tokens, are_known)

    def note(self, sequence, tokens, are_known=False):
        start = len(self.held[sequence])
        self.held[sequence] = self.held[sequence] + tokens
        self.seen_from[sequence] = [self.first_seen(layer, start) for layer in self.layers]
        if not are_known:
            self.cache.add_tokens(sequence, tokens)

    def first_seen(self, layer, position):
        window = self.windows[layer]
        return max(0, position - window[0]) if window else 0

    def extend(self):
        """Several sequences get slots at once, and what a kernel would write is written there."""
        present = [one for one in self.held if one not in self.swapped]
        chosen = [one for one in present if self.rng.random() < 0.6]
        new = {sequence: self.new_tokens() for sequence in chosen}
        q_lens = [len(new[sequence]) for sequence in chosen]
        try:
            self.cache.extend(chosen, q_lens)
        except OutOfBlocksError:
            self.refused += 1
            return
        for layer in self.layers:
            slots = self.cache.slot_mapping(chosen, q_lens, layer)
            for row, sequence in zip(slots, chosen, strict=True):
                both = self.numbers(layer, self.held[sequence] + new[sequence])
                row = row[: len(new[sequence])]
                assert (row >= 0).all()
                for cache, tokens in zip(self.cache.caches(layer), both, strict=True):
                    cache[row // BLOCK, :, row % BLOCK] = tokens[len(self.held[sequence]) :]
        self.cache.commit(chosen)
        for sequence, tokens in new.items():
            self.note(sequence, tokens)

    def fork(self):
        if (sequence := self.some()) is not None:
            child = self.cache.fork(sequence)
            self.held[child] = self.held[sequence]
            self.seen_from[child] = self.seen_from[sequence]

    def free(self):
        if (sequence := self.some(present=False)) is not None:
            self.end(sequence)

    def end(self, sequence):
        self.cache.free(sequence)
        self.ended = [*self.ended[-7:], self.held.pop(sequence)]
        self.swapped.discard(sequence)

    def evict(self):
        self.cache.evict()

    def swap(self):
        if (sequence := self.some(present=False)) is None:
            return
        if sequence not in self.swapped:
            self.cache.swap_out(sequence)
            self.swapped.add(sequence)
            return
        try:
            self.cache.swap_in(sequence)
        except OutOfBlocksError:
            self.refused += 1
            return
        self.swapped.discard(sequence)
        self.check(sequence)

    def check(self, sequence):
        """Every token that a query may still see is what it was."""
        tokens = self.held[sequence]
        assert self.cache.current_length(sequence) == len(tokens)
        if sequence in self.swapped:
            return
        for layer in self.layers:
            first = self.seen_from[sequence][layer]
            table = self.cache.block_table([sequence], layer)[0]
            for cache, expected in zip(
                self.cache.caches(layer), self.numbers(layer, tokens), strict=True
            ):
                at = np.arange(first, len(tokens))
                found = cache[table[at // BLOCK], :, at % BLOCK]
                np.testing.assert_array_equal(found, expected[first:])
            assert (table[: first // BLOCK] == -1).all()

    def check_all(self):
        for sequence in self.held:
            self.check(sequence)
        for layer in self.layers:
            usage = self.cache.usage(layer)
            assert usage.used + usage.kept + usage.free == usage.total
            assert usage.used == len(self.blocks_of_sequences(layer))
        self.fill_unused()

    def blocks_of_sequences(self, layer):
        present = [one for one in self.held if one not in self.swapped]
        blocks = Counter()
        for sequence in present:
            table = self.cache.block_table([sequence], layer)[0]
            blocks.update(int(block) for block in table if block >= 0)
        return blocks

    def fill_unused(self):
        """NaN in all blocks that nobody has: one who reads them will be found out."""
        for layer in self.layers:
            pool = self.cache._groups[self.cache._group(layer)].pool
            for block in range(pool.allocator.num_blocks):
                if not pool.allocator.holders(block):
                    for cache in self.cache.caches(layer):
                        cache[block] = np.nan


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", CACHES)
def test_random_operations_do_what_plain_lists_do(name, seed):
    model = Model(seed, **CACHES[name])
    names, weights = list(SWARM), np.array(list(SWARM.values()))
    for step in range(OPERATIONS):
        getattr(model, model.rng.choice(names, p=weights / weights.sum()))()
        if (sequence := model.some()) is not None:
            model.check(sequence)
        if step % 25 == 0:
            model.check_all()
    model.check_all()
    assert model.refused
    assert model.shared
    for sequence in list(model.held):
        model.end(sequence)
    assert model.cache.sequences == []
    model.cache.evict()
    for layer in model.layers:
        total = model.cache.usage(layer).total
        assert model.cache.usage(layer) == (total, 0, 0, total)
