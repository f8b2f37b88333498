"""A paged cache in a device's memory: what it holds on the host, without going through it."""

import numpy as np
import pytest

import irattn
from irattn import DeviceArray, PagedAttentionSpec, PagedCache, PagedUpdateAttentionSpec
from irattn.core.errors import ArgumentError, OutOfBlocksError, TooLargeError, UsageError
from irattn.kvcache import device_storage
from irattn.lab.emulated_gpu.device import device_of

pytestmark = pytest.mark.slow

SIZES = {"num_kv_heads": 2, "head_dim": 8, "block_size": 4, "io_dtype": "f32"}
WINDOWS = [None, (5, None)]
DEVICE = "local-sync"


def caches_of(num_blocks=14, **changes):
    settings = {"num_layers": 2, "num_blocks": num_blocks, "windows": WINDOWS, **SIZES, **changes}
    return PagedCache(**settings), PagedCache(**settings, device=DEVICE)


def tokens_of(rng, count):
    return rng.standard_normal((2, count, 2, 8)).astype(np.float32)


def transferred(call):
    """The copies that a call makes."""
    before = irattn.transfers()
    call()
    return irattn.transfers() - before


class Both:
    """A cache of the host and one of a device, on which the same operations are done."""

    def __init__(self, seed):
        self.rng, self.caches, self.pairs = np.random.default_rng(seed), caches_of(), []
        self.refused = 0

    def each(self, pair, name, *arguments):
        """Call a method of both with their sequence; None where both are out of blocks."""
        results = []
        for cache, sequence, own in zip(self.caches, pair, arguments or ((), ()), strict=True):
            try:
                results.append(getattr(cache, name)(sequence, *own))
            except OutOfBlocksError:
                self.refused += 1
        assert len(results) != 1
        return results

    def some(self):
        return self.pairs[int(self.rng.integers(len(self.pairs)))]

    def begin(self):
        prompt = self.rng.integers(0, 2, self.rng.integers(1, 11)).tolist()
        self.pairs.append([cache.begin(prompt) for cache in self.caches])
        known = self.caches[0].current_length(self.pairs[-1][0])
        self.append(self.pairs[-1], len(prompt) - known)

    def append(self, pair=None, count=None):
        pair = pair or self.some()
        count = count or int(self.rng.integers(1, 7))
        for layer in range(2):
            key, value = tokens_of(self.rng, count)
            on_device = DeviceArray.from_numpy(key, DEVICE)
            if not self.each(pair, "append", (layer, key, value), (layer, on_device, value)):
                return self.free(pair)

    def fork(self):
        self.pairs.append(self.each(self.some(), "fork"))

    def free(self, pair=None):
        pair = pair or self.some()
        self.each(pair, "free")
        self.pairs.remove(pair)

    def swap(self):
        pair = self.some()
        self.each(pair, "swap_out")
        if not self.each(pair, "swap_in"):
            self.free(pair)

    def check(self):
        for layer in range(2):
            host, device = (
                cache.block_table([pair[i] for pair in self.pairs], layer)
                for i, cache in enumerate(self.caches)
            )
            np.testing.assert_array_equal(host, device)
            host, device = (cache.caches(layer) for cache in self.caches)
            for one, other in zip(host, device, strict=True):
                np.testing.assert_array_equal(one, other.to_numpy())


@pytest.mark.parametrize("seed", [0, 1])
def test_a_device_holds_what_the_host_holds(seed):
    both = Both(seed)
    for step in range(120):
        names = ["begin", "append", "append", "fork", "free", "swap"] if both.pairs else ["begin"]
        getattr(both, str(both.rng.choice(names)))()
        if step % 20 == 0:
            both.check()
    both.check()
    assert both.refused


def attend_on(cache, kernel, sequences, query, layer):
    return kernel(
        query, *cache.caches(layer), cache.block_table(sequences, layer),
        cache.context_lens(sequences),
    )  # fmt: skip


