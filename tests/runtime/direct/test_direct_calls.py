"""Calls with arrays where they lie: whose memory, which stream, what is refused."""

import threading

import numpy as np
import pytest

import irattn
from irattn.core.errors import ArgumentError, DeviceError
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.inputs import random_tensors
from support.lent import Lent, bits, contents


def load(name, **how):
    return irattn.load(name, target="gfx1100", device="emulator", launcher="direct", **how)


def expected(kernel, tensors):
    """What IREE's own driver gives on the same library."""
    return irattn.load(kernel.artifact, device="emulator", launcher="iree").outputs(**tensors)


@pytest.mark.parametrize("name", ["gqa_causal_tiny", "lse_tiny", "dynamic_paged_decode_tiny"])
def test_arrays_are_taken_where_they_lie(name, kind, gpu):
    kernel = load(name)
    tensors = random_tensors(kernel.spec.calls[-1])
    given = gpu.lend(tensors.values(), kind)
    wanted = expected(kernel, tensors)
    for _ in range(2):
        found = kernel.outputs(*given)
        for one, other in zip(found, wanted, strict=True):
            assert tuple(one.shape) == other.shape
            np.testing.assert_array_equal(bits(one), bits(other))
    for array, before in zip(given, tensors.values(), strict=True):
        np.testing.assert_array_equal(bits(array), bits(before))


def test_padded_sizes_and_implied_lengths(kind, gpu):
    kernel = load("dynamic_causal_tiny")
    tensors = random_tensors(kernel.spec.calls[1])
    (wanted,) = expected(kernel, tensors)
    found = kernel(*gpu.lend(tensors.values(), kind))
    np.testing.assert_array_equal(bits(found), bits(wanted))


def test_results_go_where_the_caller_wants_them(kind, gpu):
    kernel = load("gqa_causal_tiny")
    tensors = random_tensors(kernel.spec)
    (wanted,) = expected(kernel, tensors)
    (out,) = gpu.lend([np.zeros_like(wanted)], kind)
    found = kernel(*gpu.lend(tensors.values(), kind), out=out)
    np.testing.assert_array_equal(bits(out), bits(wanted))
    np.testing.assert_array_equal(bits(found), bits(wanted))


def test_one_of_outputs_that_share_memory_goes_where_the_caller_wants_it(kind, gpu):
    kernel = load("lse_tiny")
    tensors = random_tensors(kernel.spec)
    wanted = expected(kernel, tensors)
    (out,) = gpu.lend([np.zeros_like(wanted[1])], kind)
    found = kernel(*gpu.lend(tensors.values(), kind), out=(None, out))
    np.testing.assert_array_equal(bits(out), bits(wanted[1]))
    np.testing.assert_array_equal(bits(found[0]), bits(wanted[0]))


def test_a_cache_is_written_in_place_where_it_is_donated(kind, gpu):
    kernel = load("cache_write_tiny")
    tensors = random_tensors(kernel.spec)
    wanted = expected(kernel, tensors)
    given = gpu.lend(tensors.values(), kind)
    copies = kernel(*given)
    np.testing.assert_array_equal(bits(given[2]), bits(tensors["key_cache"]))
    found = kernel(*given, donate=["key_cache", "value_cache"])
    for i in range(2):
        np.testing.assert_array_equal(bits(copies[i]), bits(wanted[i]))
        np.testing.assert_array_equal(bits(given[2 + i]), bits(wanted[i]))
        np.testing.assert_array_equal(bits(found[i]), bits(wanted[i]))
    with pytest.raises(ArgumentError, match="donate: expected some of key_cache, value_cache"):
        kernel(*given, donate=["key"])


def test_arrays_of_the_host_are_checked_and_copied(kind, gpu):
    kernel = load("gqa_paged_decode_tiny")
    tensors = random_tensors(kernel.spec)
    (wanted,) = expected(kernel, tensors)
    floats = gpu.lend([t for t in tensors.values() if t.dtype.kind == "f"], kind)
    table, lengths = tensors["block_table"], tensors["context_lens"]
    found = kernel(*floats, table.astype(np.int64), lengths)
    np.testing.assert_array_equal(bits(found), bits(wanted))
    with pytest.raises(ArgumentError, match=r"block_table.*expected a block id from 0 to 7, got"):
        kernel(*floats, np.full_like(table, 99), lengths)


def test_values_on_the_device_are_looked_at_where_that_is_asked_for(kind, gpu):
    kernel = load("gqa_paged_decode_tiny")
    tensors = random_tensors(kernel.spec)
    given = gpu.lend(tensors.values(), kind)
    found = kernel(*given, check=True)
    np.testing.assert_array_equal(bits(found), bits(expected(kernel, tensors)[0]))
    given[-1:] = gpu.lend([np.full_like(tensors["context_lens"], 65)], kind)
    with pytest.raises(ArgumentError, match=r"context_lens.*expected 0 to 64, got 65"):
        kernel(*given, check=True)


def change(array, kind, how):
    """An array made unfit."""
    own = contents(array)
    if how == "strides":
        changed = np.lib.stride_tricks.as_strided(own, own.shape, own.strides[::-1])
    elif how == "address":
        memory = np.zeros(own.nbytes + 64, np.uint8)
        start = -memory.ctypes.data % 16 + 4
        changed = memory[start : start + own.nbytes].view(own.dtype).reshape(own.shape)
    else:
        changed = own.astype(np.int64)
    if kind == "dlpack":
        return Lent(changed)
    import torch

    return torch.from_numpy(changed)


