"""Calls that return before they are done: what is read waits, and nothing is used too early."""

import resource
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from iree.runtime import HalFence

import irattn
from irattn import AttentionSpec, DeviceArray, Transfers, targets, transfers
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError, DeviceError
from irattn.lab.inputs import random_tensors
from irattn.runtime import load_artifact
from irattn.runtime.devices import open_device
from irattn.runtime.queue import MOST_CALLS, Launched
from irattn.targets import Target
from support.joined import Graph, compiled_together

SPEC = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=7, kv_len=7, head_dim=8, io_dtype="f32", causal=True
)
DEVICE = "local-task"
CACHES = ["key_cache", "value_cache"]


class Gate:
    """What this thread launches waits until it is opened, as behind a kernel that takes long."""

    def __init__(self):
        device = open_device(DEVICE)
        # Without what tests before this one have launched.
        vars(device._queues).clear()
        self.queue = device.queue
        self._semaphore = self.queue._hal.create_semaphore(0)
        fence = HalFence.create_at(self._semaphore, 1)
        self.launched = Launched(self.queue, "gate", self._semaphore, fence)
        self.queue._last = self.launched
        self.queue._recent.append(self.launched)

    def open(self):
        if not self.launched.is_done:
            self._semaphore.signal(1)

    def break_down(self):
        self._semaphore.fail("it broke down")

    def opened_by(self, call):
        """What a call gives that waits for the gate, which is opened in the meantime."""
        with ThreadPoolExecutor(1) as pool:
            pool.submit(self._open_soon)
            result = call()
            assert self.launched.is_done, "it did not wait"
        return result

    def _open_soon(self):
        threading.Event().wait(0.05)
        self.open()


@pytest.fixture
def gate():
    gate = Gate()
    yield gate
    gate.open()


def case(name="attention", device=DEVICE):
    kernel = irattn.load(SPEC if name == "attention" else name, device=device)
    tensors = random_tensors(kernel.spec)
    given = {n: DeviceArray.from_numpy(array, device) for n, array in tensors.items()}
    return kernel, tensors, given


def is_done(array):
    return array._launched is None or array._launched.is_done


def in_a_thread(call):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result(60)