def test_decoding_on_the_device_never_goes_through_the_host():
    host, device = caches_of()
    rng = np.random.default_rng(2)
    spec = PagedAttentionSpec(
        **SIZES, num_q_heads=4, batch=1, q_len=1, num_blocks=14, max_blocks=14, window=WINDOWS[1],
        dynamic=("max_blocks",),
    )  # fmt: skip
    kernel = irattn.load(spec, device=DEVICE)
    query = rng.standard_normal((1, 4, 1, 8)).astype(np.float32)
    on_device = DeviceArray.from_numpy(query, DEVICE)
    sequences = [cache.begin() for cache in (host, device)]
    outputs = []

    def step():
        key, value = tokens_of(rng, 3)
        for layer in range(2):
            host.append(sequences[0], layer, key, value)
        new = [DeviceArray.from_numpy(array, DEVICE) for array in (key, value)]
        for layer in range(2):
            device.append(sequences[1], layer, *new)
        outputs.append(attend_on(device, kernel, sequences[1:], on_device, 1))

    for _ in range(4):
        assert transferred(step).to_host == 0
        expected = attend_on(host, kernel, sequences[:1], query, 1)
        np.testing.assert_array_equal(outputs[-1].to_numpy(), expected)


def test_a_kernel_writes_into_the_caches_own_memory():
    host, device = caches_of(num_layers=1, windows=None, max_blocks=2)
    rng = np.random.default_rng(4)
    kernel = irattn.load(
        PagedUpdateAttentionSpec(
            **SIZES, num_q_heads=4, batch=1, q_len=3, num_blocks=14, max_blocks=2
        ),
        device=DEVICE,
    )
    sequences = [cache.begin() for cache in (host, device)]
    for _ in range(2):
        query, both = rng.standard_normal((1, 4, 3, 8)).astype(np.float32), tokens_of(rng, 3)
        host.append(sequences[0], 0, *both)
        device.extend(sequences[1:], 3)
        old = device.caches(0)
        before = irattn.transfers()
        output, *updated = kernel(
            query,
            *(tokens.transpose(1, 0, 2)[None] for tokens in both),
            device.slot_mapping(sequences[1:], 3),
            *old,
            device.block_table(sequences[1:]),
            device.context_lens(sequences[1:]),
            donate=("key_cache", "value_cache"),
        )
        device.replace(0, *updated)
        moved = irattn.transfers() - before
        assert (moved.to_host, moved.on_device) == (0, 0)
        assert isinstance(output, DeviceArray)
        with pytest.raises(ArgumentError, match="donated"):
            old[0].to_numpy()
        for one, other in zip(host.caches(0), device.caches(0), strict=True):
            np.testing.assert_array_equal(one, other.to_numpy())
    device.commit(sequences[1:])
    device.fork(sequences[1])


def test_a_step_moves_as_much_in_a_large_cache_as_in_a_small_one():
    counts = []
    for num_blocks in (8, 512):
        _, cache = caches_of(num_blocks)
        sequence = cache.begin()
        key, value = tokens_of(np.random.default_rng(0), 6)

        def step(cache=cache, sequence=sequence, new=(key, value)):
            for layer in range(2):
                cache.append(sequence, layer, *new)

        step()
        counts.append(transferred(step))
    assert counts[0] == counts[1]


def test_swapping_moves_a_sequence_and_no_more():
    _, cache = caches_of(512)
    sequence = cache.begin()
    for layer in range(2):
        cache.append(sequence, layer, *tokens_of(np.random.default_rng(0), 9))
    # Two caches of two layers, three blocks of four tokens of two heads of eight f32.
    moved = 2 * 2 * 3 * 4 * 2 * 8 * 4
    assert transferred(lambda: cache.swap_out(sequence)).bytes_to_host == moved
    assert transferred(lambda: cache.swap_in(sequence)).bytes_to_device == moved


@pytest.mark.parametrize("uploads", range(4))
def test_what_does_not_get_back_to_a_full_device_stays_on_the_host(monkeypatch, uploads):
    _, cache = caches_of()
    sequence = cache.begin()
    for layer in range(2):
        cache.append(sequence, layer, *tokens_of(np.random.default_rng(layer), 9))
    cache.swap_out(sequence)
    upload, left = DeviceArray.from_numpy, iter(range(uploads))

    def until_it_is_full(array, device):
        if next(left, None) is None:
            raise TooLargeError("no memory left")
        return upload(array, device)

    monkeypatch.setattr(DeviceArray, "from_numpy", until_it_is_full)
    with pytest.raises(TooLargeError):
        cache.swap_in(sequence)
    monkeypatch.undo()
    assert [cache.usage(layer).used for layer in range(2)] == [0, 0]
    cache.swap_in(sequence)
    for layer in range(2):
        written = tokens_of(np.random.default_rng(layer), 9)
        for position in range(4, 9):
            block = cache.block_for_position(sequence, position, layer)
            for part, tokens in zip(cache.caches(layer), written, strict=True):
                found = part.to_numpy()[block, :, position % 4]
                np.testing.assert_array_equal(found, tokens[position])