@pytest.mark.parametrize(
    ("how", "name", "message"),
    [
        (
            "strides",
            "query",
            r"query: expected elements that lie row by row.*query\.contiguous",
        ),
        ("address", "query", r"query: expected an array at an address that is a multiple of 16 by"),
        ("type", "context_lens", r"context_lens: expected i32 \[2\] on the device, got i64; conve"),
    ],
)
def test_what_kernels_cannot_take_is_refused_by_name(how, name, message, kind, gpu):
    kernel = load("gqa_paged_decode_tiny")
    tensors = random_tensors(kernel.spec)
    given = dict(zip(tensors, gpu.lend(tensors.values(), kind), strict=True))
    given[name] = change(given[name], kind, how)
    with pytest.raises(ArgumentError, match=message):
        kernel(**given)


def test_wrong_shapes_are_refused_as_those_of_numpy_are(kind, gpu):
    kernel = load("gqa_causal_tiny")
    tensors = random_tensors(kernel.spec)
    given = gpu.lend([*list(tensors.values())[:2], tensors["value"][:, :1]], kind)
    with pytest.raises(ArgumentError, match=r"value: expected f32 \[1, 2, 32, 32\], got"):
        kernel(*given)


def test_an_error_names_the_driver_s_error_the_step_and_the_kernel(kind, gpu, monkeypatch):
    kernel = load("cache_write_tiny")
    given = gpu.lend(random_tensors(kernel.spec).values(), kind)

    def fail(*launch):
        raise DeviceError("it is on fire")

    monkeypatch.setattr(emulated_device.bridge(), "launcher", fail)
    message = (
        r"cache_write_tiny: step 1 of \d, a copy|step \d of \d, kernel cache_write\S+, fails on "
        r"device hip \d+: hipErrorLaunchFailure: it is on fire"
    )
    with pytest.raises(DeviceError, match=message):
        kernel(*given)


def test_code_for_another_chip_is_refused():
    from irattn.runtime.direct import DirectSession

    artifact = irattn.compile("gqa_causal_tiny", target="gfx942")
    session = DirectSession(artifact, emulated_device.direct_driver("gfx1100"))
    with pytest.raises(DeviceError, match=r"compiled for gfx942, which does not run on .* gfx1100"):
        session.prepare()


def test_two_threads_may_call_at_once(kind, gpu):
    kernel = load("gqa_causal_tiny")
    calls = [random_tensors(kernel.spec, seed=seed) for seed in range(4)]
    wanted = [expected(kernel, tensors)[0] for tensors in calls]
    given = [gpu.lend(tensors.values(), kind) for tensors in calls]
    found = [None] * len(calls)

    def call(i):
        found[i] = kernel(*given[i])

    threads = [threading.Thread(target=call, args=(i,)) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(bits(one), bits(other))


def test_two_threads_may_call_on_streams_of_their_own(kind, gpu):
    """One of them through several streams in turn, into outputs of the caller's."""
    kernel = load("gqa_causal_tiny")
    tensors = [random_tensors(kernel.spec, seed=seed) for seed in range(2)]
    wanted = [expected(kernel, one)[0] for one in tensors]
    given = [gpu.lend(one.values(), kind) for one in tensors]
    outs = [gpu.lend([np.zeros_like(wanted[0])] * 3, kind) for _ in tensors]
    streams = [[gpu.stream()], [gpu.stream(), gpu.stream()]]

    def call(i):
        for j, out in enumerate(outs[i]):
            kernel(*given[i], out=out, stream=streams[i][j % len(streams[i])])

    threads = [threading.Thread(target=call, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for found, one in zip(outs, wanted, strict=True):
        for out in found:
            np.testing.assert_array_equal(bits(out), bits(one))


def test_a_captured_call_runs_when_its_graph_is_launched(kind, gpu):
    kernel = load("greedy_choice_tiny")
    kernel.prepare()
    tensors = random_tensors(kernel.spec)
    (wanted,) = expected(kernel, tensors)
    given, stream = gpu.lend(tensors.values(), kind), gpu.stream()
    (out,) = gpu.lend([np.zeros_like(wanted)], kind)
    kernel(*given, out=out, stream=stream)
    contents(out)[...] = 0
    gpu.begin(stream)
    kernel(*given, out=out, stream=stream)
    error, graph = gpu.end(stream)
    assert error == 0
    assert not contents(out).any()
    gpu.replay(graph, stream)
    np.testing.assert_array_equal(bits(out), bits(wanted))
    for array, name in zip(given, tensors, strict=True):
        contents(array)[...] = random_tensors(kernel.spec, seed=1)[name]
    gpu.replay(graph, stream)
    np.testing.assert_array_equal(
        bits(out), bits(expected(kernel, random_tensors(kernel.spec, seed=1))[0])
    )


def test_nothing_is_loaded_while_a_graph_is_captured(kind, gpu):
    from irattn.runtime.direct import DirectSession

    artifact = irattn.compile("gqa_causal_tiny", target="gfx1100")
    session = DirectSession(artifact, emulated_device.direct_driver("gfx1100"))
    given, stream = gpu.lend(random_tensors(artifact.spec).values(), kind), gpu.stream()
    gpu.begin(stream)
    with pytest.raises(DeviceError, match=r"while a graph is captured; call kernel\.prepare"):
        session.call(given, stream=stream)
    error, _ = gpu.end(stream)
    assert error == 0, "the capture is still valid"


def test_the_stand_in_refuses_what_a_capture_does_not_allow(gpu):
    import ctypes

    stream, memory = gpu.stream(), ctypes.c_void_p()
    gpu.begin(stream)
    assert gpu.hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(16)) == 900
    error, graph = gpu.end(stream)
    assert (error, graph.value) == (901, None)