READS = {
    "to_numpy": DeviceArray.to_numpy,
    "asarray": np.asarray,
    "dlpack": np.from_dlpack,
    "checks": lambda array: array._contents().copy(),
    "reshaped": lambda array: array._reshaped((4, 7, 8)).to_numpy()[None],
    "another thread": lambda array: in_a_thread(array.to_numpy),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_call_returns_before_it_is_done_and_reading_waits(gate, read):
    kernel, tensors, given = case()
    expected = kernel(**tensors)
    before = transfers()
    output = kernel(**given)
    assert not is_done(output)
    assert transfers() - before == Transfers()
    np.testing.assert_array_equal(gate.opened_by(lambda: read(output)), expected)
    assert is_done(output)
    assert (transfers() - before).on_device == 0


@pytest.mark.parametrize("name", ["cache_write_tiny", "mlp_decode_tiny"])
def test_the_hip_driver_of_iree_takes_queued_calls(monkeypatch, name):
    """On the emulator, which does not need it; with memory for what lies between kernels."""
    kernel = load_artifact(irattn.compile(name, target="gfx1100"), "emulator")
    monkeypatch.setattr(kernel.device, "has_queues", True)
    tensors = random_tensors(kernel.spec)
    given = {n: DeviceArray.from_numpy(array, kernel.device) for n, array in tensors.items()}
    first, second = kernel.outputs(**given), kernel.outputs(**given)
    assert first[0]._launched
    # Of one graph the caches, which it updates, of the other the weights.
    *rest, former, latter = tensors
    bound = kernel.bind(**{name: given[name] for name in (former, latter)})
    third = bound.outputs(**{name: tensors[name] for name in rest})
    for *outputs, wanted in zip(first, second, third, kernel.outputs(**tensors), strict=True):
        for output in outputs:
            np.testing.assert_array_equal(np.asarray(output), wanted)


def test_a_numpy_call_waits_for_what_is_bound(gate):
    kernel, tensors, given = case()
    expected = kernel(kernel(**tensors), tensors["key"], tensors["value"])
    bound = kernel.bind(query=kernel(**given))
    rest = {name: tensors[name] for name in ("key", "value")}
    np.testing.assert_array_equal(gate.opened_by(lambda: bound(**rest)), expected)


def test_a_numpy_call_waits_for_the_copies_of_bound_caches(gate):
    kernel, tensors, given = case("cache_write_tiny")
    expected = kernel(**tensors)
    bound = kernel.bind(**{name: given[name] for name in CACHES})
    rest = {name: array for name, array in tensors.items() if name not in CACHES}
    for output, wanted in zip(gate.opened_by(lambda: bound(**rest)), expected, strict=True):
        np.testing.assert_array_equal(output, wanted)


def test_where_a_launch_is_done_when_it_returns_nothing_is_waited_for():
    kernel, tensors, given = case(device="local-sync")
    output = kernel(**given)
    assert output._launched is None
    np.testing.assert_array_equal(output.to_numpy(), kernel(**tensors))


def test_calls_on_each_others_results_follow_in_order(gate):
    kernel, tensors, given = case()
    query, key, value = tensors.values()
    expected = kernel(kernel(kernel(query, key, value), key, value), key, value)
    output = given.pop("query")
    for _ in range(3):
        output = kernel(output, **given)
    assert not is_done(output)
    gate.open()
    np.testing.assert_array_equal(output.to_numpy(), expected)


def test_arrays_that_are_dropped_are_kept_until_they_are_used(gate):
    kernel, tensors, given = case()
    shapes = [array.shape for array in given.values()]
    output = kernel(**given)
    given.clear()
    taken = [
        DeviceArray.from_numpy(np.full(shape, np.nan, np.float32), DEVICE) for shape in shapes * 8
    ]
    gate.open()
    np.testing.assert_array_equal(output.to_numpy(), kernel(**tensors))
    assert len(taken) == 8 * len(shapes)


@pytest.mark.parametrize("donate", [CACHES, []], ids=["donated", "copied"])
def test_what_is_written_in_place_is_written_in_order(gate, donate):
    kernel, tensors, given = case("cache_write_tiny")
    expected = kernel.outputs(**tensors)
    # The second call writes the same tokens to other slots of what the first one gives.
    other = {**tensors, "slot_mapping": np.roll(tensors["slot_mapping"], 1)}
    expected = kernel.outputs(**{**other, **dict(zip(CACHES, expected, strict=True))})
    first = kernel.outputs(**given, donate=donate)
    given["slot_mapping"] = DeviceArray.from_numpy(other["slot_mapping"], DEVICE)
    second = kernel.outputs(**{**given, **dict(zip(CACHES, first, strict=True))}, donate=donate)
    assert not is_done(second[0])
    gate.open()
    for output, wanted in zip(second, expected, strict=True):
        np.testing.assert_array_equal(output.to_numpy(), wanted)
    for name in CACHES:
        if donate:
            with pytest.raises(ArgumentError, match="was donated to cache_write_tiny"):
                given[name].synchronize()
        else:
            np.testing.assert_array_equal(given[name].to_numpy(), tensors[name])


def test_what_an_earlier_call_reads_is_overwritten_after_it(gate):
    kernel, tensors, given = case()
    expected = kernel(**tensors)
    first = kernel(**given)
    other = {**tensors, "query": tensors["query"] + 1}
    query = DeviceArray.from_numpy(other["query"], DEVICE)
    assert kernel(query, given["key"], given["value"], out=given["query"]) is given["query"]
    assert not is_done(given["query"])
    gate.open()
    np.testing.assert_array_equal(first.to_numpy(), expected)
    np.testing.assert_array_equal(given["query"].to_numpy(), kernel(**other))


def test_padding_copies_and_zeros_are_queued_too(gate):
    spec = SPEC.replace(q_len=128, kv_len=192, dynamic=("q_len", "kv_len"), causal=False)
    kernel = irattn.load(spec, device=DEVICE)
    tensors = random_tensors(spec.of_sizes({"q_len": 77, "kv_len": 100}))
    given = {n: DeviceArray.from_numpy(array, DEVICE) for n, array in tensors.items()}
    output = kernel(**given)
    assert output._launched is gate.queue._last
    zeros = DeviceArray.zeros(output.shape, "f32", DEVICE)
    zeros._copy_parts(output, [(0, 4, 8)])
    assert not is_done(output)
    assert not is_done(zeros)
    gate.open()
    expected = kernel(**tensors)
    np.testing.assert_array_equal(output.to_numpy(), expected)
    assert zeros.to_numpy().ravel()[:4].tolist() == [0, *expected.ravel()[:2].tolist(), 0]


GIVEN = {
    "attention": SPEC.replace(return_lse=True, dynamic=("q_len", "kv_len")),
    # What lies between its kernels needs memory.
    "mlp": catalog.get("mlp_decode_tiny"),
}


@pytest.fixture(scope="module")
def given_memory():
    """Artifacts for this CPU whose functions for queues are given memory, as those for `cuda`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Target, "asks_for_memory", True)
        graphs = [Graph(spec) for spec in GIVEN.values()]
        made = compiled_together(graphs, targets.get("cpu"), with_queues=True)
    return dict(zip(GIVEN, made, strict=True))


@pytest.mark.parametrize("name", GIVEN)
def test_a_function_may_be_given_memory_for_what_it_makes(given_memory, name):
    kernel = load_artifact(given_memory[name], DEVICE)
    assert kernel._session._between
    sizes = [{name: n for name in kernel.spec.dynamic} for n in (3, 7)]
    for call in map(kernel.spec.of_sizes, sizes):
        tensors = random_tensors(call)
        given = {n: DeviceArray.from_numpy(array, DEVICE) for n, array in tensors.items()}
        calls = [kernel.outputs(**given) for _ in range(3)]
        for outputs in calls:
            for output, expected in zip(outputs, kernel.outputs(**tensors), strict=True):
                np.testing.assert_array_equal(output.to_numpy(), expected)


def test_other_threads_do_not_wait(gate):
    kernel, tensors, given = case()
    mine = kernel(**given)
    others = in_a_thread(lambda: kernel(**given).to_numpy())
    assert not is_done(mine)
    gate.open()
    np.testing.assert_array_equal(others, kernel(**tensors))


@pytest.mark.parametrize("is_first", [True, False], ids=["first", "second"])
def test_a_cache_that_another_thread_still_reads_is_not_overwritten(gate, is_first):
    kernel, tensors, given = case("cache_write_tiny")
    expected = kernel.outputs(**tensors)
    with ThreadPoolExecutor(1) as thread:
        if not is_first:
            thread.submit(lambda: kernel.outputs(**given)[0].synchronize()).result(60)
        # What is updated here are copies, so that the caches are only read.
        mine = kernel.outputs(**given)
        assert not is_done(mine[0])
        donate = thread.submit(lambda: kernel.outputs(**given, donate=CACHES))
        theirs = gate.opened_by(lambda: donate.result(60))
    for outputs in (mine, theirs):
        for array, wanted in zip(outputs, expected, strict=True):
            np.testing.assert_array_equal(array.to_numpy(), wanted)


def test_an_output_does_not_go_where_another_thread_still_reads(gate):
    kernel, tensors, given = case()
    expected = kernel(**tensors)
    mine = kernel(**given)
    query, key, value = (DeviceArray.from_numpy(array, DEVICE) for array in tensors.values())
    put = gate.opened_by(lambda: in_a_thread(lambda: kernel(query, key, value, out=given["query"])))
    for array in (mine, put):
        np.testing.assert_array_equal(array.to_numpy(), expected)


def test_threads_that_have_ended_are_forgotten():
    kernel, tensors, given = case()
    expected = kernel(**tensors)
    for _ in range(40):
        np.testing.assert_array_equal(in_a_thread(lambda: kernel(**given).to_numpy()), expected)
    assert len(given["key"]._others) < 20


def test_what_another_library_may_change_is_used_before_the_call_returns(gate):
    kernel, tensors, given = case()
    expected = kernel(**tensors)
    np.from_dlpack(given["key"])
    output = gate.opened_by(lambda: kernel(**given))
    assert is_done(output)
    np.testing.assert_array_equal(output.to_numpy(), expected)


def test_a_failure_shows_where_it_is_waited_for_and_ends_there(gate):
    kernel, tensors, given = case()
    output = kernel(**given)
    behind = kernel(output, given["key"], given["value"])
    gate.break_down()
    # All of these build on what has failed, and say what that is.
    for use in (behind.to_numpy, output.synchronize, lambda: in_a_thread(output.to_numpy)):
        with pytest.raises(DeviceError, match=r"^gate: launch on device .* failed: .*broke"):
            use()
    with pytest.raises(DeviceError, match=r"^gate: launch on device local-task failed"):
        in_a_thread(lambda: kernel(output, given["key"], given["value"]))
    np.testing.assert_array_equal(kernel(**given).to_numpy(), kernel(**tensors))


def test_a_kernel_that_fails_is_named(gate):
    kernel, _, given = case()
    output = kernel(**given)
    # As if it were none of the queue's own.
    gate.queue._recent.remove(gate.launched)
    gate.break_down()
    name = kernel.artifact.manifest.name
    with pytest.raises(DeviceError, match=f"^{name}: launch on device local-task failed"):
        output.synchronize()


def test_so_many_calls_are_under_way_and_no_more(gate):
    kernel, tensors, given = case()
    outputs = [kernel(**given) for _ in range(2 * MOST_CALLS - 1)]
    assert not is_done(outputs[0])
    outputs += gate.opened_by(lambda: [kernel(**given) for _ in range(MOST_CALLS)])
    assert is_done(outputs[0])
    np.testing.assert_array_equal(outputs[-1].to_numpy(), kernel(**tensors))


@pytest.mark.slow
def test_many_queued_calls_need_no_more_memory_than_a_few():
    kernel, _, given = case()
    for calls in (1_000, 10_000):
        for _ in range(calls):
            output = kernel(**given)
        output.synchronize()
        if calls == 1_000:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024


@pytest.mark.parametrize("name", ["attention", "cache_write_tiny"])
def test_artifacts_without_a_function_for_queues_wait(gate, monkeypatch, name):
    """Those of earlier versions. What is updated in place is copied first, in the queue."""
    kernel, tensors, given = case(name)
    expected = kernel.outputs(**tensors)
    monkeypatch.setattr(kernel._session, "_queued", None)
    if name == "attention":
        given["query"]._copy_parts(given["query"], [])
    outputs = gate.opened_by(lambda: kernel.outputs(**given))
    for output, wanted in zip(outputs, expected, strict=True):
        assert is_done(output)
        np.testing.assert_array_equal(output.to_numpy(), wanted)


def test_an_array_that_is_overwritten_is_checked_again():
    kernel, _, given = case("greedy_choice_tiny")
    (tensor,) = kernel.spec.outputs
    out = DeviceArray.from_numpy(np.zeros(tensor.largest_shape, np.int32), DEVICE)
    out._pass("of other contents")
    out._cleaned = {"of other contents": out}
    kernel(**given, out=out)
    assert "of other contents" not in out._type.passed
    assert not out._cleaned