def test_what_a_kernel_updated_is_taken_back():
    _, cache = caches_of()
    old = cache.caches(0)
    new = [DeviceArray.zeros(part.shape, part.dtype, DEVICE) for part in old]
    cache.replace(0, *new)
    assert cache.caches(0) == tuple(new)
    shape = new[0].shape
    for wrong in (
        np.zeros(shape, np.float32),
        DeviceArray.zeros((1,), "f32", DEVICE),
        DeviceArray.zeros(shape, "f16", DEVICE),
        DeviceArray.zeros(shape, "f32", device_of("gfx1100")),
    ):
        with pytest.raises(ArgumentError, match=r"value_cache: expected a DeviceArray float32 \["):
            cache.replace(0, new[0], wrong)
    with pytest.raises(ArgumentError, match="value_cache: expected an array of its own"):
        cache.replace(0, new[0], new[0])
    assert cache.caches(0) == tuple(new)


def test_a_cache_that_a_kernel_took_over_is_not_taken_back():
    _, cache = caches_of()
    old = cache.caches(0)
    cache.append(cache.begin(), 0, *tokens_of(np.random.default_rng(0), 3))
    new = cache.caches(0)
    with pytest.raises(ArgumentError, match="key_cache: expected an array that is still there"):
        cache.replace(0, *old)
    assert cache.caches(0) == new


def test_wrong_device_arrays_are_refused():
    _, cache = caches_of()
    sequence = cache.begin()
    key, value = (
        DeviceArray.from_numpy(array, DEVICE) for array in tokens_of(np.random.default_rng(0), 3)
    )
    for wrong, got in (
        (DeviceArray.zeros((3, 2, 8), "f16", DEVICE), "f16"),
        (DeviceArray.zeros((2, 2, 8), "f32", DEVICE), "f32"),
        (DeviceArray.zeros((2, 8), "f32", DEVICE), "f32"),
    ):
        with pytest.raises(ArgumentError, match=rf"value: expected f32 \[3, 2, 8\], got {got}"):
            cache.append(sequence, 0, key, wrong)
    there = DeviceArray.from_numpy(value.to_numpy(), device_of("gfx1100"))
    with pytest.raises(ArgumentError, match="value: expected an array on device local-sync, got "):
        cache.append(sequence, 0, key, there)
    assert cache.usage(0).used == 0
    host, _ = caches_of()
    with pytest.raises(ArgumentError, match="key: expected a NumPy array f32"):
        host.append(host.begin(), 0, key, value)
    with pytest.raises(UsageError, match="device: expected one of"):
        PagedCache(num_layers=1, num_blocks=2, **SIZES, device="gpu")


def test_the_device_of_a_kernel_is_one_for_a_cache(monkeypatch):
    """It is there already: nothing is compiled to find it, only to write."""
    monkeypatch.setattr("irattn.kvcache.device_storage.build", None)
    cache = PagedCache(num_layers=1, num_blocks=2, **SIZES, device=device_of("gfx1100"))
    there = cache.caches(0)[0].device
    assert there.shares_memory(device_of("gfx1100"))


def test_one_artifact_writes_any_number_of_tokens(monkeypatch):
    built = []
    build = device_storage.build
    monkeypatch.setattr(device_storage, "build", lambda *a: built.append(a[0]) or build(*a))
    cache = caches_of(windows=None)[1]
    sequence = cache.begin()
    rng = np.random.default_rng(0)
    for count in (1, 3, 4, 9):
        for layer in range(2):
            cache.append(sequence, layer, *tokens_of(rng, count))
    assert cache.current_length(sequence) == 17
    assert [request.spec.dynamic for request in built] == [("num_tokens",)]
