"""Many threads: the same results, none waits for another, and the same work is done once."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from iree import runtime

import irattn
import irattn.compiling.build
from irattn import AttentionSpec, DeviceArray, transfers
from irattn.core.errors import ArgumentError
from irattn.lab.inputs import random_tensors
from irattn.runtime import cuda_context, iree_providers, transfer_counts
from irattn.runtime.devices import memory_of
from irattn.runtime.memory import Device
from irattn.runtime.once import Once
from irattn.runtime.session import Session

SPEC = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=5, kv_len=7, head_dim=8, io_dtype="f32", causal=True
)
THREADS = 8


def at_once(*calls):
    """What calls give that threads of their own make at the same moment."""
    ready = threading.Barrier(len(calls))

    def wait_and_call(call):
        ready.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(60) for future in [pool.submit(wait_and_call, c) for c in calls]]


@pytest.mark.parametrize("device", ["local-sync", "local-task"])
@pytest.mark.parametrize("name", ["gqa_paged_decode_tiny", "cache_write_tiny"])
def test_threads_get_what_one_gets(name, device):
    kernel = irattn.load(name, device=device)
    given = [random_tensors(kernel.spec, seed) for seed in range(THREADS)]
    expected = [kernel.outputs(**tensors) for tensors in given]

    def call(i):
        for turn in range(20):
            tensors = given[i]
            if turn % 2:
                tensors = {n: DeviceArray.from_numpy(a, device) for n, a in tensors.items()}
            for output, wanted in zip(kernel.outputs(**tensors), expected[i], strict=True):
                np.testing.assert_array_equal(np.asarray(output), wanted)

    at_once(*(lambda i=i: call(i) for i in range(THREADS)))


def test_a_call_does_not_wait_for_another(monkeypatch):
    """Both are within the launch at the same time, or the barrier breaks."""
    kernel = irattn.load(SPEC, device="local-sync")
    tensors = random_tensors(SPEC)
    expected = kernel(**tensors)
    given = [DeviceArray.from_numpy(array, kernel.device) for array in tensors.values()]
    both = threading.Barrier(2, timeout=30)
    make, session = Session._context, kernel._session

    class Meeting:
        """A context in which the launches of two threads wait for each other."""

        def __init__(self, context):
            self.context = context

        def invoke(self, *arguments):
            both.wait()
            self.context.invoke(*arguments)

    monkeypatch.setattr(Session, "_context", lambda session: Meeting(make(session)))
    monkeypatch.setattr(session, "_idle", [*map(Meeting, session._idle)])
    for calls in ([lambda: kernel(**tensors)] * 2, [lambda: kernel(*given)] * 2):
        for output in at_once(*calls):
            np.testing.assert_array_equal(np.asarray(output), expected)


def test_calls_after_each_other_share_a_context(monkeypatch):
    kernel = irattn.load(SPEC.replace(q_len=4), device="local-sync")
    tensors = random_tensors(kernel.spec)
    given = [DeviceArray.from_numpy(array, kernel.device) for array in tensors.values()]
    monkeypatch.delattr(Session, "_context")
    for _ in range(3):
        kernel(**tensors)
        kernel(*given)


def test_of_two_threads_that_donate_an_array_one_gets_it():
    kernel = irattn.load("cache_write_tiny")
    tensors = random_tensors(kernel.spec)

    def donate(given):
        try:
            return kernel.outputs(**given, donate=["key_cache", "value_cache"])
        except ArgumentError as error:
            return error

    for _ in range(50):
        given = {name: DeviceArray.from_numpy(a, kernel.device) for name, a in tensors.items()}
        results = at_once(*[lambda given=given: donate(given)] * 2)
        assert sum(isinstance(result, tuple) for result in results) == 1
        (error,) = (result for result in results if not isinstance(result, tuple))
        assert "donated" in str(error)


def test_each_thread_takes_up_cudas_context_once(monkeypatch):
    taken_up = []

    class Cuda:
        def cuCtxGetCurrent(self, context):  # noqa: N802
            context._obj.value = 7

        def cuCtxSetCurrent(self, context):  # noqa: N802
            taken_up.append((threading.get_ident(), context.value))

    monkeypatch.setattr(cuda_context.ctypes, "CDLL", lambda name: Cuda())
    hal = memory_of("local-sync")._hal
    device = Device("test", hal, is_host=True, attach=cuda_context.context_attacher())
    array = np.arange(8, dtype=np.float32)

    def copy():
        for _ in range(3):
            np.testing.assert_array_equal(DeviceArray.from_numpy(array, device).to_numpy(), array)

    at_once(*[copy] * 4)
    assert sorted(context for _, context in taken_up) == [7] * 4
    assert len({thread for thread, _ in taken_up}) == 4


def test_every_copy_of_every_thread_is_counted():
    array = np.zeros(16, np.float32)
    before = transfers()

    def copy():
        for _ in range(500):
            DeviceArray.from_numpy(array).to_numpy()

    at_once(*[copy] * THREADS)
    copied = transfers() - before
    assert (copied.to_device, copied.bytes_to_host) == (THREADS * 500, THREADS * 500 * 64)


def test_copies_that_nobody_asks_for_are_added_up_now_and_then(monkeypatch):
    monkeypatch.setattr(transfer_counts, "_MOST_NOTED", 10)
    before = transfers()
    for _ in range(25):
        transfer_counts.count("on_device", 3, 2)
        assert len(transfer_counts._noted) <= 10
    counted = transfers() - before
    assert (counted.on_device, counted.bytes_on_device) == (50, 75)


def test_the_same_is_compiled_once(tmp_path, monkeypatch):
    compiled = []
    compile_mlir = irattn.compiling.build.compile_mlir

    def slowly(text, flags):
        compiled.append(text)
        time.sleep(0.2)
        return compile_mlir(text, flags)

    monkeypatch.setattr(irattn.compiling.build, "compile_mlir", slowly)
    artifacts = at_once(*[lambda: irattn.compile(SPEC, target="cpu", out=tmp_path)] * 4)
    assert len(compiled) == 1
    assert {artifact.manifest.key for artifact in artifacts} == {artifacts[0].manifest.key}
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", ".texts", "cpu"]


def test_what_fails_to_compile_keeps_nobody_waiting(tmp_path, monkeypatch):
    def fail(text, flags):
        raise RuntimeError("no")

    monkeypatch.setattr(irattn.compiling.build, "compile_mlir", fail)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no"):
            irattn.compile(SPEC, target="cpu", out=tmp_path)


def test_the_same_is_loaded_once(monkeypatch):
    artifact = irattn.compile(SPEC.replace(q_len=6), target="cpu")
    loaded = []
    copy_buffer = runtime.VmModule.copy_buffer

    class Counting(runtime.VmModule):
        @staticmethod
        def copy_buffer(instance, data):
            loaded.append(data)
            time.sleep(0.2)
            return copy_buffer(instance, data)

    monkeypatch.setattr(runtime, "VmModule", Counting)
    kernels = at_once(*[lambda: irattn.load(artifact, device="local-sync")] * 4)
    assert len(loaded) == 1
    assert irattn.load(artifact, device="local-sync")._session is kernels[0]._session
    assert irattn.load(artifact, device="local-task")._session is not kernels[0]._session
    assert len(loaded) == 2
    del kernels
    irattn.load(artifact, device="local-sync")
    assert len(loaded) == 3
    assert not iree_providers._sessions._making


def test_one_that_is_made_keeps_no_other_waiting():
    things = Once()

    class Thing:
        pass

    def make_with_another():
        return [Thing(), things.get("another", Thing)][0]

    first, second = at_once(*[lambda: things.get("one", make_with_another)] * 2)
    assert first is second
    with pytest.raises(ZeroDivisionError):
        things.get("none", lambda: 1 / 0)
    assert isinstance(things.get("none", Thing), Thing)
