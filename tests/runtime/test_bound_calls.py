"""Kernels with bound arrays that are called with NumPy arrays."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import irattn
from irattn import DeviceArray, transfers
from irattn.core.errors import ArgumentError
from irattn.lab.inputs import random_tensors
from irattn.runtime.device_calls import DeviceCalls
from irattn.runtime.devices import CPU_DRIVERS

LAYER = "layer_decode_tiny"
CACHES = ("key_cache", "value_cache")


def refuse(*arguments, **named):
    raise AssertionError("takes the way of device arrays")


def same(outputs, expected):
    for output, wanted in zip(outputs, expected, strict=True):
        assert isinstance(output, np.ndarray)
        np.testing.assert_array_equal(output, wanted)


def parted(tensors, names):
    """The tensors of these names, and the others."""
    return [{n: a for n, a in tensors.items() if (n in names) is taken} for taken in (True, False)]


def weights_of(tensors):
    return [name for name in tensors if name.endswith("weight")]


@pytest.mark.parametrize("device", CPU_DRIVERS)
def test_they_go_where_those_of_other_calls_do(device, monkeypatch):
    kernel = irattn.load(LAYER, device=device)
    first, second = (random_tensors(kernel.spec, seed) for seed in range(2))
    weights, rest = parted(first, weights_of(first))
    _, others = parted(second, weights)
    expected = [kernel.outputs(**weights, **given) for given in (rest, others)]
    bound = kernel.bind(**weights)
    for owner, name in ((DeviceCalls, "run"), (DeviceArray, "from_numpy")):
        monkeypatch.setattr(owner, name, refuse)
    before = transfers()
    outputs = [bound.outputs(**given) for given in (rest, others, rest)]
    copied = transfers() - before
    assert (copied.to_device, copied.on_device) == (3 * len(rest), 0)
    # After all calls: none has written to what one before it has given.
    for found, wanted in zip(outputs, [*expected, expected[0]], strict=True):
        same(found, wanted)


@pytest.mark.parametrize("device", CPU_DRIVERS)
def test_a_bound_cache_is_copied_for_each_call(device):
    kernel = irattn.load("cache_write_tiny", device=device)
    tensors = random_tensors(kernel.spec)
    expected = kernel.outputs(**tensors)
    caches, rest = parted(tensors, CACHES)
    there = {n: DeviceArray.from_numpy(array, device) for n, array in caches.items()}
    bound = kernel.bind(**there)
    for _ in range(2):
        same(bound.outputs(**rest), expected)
        same([array.to_numpy() for array in there.values()], caches.values())


def test_a_bound_array_that_was_given_up_is_refused():
    kernel = irattn.load("cache_write_tiny", device="local-sync")
    tensors = random_tensors(kernel.spec)
    cache = DeviceArray.from_numpy(tensors["key_cache"], kernel.device)
    bound = kernel.bind(key_cache=cache)
    _, rest = parted(tensors, ["key_cache"])
    kernel(**{**tensors, "key_cache": cache}, donate=["key_cache"])
    with pytest.raises(ArgumentError, match=r"^key_cache: expected an array that is still there"):
        bound(**rest)


def test_bound_keys_of_other_sizes_than_the_functions_are_padded():
    kernel = irattn.load("dynamic_causal_tiny", device="local-sync")
    tensors = random_tensors(kernel.spec)
    keys, rest = parted(tensors, ["key", "value"])
    expected = kernel.outputs(**tensors)
    bound = kernel.bind(**keys)
    before = transfers()
    same(bound.outputs(**rest), expected)
    copied = transfers() - before
    # On their device: only the output comes to the host.
    assert (copied.to_host, copied.on_device) == (1, len(keys))


def test_kernels_that_share_a_session_take_their_own():
    """Each thread's weights are others: they share memory for calls, which holds none of them."""
    kernel, threads = irattn.load(LAYER, device="local-sync"), 4
    given = [random_tensors(kernel.spec, seed) for seed in range(threads)]
    expected = [kernel.outputs(**tensors) for tensors in given]
    ready = threading.Barrier(threads)

    def call(i):
        weights, rest = parted(given[i], weights_of(given[i]))
        bound = kernel.bind(**weights)
        ready.wait()
        for _ in range(20):
            same(bound.outputs(**rest), expected[i])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(call, range(threads)))
