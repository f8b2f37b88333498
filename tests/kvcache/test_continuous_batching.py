"""Sequences that share steps of compiled attention over one paged cache, and each of them alone."""

import numpy as np
import pytest

import irattn
from irattn import PagedAttentionSpec, PagedCache, PagedUpdateAttentionSpec

pytestmark = pytest.mark.slow

HEADS = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 16, "io_dtype": "f32"}
PAGES = {"block_size": 4, "num_blocks": 64, "max_blocks": 16}
WINDOWS = [None, (6, None)]
DYNAMIC = ("batch", "q_len", "num_blocks", "max_blocks")
HIDDEN, VOCABULARY, CHUNK = 64, 32, 5

rng = np.random.default_rng(7)
EMBEDDING = rng.standard_normal((VOCABULARY, HIDDEN), np.float32)
PROJECTIONS = rng.standard_normal((len(WINDOWS), 4, HIDDEN, HIDDEN), np.float32) / 8


class Model:
    """Two layers of attention, the second with a window, on a paged cache of its own.

    All but attention is computed token by token, so that only attention can depend on company.
    """

    def __init__(self, num_blocks=PAGES["num_blocks"], device=None):
        self.kernels = [
            irattn.load(
                PagedAttentionSpec(
                    **HEADS, **PAGES, batch=8, q_len=64, ragged=True, dynamic=DYNAMIC, window=window
                ),
                device=device or "cpu",
            )
            for window in WINDOWS
        ]
        self.cache = PagedCache(
            num_layers=2, num_kv_heads=2, head_dim=16, block_size=4, num_blocks=num_blocks,
            io_dtype="f32", windows=WINDOWS, device=device,
        )  # fmt: skip
        self.is_host = device is None
        self.poison()

    def poison(self):
        """NaN in all slots of the host that no sequence has written, block 0 or not."""
        if not self.is_host:
            return
        for layer in range(2):
            unused = np.ones((self.cache.usage(layer).total, 4), bool)
            for sequence in self.cache.sequences:
                if self.cache._state(sequence).swapped is None:
                    slots = self.cache._tables([sequence], layer)[0].slots(
                        0, self.cache.current_length(sequence)
                    )
                    unused.reshape(-1)[slots[slots >= 0]] = False
            pool = self.cache._groups[self.cache._group(layer)].pool
            unused[list(pool.index._idle)] = False
            for part in self.cache.caches(layer):
                part.transpose(0, 2, 1, 3)[unused] = np.nan

    def step(self, batch):
        """The last hidden state of every new token, by sequence; `batch` is tokens by sequence."""
        sequences, q_lens = list(batch), list(map(len, batch.values()))
        hidden = [EMBEDDING[tokens] for tokens in batch.values()]
        for layer, kernel in enumerate(self.kernels):
            query = np.zeros((len(batch), 4, max(q_lens), 16), np.float32)
            for b, q_len in enumerate(q_lens):
                query[b, :, :q_len] = project(hidden[b], layer, 0).transpose(1, 0, 2)
            key, value = (project(np.concatenate(hidden), layer, part) for part in (1, 2))
            self.cache.append_batch(sequences, layer, key[:, :2], value[:, :2], q_lens)
            output = kernel(
                query, *self.cache.caches(layer), self.cache.block_table(sequences, layer),
                np.array(q_lens, np.int32), self.cache.context_lens(sequences),
            )  # fmt: skip
            # On a device, where the caches are.
            output = np.asarray(output)
            for b, q_len in enumerate(q_lens):
                attended = output[b, :, :q_len].transpose(1, 0, 2).reshape(q_len, HIDDEN)
                hidden[b] = hidden[b] + project(attended, layer, 3).reshape(q_len, HIDDEN)
        self.poison()
        return dict(zip(sequences, hidden, strict=True))


def project(hidden, layer, part):
    """A projection as heads, row by row: a product of many rows may round otherwise."""
    return np.stack([row @ PROJECTIONS[layer, part] for row in hidden]).reshape(-1, 4, 16)


def next_token(hidden):
    return int(np.argmax(EMBEDDING @ hidden[-1]))


class Request:
    """A prompt that joins at a step, is read in chunks, and leaves after `count` more tokens."""

    def __init__(self, joins, prompt, count, chunk=CHUNK):
        self.joins, self.prompt, self.count, self.chunk = joins, list(prompt), count, chunk
        self.sequence, self.states, self.known = None, [], 0

    @property
    def missing(self):
        """Tokens that are still to be computed."""
        return len(self.prompt) + self.count - self.known - sum(map(len, self.states))

    def begin(self, cache):
        """What another sequence computed of an equal prefix, it computed for this one, too."""
        self.sequence = cache.begin(self.prompt)
        self.known = cache.current_length(self.sequence)
        self.waiting = self.prompt[self.known :]

    def next_tokens(self):
        chunk, self.waiting = self.waiting[: self.chunk], self.waiting[self.chunk :]
        return chunk or [next_token(self.states[-1])]


def serve(model, requests, away=()):
    """Serve requests in common steps; those of `away` are swapped out in every third step."""
    largest = step = 0
    while any(request.missing for request in requests):
        running = [one for one in requests if one.joins <= step and one.missing]
        batch = {}
        for request in running:
            if request.sequence is None:
                request.begin(model.cache)
            if request in away and step % 3 == 2:
                model.cache.swap_out(request.sequence)
            else:
                batch[request.sequence] = request.next_tokens()
        states = model.step(batch) if batch else {}
        for request in running:
            if request.sequence in states:
                request.states.append(states[request.sequence])
            else:
                model.cache.swap_in(request.sequence)
            if not request.missing:
                model.cache.free(request.sequence)
        largest, step = max(largest, len(batch)), step + 1
    return largest


def alone(request, chunk=CHUNK):
    """The states of the tokens that a request computed, of a sequence that has all to itself."""
    single = Request(0, request.prompt, request.count, chunk)
    serve(Model(num_blocks=20), [single])
    return np.concatenate(single.states)[request.known :]


def requests_of(*lengths, joins=(0, 0, 2, 3, 3, 5)):
    prompts = [rng.integers(0, VOCABULARY, length) for length in lengths]
    return [Request(at, prompt, 6) for at, prompt in zip(joins, prompts, strict=False)]


def assert_as_alone(requests):
    for request in requests:
        found = np.concatenate(request.states)
        assert np.isfinite(found).all()
        np.testing.assert_array_equal(found, alone(request))


@pytest.mark.parametrize("device", [None, "local-sync"])
def test_company_changes_no_bit(device):
    requests = requests_of(3, 14, 1, 9, 22, 5)
    assert serve(Model(device=device), requests) == 6
    assert_as_alone(requests)


def test_the_size_of_chunks_changes_no_bit():
    (request,) = requests_of(23)
    serve(Model(), [request])
    for chunk in (1, 4, 23):
        np.testing.assert_array_equal(np.concatenate(request.states), alone(request, chunk))


def test_a_shared_prefix_changes_no_bit():
    requests = requests_of(13, 18)
    requests += [
        Request(joins, [*requests[0].prompt[:12], *more], 6)
        for joins, more in ((4, [3, 4]), (6, [5]), (20, [6, 7, 8]))
    ]
    serve(Model(), requests)
    assert [request.known for request in requests] == [0, 0, 12, 12, 12]
    assert_as_alone(requests)


def test_swapping_changes_no_bit():
    requests = requests_of(7, 12, 10)
    serve(Model(), requests, away=requests[:2])
    assert_as_alone(requests)


def test_forks_change_no_bit():
    model = Model()
    (first,) = requests_of(10)
    first.begin(model.cache)
    while first.waiting:
        first.states.append(model.step({first.sequence: first.next_tokens()})[first.sequence])
    second = Request(0, [*first.prompt, 1], 6)
    second.sequence, second.known, second.waiting = model.cache.fork(first.sequence), 10, [1]
    for _ in range(6):
        batch = {request.sequence: request.next_tokens() for request in (first, second)}
        for request, states in zip((first, second), model.step(batch).values(), strict=True):
            request.states.append(states)
    second.count = 5
    assert_as_alone([first, second])


def test_slots_for_all_layers_give_what_appending_gives():
    """One function writes and attends, at slots that `extend` gave."""
    sizes = {**HEADS, **PAGES, "batch": 2, "q_len": 3, "ragged": True}
    kernel = irattn.load(PagedUpdateAttentionSpec(**sizes, window=WINDOWS[1]))
    attend = irattn.load(PagedAttentionSpec(**sizes, window=WINDOWS[1]))
    settings = {"num_layers": 1, "num_kv_heads": 2, "head_dim": 16, "block_size": 4}
    settings |= {"num_blocks": 64, "max_blocks": 16, "io_dtype": "f32", "windows": WINDOWS[1:]}
    one, other = PagedCache(**settings), PagedCache(**settings)
    sequences, others = ([cache.begin(), cache.begin()] for cache in (one, other))
    for q_lens in ([3, 1], [2, 3], [3, 3], [1, 1], [2, 2], [3, 3]):
        query = rng.standard_normal((2, 4, 3, 16), np.float32)
        key, value = rng.standard_normal((2, 2, 2, 3, 16), np.float32)
        one.extend(sequences, q_lens)
        lens = {"q_lens": np.array(q_lens, np.int32), "context_lens": one.context_lens(sequences)}
        slots = one.slot_mapping(sequences, q_lens, q_len=3)
        keys, values = one.caches(0)
        found, *updated = kernel(
            query=query, key=key, value=value, slot_mapping=slots, key_cache=keys,
            value_cache=values, block_table=one.block_table(sequences), **lens,
        )  # fmt: skip
        one.replace(0, *updated)
        for b, sequence in enumerate(others):
            new = (part[b, :, : q_lens[b]].transpose(1, 0, 2) for part in (key, value))
            other.append(sequence, 0, *new)
        keys, values = other.caches(0)
        expected = attend(
            query=query, key_cache=keys, value_cache=values,
            block_table=other.block_table(others), **lens,
        )  # fmt: skip
        np.testing.assert_array_equal(found, expected)
    assert one.block_table(sequences)[0, 0] == -1
