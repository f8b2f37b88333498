"""Arrays that stay on a device: made, given to kernels, donated, shared, and freed."""

import copy
import ctypes
import gc
import pickle
import re
import resource
import subprocess
import sys
import weakref
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import irattn
from irattn import AttentionSpec, DeviceArray, Transfers, transfers
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError, DeviceError, TooLargeError
from irattn.lab.emulated_gpu.device import device_of
from irattn.lab.inputs import random_tensors
from irattn.runtime import dlpack, load_artifact
from irattn.runtime.arrays import aligned_empty
from irattn.runtime.memory import Device, element_type
from irattn.runtime.pages import LARGE_BYTES
from irattn.runtime.session import Session
from support.tiny import tiny_artifact, tiny_names

TINY = tiny_names("cpu")

SPEC = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=5, kv_len=7, head_dim=8, io_dtype="f32", causal=True
)
DTYPES = ["f32", "f16", "bf16", "i32", "i64", "bool"]
NUMPY = [np.float32, np.float16, ml_dtypes.bfloat16, np.int32, np.int64, np.bool_]


def loaded(name="attention", device="local-sync"):
    return irattn.load(SPEC if name == "attention" else name, device=device)


def on_device(kernel, tensors, *but):
    return {
        name: array if name in but else DeviceArray.from_numpy(array, kernel.device)
        for name, array in tensors.items()
    }


def numpy_zeros(shape, dtype):
    return DeviceArray.from_numpy(np.zeros(shape, dtype))


def same(outputs, expected):
    for output, wanted in zip(outputs, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(output), wanted)


@pytest.mark.parametrize("device", ["cpu", "local-sync", "local-task", "emulator"])
@pytest.mark.parametrize(("name", "kind"), list(zip(DTYPES, NUMPY, strict=True)), ids=DTYPES)
def test_contents_go_to_a_device_and_back(name, kind, device):
    if device == "emulator":
        device = device_of("gfx1100")
    array = (np.arange(24).reshape(2, 3, 4) % 3).astype(kind)
    made = DeviceArray.from_numpy(array, device)
    assert (made.shape, made.dtype) == ((2, 3, 4), array.dtype)
    assert made.device == ("local-sync" if device == "cpu" else device)
    back = made.to_numpy()
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)
    np.testing.assert_array_equal(np.asarray(made), array)
    back[...] = 0
    np.testing.assert_array_equal(made.to_numpy(), array)
    np.testing.assert_array_equal(DeviceArray.zeros((3, 1), name, device).to_numpy(), [[0]] * 3)
    empty = DeviceArray.empty((3, 1), kind, device)
    assert (empty.shape, empty.dtype) == ((3, 1), array.dtype)
    assert repr(empty).startswith(f"<DeviceArray {name} [3, 1] on ")


def test_arrays_that_lie_anyhow_are_copied_in_order():
    array = np.arange(24.0, dtype=np.float32).reshape(4, 6)
    for odd in (array.T, array[::2, ::3], np.asfortranarray(array), array[1:, 1:]):
        np.testing.assert_array_equal(DeviceArray.from_numpy(odd).to_numpy(), odd)
    assert np.asarray(DeviceArray.from_numpy(array), np.float64).dtype == np.float64
    with pytest.raises(ValueError, match=r"np\.from_dlpack shares memory"):
        np.array(DeviceArray.from_numpy(array), copy=False)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DeviceArray.from_numpy([1.0]), "array: expected a NumPy array, got list"),
        (lambda: DeviceArray.from_numpy(np.zeros(3)), "array: expected an element type of f32, "),
        (lambda: DeviceArray.zeros((0, 3), "f32"), "zeros: expected a shape of whole numbers"),
        (lambda: DeviceArray.empty((2.5,), "f32"), "empty: expected a shape of whole numbers"),
        (lambda: DeviceArray.empty(5, "f32"), r"empty: expected a shape, as \(5,\), got 5"),
        (
            lambda: DeviceArray.zeros((2**62, 2**62), "f32"),
            "zeros: expected at most 2.*60 elements",
        ),
        (lambda: DeviceArray.empty((2,), "f8"), "empty: expected an element type of f32, .* f8"),
        (lambda: DeviceArray.empty((2,), "f32", "tpu"), "device: expected one of cpu, .* 'tpu'"),
        (lambda: DeviceArray.empty((2,), "f32", "emulator"), "or a kernel's device"),
    ],
)
def test_what_cannot_be_made_is_refused(make, message):
    with pytest.raises(ArgumentError, match=message):
        make()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "device"),
    [
        *((name, "local-sync") for name in ["attention", *TINY]),
        ("layer_decode_tiny", "local-task"),
    ],
)
def test_a_kernel_gives_what_it_gives_for_numpy_and_copies_nothing_to_the_host(name, device):
    kernel = load_artifact(tiny_artifact(name), device) if name in TINY else loaded(name, device)
    tensors = random_tensors(kernel.spec)
    expected = kernel.outputs(**tensors)
    given = on_device(kernel, tensors)
    # Lengths and cleaned block tables are made once for the same arrays.
    kernel.outputs(**given)
    before = transfers()
    outputs = kernel.outputs(**given)
    copied = transfers() - before
    assert (copied.to_device, copied.to_host) == (0, 0)
    assert all(isinstance(output, DeviceArray) for output in outputs)
    same(outputs, expected)
    for name, array in given.items():
        np.testing.assert_array_equal(array.to_numpy(), tensors[name])


def test_what_is_copied_is_counted():
    kernel = loaded()
    tensors = random_tensors(SPEC)
    query, key, value = tensors.values()
    sizes = [array.nbytes for array in (query, key, value)]
    before = transfers()
    output = kernel(query, key, value)
    assert transfers() - before == Transfers(3, 1, 0, sum(sizes), output.nbytes, 0)
    before = transfers()
    query_there = DeviceArray.from_numpy(query, kernel.device)
    assert transfers() - before == Transfers(1, 0, 0, sizes[0])
    before = transfers()
    mixed = kernel(query_there, key, value)
    assert transfers() - before == Transfers(2, 0, 0, sizes[1] + sizes[2])
    before = transfers()
    np.testing.assert_array_equal(mixed.to_numpy(), output)
    assert transfers() - before == Transfers(to_host=1, bytes_to_host=output.nbytes)


def test_outputs_are_inputs_of_the_next_call():
    kernel = irattn.load(SPEC.replace(q_len=7))
    query, key, value = random_tensors(kernel.spec).values()
    expected = kernel(kernel(query, key, value), key, value)
    given = [DeviceArray.from_numpy(array, kernel.device) for array in (query, key, value)]
    same([kernel(kernel(*given), *given[1:])], [expected])


def test_cpu_devices_share_their_memory():
    first, second = loaded(device="local-sync"), loaded(device="local-task")
    tensors = random_tensors(SPEC)
    before = transfers()
    given = on_device(first, tensors)
    output = second(**given)
    assert output.device == "local-task"
    assert (transfers() - before).to_host == 0
    same([output], [first(**tensors)])


def test_arrays_of_another_device_are_refused():
    kernel = loaded()
    tensors = random_tensors(SPEC)
    there = DeviceArray.from_numpy(tensors["key"], device_of("gfx1100"))
    with pytest.raises(ArgumentError, match=r"^key: expected an array on device local-sync, got "):
        kernel(**{**tensors, "key": there})


def test_an_array_beyond_memory_is_refused():
    with pytest.raises(
        TooLargeError, match="device local-sync: has no memory left for an array of"
    ):
        DeviceArray.empty((2**50,), "f32")


def test_shapes_and_types_are_checked_on_the_device():
    kernel = loaded()
    tensors = random_tensors(SPEC)
    for wrong in (np.zeros((1, 2, 7, 9), np.float32), np.zeros((1, 2, 7, 8), np.float16)):
        with pytest.raises(ArgumentError, match=r"^key: expected f32 \[1, 2, 7, 8\], got"):
            kernel(**{**tensors, "key": DeviceArray.from_numpy(wrong)})
    paged = loaded("gqa_paged_decode_tiny")
    tensors = random_tensors(paged.spec)
    lens = DeviceArray.from_numpy(tensors["context_lens"].astype(np.int64))
    with pytest.raises(ArgumentError, match=r"^context_lens: expected i32 .* on the device"):
        paged(**{**tensors, "context_lens": lens})


INTEGER_INPUTS = [
    (name, tensor.name)
    for name in TINY
    for tensor in catalog.get(name).inputs
    if tensor.dtype == "i32" and not tensor.takes_all
]


@pytest.mark.slow
@pytest.mark.parametrize(("entry", "name"), INTEGER_INPUTS)
def test_integers_on_the_device_are_checked_like_numpys(entry, name):
    kernel = load_artifact(tiny_artifact(entry), "local-sync")
    tensors = random_tensors(kernel.spec)
    tensors[name] = tensors[name].copy()
    tensors[name].flat[0] = 2**31 - 1
    with pytest.raises(ArgumentError) as of_numpy:
        kernel(**tensors)
    given = on_device(kernel, tensors)
    for _ in range(2):
        with pytest.raises(ArgumentError) as of_device:
            kernel(**given)
        assert str(of_device.value) == str(of_numpy.value)


def test_integers_that_others_may_change_are_checked_at_each_call():
    kernel = loaded("gqa_paged_decode_tiny")
    tensors = random_tensors(kernel.spec)
    lens = aligned_empty(tensors["context_lens"].shape, np.dtype(np.int32))
    lens[...] = 1
    given = on_device(kernel, tensors)
    given["context_lens"] = DeviceArray.from_dlpack(lens, "cpu")
    kernel(**given)
    lens[0] = 10**6
    with pytest.raises(ArgumentError, match=r"^context_lens\[0\]: expected 0 to 64, got 1000000"):
        kernel(**given)
    # The other way round: who has a capsule may write.
    given["context_lens"] = DeviceArray.from_numpy(np.ones_like(lens), kernel.device)
    kernel(**given)
    shared = np.from_dlpack(given["context_lens"])
    ctypes.cast(shared.ctypes.data, ctypes.POINTER(ctypes.c_int32))[1] = -1
    with pytest.raises(ArgumentError, match=r"^context_lens\[1\]: expected 0 to 64, got -1"):
        kernel(**given)


@pytest.mark.parametrize("io_dtype", ["f32", "bf16"])
def test_an_output_is_written_in_the_memory_of_another_library(io_dtype):
    kernel = irattn.load(SPEC.replace(io_dtype=io_dtype), device="local-sync")
    tensors = random_tensors(kernel.spec)
    memory = DeviceArray.zeros(kernel.spec.outputs[0].shape, io_dtype)
    kernel(**tensors, out=DeviceArray.from_dlpack(memory, "local-sync"))
    same([memory.to_numpy()], kernel.outputs(**tensors))


def test_a_table_with_other_numbers_past_a_context_follows_its_lengths():
    """The block that is used is the one that the lengths of the same call say."""
    kernel = loaded("gqa_paged_decode_tiny")
    tensors = random_tensors(kernel.spec)
    tensors["block_table"] = np.array([[3, 5, -1, -1], [1, 10**6, 2, 7]], np.int32)
    given = on_device(kernel, tensors)
    for lens in ([20, 16], [16, 3]):
        tensors["context_lens"] = np.array(lens, np.int32)
        given["context_lens"] = DeviceArray.from_numpy(tensors["context_lens"], kernel.device)
        same(kernel.outputs(**given), kernel.outputs(**tensors))
        same([kernel(**{**given, "block_table": tensors["block_table"]})], [kernel(**tensors)])
    # Who has a capsule of the lengths may have changed them.
    tensors["context_lens"] = np.array([32, 3], np.int32)
    shared = np.from_dlpack(given["context_lens"])
    ctypes.memmove(shared.ctypes.data, tensors["context_lens"].ctypes.data, shared.nbytes)
    same(kernel.outputs(**given), kernel.outputs(**tensors))
    given["context_lens"] = DeviceArray.from_numpy(np.array([20, 17], np.int32), kernel.device)
    with pytest.raises(ArgumentError, match=r"^block_table\[1, 1\]: .* got 1000000 \(sequence 1"):
        kernel(**given)


def test_a_table_follows_a_window_and_the_queries_that_are_real():
    """What lies before the window of the first query is not looked at, whichever that is."""
    spec = catalog.get("paged_mixed_tiny").replace(window=(3, None))
    kernel = irattn.load(spec, device="local-sync")
    tensors = random_tensors(spec)
    tensors["context_lens"] = np.array([40, 20], np.int32)
    tensors["block_table"] = np.array([[-1, 5, 6, -1], [-1, 2, -1, -1]], np.int32)
    given = on_device(kernel, tensors)
    for q_lens in ([16, 1], [2, 1]):
        tensors["q_lens"] = np.array(q_lens, np.int32)
        given["q_lens"] = DeviceArray.from_numpy(tensors["q_lens"], kernel.device)
        same(kernel.outputs(**given), kernel.outputs(**tensors))
    tensors["q_lens"] = np.array([2, 4], np.int32)
    given["q_lens"] = DeviceArray.from_numpy(tensors["q_lens"], kernel.device)
    for arrays in (tensors, given):
        with pytest.raises(ArgumentError, match=r"^block_table\[1, 0\]: expected a block id"):
            kernel(**arrays)


def test_tables_are_cleaned_for_the_blocks_of_each_kernel():
    """The same arrays mean other pages where blocks hold fewer tokens."""
    spec = catalog.get("gqa_paged_decode_tiny")
    table = np.array([[3, 5, -1, -1], [1, 2, -1, -1]], np.int32)
    lens = np.array([32, 17], np.int32)
    there = [DeviceArray.from_numpy(array) for array in (table, lens)]
    for block_size in (32, 16):
        kernel = irattn.load(spec.replace(block_size=block_size), device="local-sync")
        tensors = random_tensors(kernel.spec) | {"block_table": table, "context_lens": lens}
        given = on_device(kernel, tensors)
        given |= dict(zip(("block_table", "context_lens"), there, strict=True))
        same(kernel.outputs(**given), kernel.outputs(**tensors))


@pytest.mark.parametrize("lengths", [(1, 1), (77, 100), (64, 128)])
def test_dynamic_sizes_are_padded_on_the_device(lengths):
    spec = SPEC.replace(q_len=128, kv_len=192, dynamic=("q_len", "kv_len"), causal=False)
    kernel = irattn.load(spec)
    tensors = random_tensors(spec.of_sizes(dict(zip(("q_len", "kv_len"), lengths, strict=True))))
    given = on_device(kernel, tensors)
    kernel(**given)
    before = transfers()
    output = kernel(**given)
    copied = transfers() - before
    assert (copied.to_device, copied.to_host) == (0, 0)
    same([output], [kernel(**tensors)])


def test_nothing_is_left_to_chance_in_padding(monkeypatch):
    """New memory may hold NaN, which not every mask hides."""
    spec = SPEC.replace(q_len=128, kv_len=192, dynamic=("q_len", "kv_len"), causal=False)
    kernel = irattn.load(spec)
    tensors = random_tensors(spec.of_sizes({"q_len": 77, "kv_len": 100}))
    given, expected = on_device(kernel, tensors), kernel(**tensors)
    empty = Device.empty

    def full_of_nan(self, shape, dtype_name):
        view = empty(self, shape, dtype_name)
        self.mapped(view, shape, dtype_name)[...] = np.nan if dtype_name == "f32" else -1
        return view

    def call_and_note(self, memory):
        views = map(self.device.view_of, memory)
        floats = [view for view in views if view.element_type == element_type("f32")]
        seen.extend(self.device.mapped(view, tuple(view.shape), "f32") for view in floats)
        return call(self, memory)

    seen, call = [], Session.call
    monkeypatch.setattr(Device, "empty", full_of_nan)
    monkeypatch.setattr(Session, "call", call_and_note)
    same([kernel(**given)], [expected])
    assert [array.shape[2] for array in seen] == [128, 128, 128]
    assert all(np.isfinite(array).all() for array in seen)


@pytest.mark.skipif(
    not Path("/sys/kernel/mm/transparent_hugepage").exists(), reason="no large pages here"
)
@pytest.mark.parametrize("make", [DeviceArray.empty, DeviceArray.zeros, numpy_zeros])
def test_large_arrays_ask_for_large_pages(make):
    assert "hg" in flags_of_memory(make((LARGE_BYTES,), "bool"))


def flags_of_memory(array):
    """What Linux says of the mapping that the middle of an array lies in."""
    address = (
        array.device.mapped(array._live(), array.shape, "bool").ctypes.data + array.shape[0] // 2
    )
    is_there = False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if bounds := re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line):
            is_there = int(bounds[1], 16) <= address < int(bounds[2], 16)
        elif is_there and line.startswith("VmFlags:"):
            return line.split()[1:]
    return []


def test_a_donated_cache_is_written_in_place_and_used_up():
    kernel = loaded("cache_write_tiny")
    tensors = random_tensors(kernel.spec)
    expected = kernel.outputs(**tensors)
    given = on_device(kernel, tensors)
    before = transfers()
    outputs = kernel.outputs(**given, donate=["key_cache", "value_cache"])
    assert transfers() - before == Transfers()
    same(outputs, expected)
    message = (
        "key_cache: expected an array that is still there, got one that was donated to "
        "cache_write_tiny: use its updated_key_cache"
    )
    with pytest.raises(ArgumentError) as caught:
        kernel(**given)
    assert str(caught.value) == message
    for use in (given["key_cache"].to_numpy, given["key_cache"].synchronize):
        with pytest.raises(ArgumentError, match=r"^array: expected an array that is still there"):
            use()
    assert "donated" in repr(given["key_cache"])
    # The next step goes on with what the last one gave.
    given |= dict(zip(("key_cache", "value_cache"), outputs, strict=True))
    same(kernel.outputs(**given, donate=["key_cache"]), kernel.outputs(**tensors))


def test_a_cache_that_is_not_donated_stays_as_it_is():
    kernel = loaded("cache_write_tiny")
    tensors = random_tensors(kernel.spec)
    given = on_device(kernel, tensors)
    before = transfers()
    same(kernel.outputs(**given), kernel.outputs(**tensors))
    assert (transfers() - before).on_device == 2
    np.testing.assert_array_equal(given["key_cache"].to_numpy(), tensors["key_cache"])


def test_wrong_donations_use_nothing_up():
    kernel = loaded("cache_write_tiny")
    tensors = random_tensors(kernel.spec)
    given = on_device(kernel, tensors)
    for changes, donate, message in (
        ({}, ["key"], r"^donate: expected inputs that cache_write updates \(key_cache, value_c"),
        ({}, ["nothing"], r"^donate: expected inputs that .*got 'nothing'"),
        ({}, "key_cache", r"^donate: expected a list of names of inputs, got 'key_cache'"),
        ({}, True, r"^donate: expected a list of names of inputs, got True"),
        ({}, [["key"]], r"^donate: expected a list of names of inputs, got \[\['key'\]\]"),
        ({"key_cache": tensors["key_cache"]}, ["key_cache"], "^key_cache: expected a DeviceArray "),
        ({"value_cache": given["key_cache"]}, ["key_cache"], "^key_cache: .* that value_cache is"),
    ):
        with pytest.raises(ArgumentError, match=message):
            kernel(**{**given, **changes}, donate=donate)
    with pytest.raises(ArgumentError, match=r"^donate: expected inputs that attention updates \(n"):
        loaded()(**random_tensors(SPEC), donate=["query"])
    same(kernel.outputs(**given), kernel.outputs(**tensors))


def test_outputs_go_where_the_caller_wants_them():
    kernel = loaded()
    tensors = random_tensors(SPEC)
    given = on_device(kernel, tensors)
    out = DeviceArray.zeros((1, 4, 5, 8), "f32", kernel.device)
    shared = np.from_dlpack(out)
    before = transfers()
    assert kernel(**given, out=out) is out
    assert transfers() - before == Transfers(on_device=1, bytes_on_device=shared.nbytes)
    np.testing.assert_array_equal(shared, kernel(**tensors))
    assert kernel(**tensors, out=[out]) is out
    write = loaded("cache_write_tiny")
    tensors = random_tensors(write.spec)
    given = on_device(write, tensors)
    target = DeviceArray.empty(given["value_cache"].shape, "f32", write.device)
    first, second = write.outputs(**given, out=(None, target))
    assert first is not target
    assert second is target
    same([first, second], write.outputs(**tensors))


def test_an_out_that_does_not_fit_is_refused():
    kernel = loaded()
    tensors = random_tensors(SPEC)
    small = DeviceArray.zeros((1, 4, 5, 4), "f32")
    for out, message in (
        (
            np.zeros((1, 4, 5, 8), np.float32),
            "out: expected a DeviceArray, or one or None for each",
        ),
        ((small, small), "out: expected a DeviceArray, or one or None for each of output"),
        (("no",), "out: expected a DeviceArray on device local-sync for output, got str"),
        (small, r"out: expected f32 \[1, 4, 5, 8\] for output, got f32 \[1, 4, 5, 4\]"),
        (DeviceArray.zeros((1, 4, 5, 8), "f16"), r"for output, got f16"),
    ):
        with pytest.raises(ArgumentError, match=message):
            kernel(**tensors, out=out)


def test_no_output_goes_where_another_goes_or_into_what_is_given_up():
    kernel = loaded("cache_write_tiny")
    tensors = random_tensors(kernel.spec)
    given = on_device(kernel, tensors)
    one = DeviceArray.empty(given["key_cache"].shape, "f32", kernel.device)
    with pytest.raises(ArgumentError, match=r"^out: .* for updated_v.*, got one that is for upda"):
        kernel(**given, out=(one, one))
    donated = given["key_cache"]
    with pytest.raises(ArgumentError, match=r"^out: .* for updated_v.* is donated as key_cache"):
        kernel(**given, out=(None, donated), donate=["key_cache"])
    # Nothing was used up, and an input that is not donated may be written to.
    outputs = kernel.outputs(**given, out=(donated, None))
    assert outputs[0] is donated
    same(outputs, kernel.outputs(**tensors))


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps])
def test_no_second_array_has_the_memory_of_one_that_may_be_donated(make):
    with pytest.raises(TypeError, match=r"a device array is not copied .*; to_numpy\(\) copies"):
        make(DeviceArray.zeros((2,), "f32"))


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_kernel_stays_in_its_process(make):
    with pytest.raises(TypeError, match=r"a kernel is not copied .*; load its artifact there"):
        make(loaded("layer_decode_tiny"))


WEIGHTS = ("norm_weight", "qkv_weight", "output_weight")


def test_bound_weights_go_up_once():
    kernel = loaded("layer_decode_tiny")
    tensors = random_tensors(kernel.spec)
    weights = {name: tensors[name] for name in WEIGHTS}
    rest = {name: array for name, array in tensors.items() if name not in weights}
    expected = kernel.outputs(**tensors)
    before = transfers()
    bound = kernel.bind(**weights)
    assert (transfers() - before).to_device == len(weights)
    before = transfers()
    outputs = bound.outputs(**rest)
    copied = transfers() - before
    assert (copied.to_device, copied.to_host) == (len(rest), len(expected))
    assert all(isinstance(output, np.ndarray) for output in outputs)
    same(outputs, expected)
    same(bound.outputs(*rest.values()), expected)
    there = bound.outputs(**on_device(kernel, rest))
    assert all(isinstance(output, DeviceArray) for output in there)
    same(there, expected)
    # What the caller does with the arrays afterwards is nothing to the kernel.
    for array in weights.values():
        array[...] = 0
    same(bound.outputs(**rest), expected)


def test_binding_is_checked():
    kernel = loaded("layer_decode_tiny")
    tensors = random_tensors(kernel.spec)
    bound = kernel.bind(norm_weight=tensors["norm_weight"])
    with pytest.raises(ArgumentError, match=r"^norm_weight: is bound; the call takes hidden"):
        bound(**tensors)
    with pytest.raises(ArgumentError, match=r"^norm_weight: expected one of hidden, .* to bind"):
        bound.bind(norm_weight=tensors["norm_weight"])
    with pytest.raises(ArgumentError, match=r"^weights: expected one of .* to bind"):
        kernel.bind(weights=tensors["norm_weight"])
    with pytest.raises(ArgumentError, match=r"^qkv_weight: expected f32 .*, got float64"):
        kernel.bind(qkv_weight=tensors["qkv_weight"].astype(np.float64))
    again = bound.bind(qkv_weight=DeviceArray.from_numpy(tensors["qkv_weight"], kernel.device))
    rest = {n: a for n, a in tensors.items() if n not in ("norm_weight", "qkv_weight")}
    same(again.outputs(**rest), kernel.outputs(**tensors))
    caches = kernel.bind(key_cache=tensors["key_cache"])
    with pytest.raises(ArgumentError, match=r"^donate: .* of the call, got key_cache, which"):
        caches(**{n: a for n, a in tensors.items() if n != "key_cache"}, donate=["key_cache"])
    with pytest.raises(ArgumentError, match=r"^slot_mapping\[0, 0\]: expected -1 to 127, got 999"):
        kernel.bind(slot_mapping=np.full((2, 1), 999, np.int32))
    emulated = device_of("gfx1100")
    for wrong, message in (
        (DeviceArray.zeros((1, 2), "f32"), r"expected f32 \[128\], got f32 \[1, 2\]"),
        (DeviceArray.zeros((128,), "f16"), r"expected f32 \[128\], got f16"),
        (DeviceArray.zeros((128,), "f32", emulated), "expected an array on device local-sync, got"),
    ):
        with pytest.raises(ArgumentError, match=rf"^norm_weight: {message}"):
            kernel.bind(norm_weight=wrong)


def test_a_bound_table_may_have_anything_past_a_context():
    """It follows the lengths of each call, as one that is not bound."""
    kernel = loaded("gqa_paged_decode_tiny")
    tensors = random_tensors(kernel.spec)
    table = tensors.pop("block_table")
    assert table.min() < 0
    expected = kernel(**tensors, block_table=table)
    far = np.where(table < 0, 2**40, table.astype(np.int64))
    for one in (table, far):
        np.testing.assert_array_equal(kernel.bind(block_table=one)(**tensors), expected)
    bound = kernel.bind(block_table=np.full(table.shape, 2**32 + 1))
    with pytest.raises(ArgumentError, match=r"^block_table\[0, 0\]: expected a block id from 0 to"):
        bound(**tensors)


def test_dlpack_shares_memory_both_ways():
    array = aligned_empty((3, 4), np.dtype(np.float32))
    array[...] = 1
    before = transfers()
    made = DeviceArray.from_dlpack(array)
    array[0, 0] = 7
    seen = np.from_dlpack(made)
    assert transfers() - before == Transfers()
    assert seen.ctypes.data == array.ctypes.data
    np.testing.assert_array_equal(made.to_numpy(), array)
    again = DeviceArray.from_dlpack(made, "local-task")
    assert again.device == "local-task"
    assert transfers() - before == Transfers(to_host=1, bytes_to_host=array.nbytes)
    assert made.__dlpack_device__() == (1, 0)
    for dtype in ("f16", "i32", "i64", "bool"):
        zeros = DeviceArray.zeros((2,), dtype)
        assert np.from_dlpack(zeros).dtype == zeros.dtype
        assert DeviceArray.from_dlpack(zeros).dtype == zeros.dtype
    assert DeviceArray.from_dlpack(DeviceArray.zeros((2,), "bf16")).dtype == ml_dtypes.bfloat16


def lent(contents):
    """An array that another library shares with ours, and what tells whether it is there."""
    array = aligned_empty(contents.shape, contents.dtype)
    array[...] = contents
    return array, weakref.ref(array)


@pytest.mark.usefixtures("only_new_garbage")
@pytest.mark.parametrize("device", ["local-sync", "local-task"])
def test_what_lies_in_memory_of_another_library_keeps_it(device):
    array, there = lent(np.arange(24, dtype=np.float32).reshape(4, 6))
    made, expected = DeviceArray.from_dlpack(array, device), array.ravel().copy()
    del array
    for use in (lambda x: x._reshaped((2, 12)), DeviceArray.from_dlpack, np.from_dlpack):
        made = use(made)
        gc.collect()
        assert there() is not None
        np.testing.assert_array_equal(np.asarray(made).ravel(), expected)
    del made
    gc.collect()
    assert there() is None


@pytest.mark.usefixtures("only_new_garbage")
@pytest.mark.parametrize("device", ["local-sync", "local-task"])
@pytest.mark.parametrize("name", ["cache_write_tiny", "paged_update_decode_tiny"])
def test_what_a_kernel_writes_into_memory_of_another_library_keeps_it(name, device):
    kernel = loaded(name, device)
    tensors = random_tensors(kernel.spec)
    expected = [np.asarray(one) for one in kernel.outputs(**tensors)]
    given = on_device(kernel, tensors)
    array, there = lent(tensors["key_cache"])
    given["key_cache"] = DeviceArray.from_dlpack(array, device)
    outputs = kernel.outputs(**given, donate=["key_cache"])
    del array, given
    gc.collect()
    assert there() is not None
    same(outputs, expected)
    del outputs
    gc.collect()
    assert there() is None


def test_a_tensor_at_another_address_is_copied_and_counted():
    memory = aligned_empty((5, 3), np.dtype(np.float32))
    memory[...] = np.arange(15).reshape(5, 3)
    before = transfers()
    made = DeviceArray.from_dlpack(memory[1:])
    assert (transfers() - before).to_device == 1
    np.testing.assert_array_equal(made.to_numpy(), memory[1:])


class Misaligned:
    """A tensor of bf16 at no multiple of 64, in a library that can copy it, or not."""

    dtype = "torch.bfloat16"

    def __init__(self, contents, copies):
        self.contents, self.copies = contents, copies

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **asked):
        if not asked.get("copy"):
            raise IndexError("OUT_OF_RANGE, as IREE says")
        if not self.copies:
            raise TypeError("unexpected keyword argument 'copy'")
        return DeviceArray.from_numpy(self.contents).__dlpack__()


def test_bf16_at_another_address_is_copied_too():
    """NumPy could not: it takes no bf16 from others."""
    contents = np.arange(3).astype(ml_dtypes.bfloat16)
    made = DeviceArray.from_dlpack(Misaligned(contents, copies=True))
    assert made.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(made.to_numpy(), contents)
    with pytest.raises(ArgumentError, match=r"bf16 at an address that is .*: tensor\.clone\(\)"):
        DeviceArray.from_dlpack(Misaligned(contents, copies=False))


class Nowhere:
    """A tensor without memory, as PyTorch's on the device `meta`."""

    def __dlpack_device__(self):
        raise ValueError("Unknown device type meta for Dlpack")

    def __dlpack__(self, **asked):
        raise AssertionError("the memory was taken")


class Elsewhere:
    """A tensor that says it is on another device, and must not be asked for its memory."""

    def __init__(self, *device):
        self.device = device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **kwargs):
        raise AssertionError("the memory was taken")


def test_memory_of_another_device_is_never_taken():
    with pytest.raises(
        ArgumentError, match=r"tensor: expected one on device local-sync .*\(2, 0\)"
    ):
        DeviceArray.from_dlpack(Elsewhere(2, 0), "cpu")
    with pytest.raises(ArgumentError, match="got DLPack's device type 8; copy it to the CPU first"):
        DeviceArray.from_dlpack(Elsewhere(8, 0))
    emulated = device_of("gfx1100")
    with pytest.raises(ArgumentError, match="tensor: expected one on device emulator"):
        DeviceArray.from_dlpack(Elsewhere(10, 0), emulated)
    with pytest.raises(BufferError, match="no other library reads memory of device emulator"):
        np.from_dlpack(DeviceArray.zeros((2,), "f32", emulated))


def test_tensors_that_cannot_be_shared_are_refused():
    array = aligned_empty((4, 8), np.dtype(np.float32))
    fixed = aligned_empty((4, 8), np.dtype(np.float32))
    fixed.flags.writeable = False
    float64 = aligned_empty((4,), np.dtype(np.float64))
    for wrong in (array.T, array[:, :4], fixed, float64, Nowhere(), 5, None):
        with pytest.raises(ArgumentError, match=r"^tensor: expected"):
            DeviceArray.from_dlpack(wrong)


@pytest.mark.usefixtures("only_new_garbage")
def test_a_capsule_keeps_the_memory_and_a_tensor_is_kept():
    made = DeviceArray.from_numpy(np.arange(1000, dtype=np.float32))
    seen = np.from_dlpack(made)
    del made
    gc.collect()
    np.testing.assert_array_equal(seen, np.arange(1000))

    class Tensor(np.ndarray):
        pass

    array = aligned_empty((1000,), np.dtype(np.float32)).view(Tensor)
    kept = weakref.ref(array)
    made = DeviceArray.from_dlpack(array)
    del array
    gc.collect()
    assert kept() is not None
    del made
    gc.collect()
    assert kept() is None


@pytest.mark.slow
def test_an_emulated_gpu_keeps_arrays_too():
    kernel = irattn.load("scale_scores_tiny", target="gfx1100", device="emulator")
    tensors = random_tensors(kernel.spec)
    given = on_device(kernel, tensors)
    before = transfers()
    output = kernel(**given)
    assert transfers() - before == Transfers()
    same([output], [kernel(**tensors)])


def test_what_knows_no_device_arrays_says_so():
    kernel = irattn.load("scale_scores_tiny", target="gfx1100", device="emulator-schedules")
    array = DeviceArray.from_numpy(*random_tensors(kernel.spec).values())
    for use in (lambda: kernel(array), lambda: kernel.bind(scores=array), lambda: kernel.device):
        with pytest.raises(DeviceError, match=r"^device emulator-schedules: takes NumPy arr"):
            use()


def test_memory_is_freed_when_nothing_refers_to_it():
    """What 20,000 calls would keep is far more than the process may grow by."""
    kernel = loaded()
    write = loaded("cache_write_tiny")
    given = on_device(kernel, random_tensors(SPEC))
    steps = on_device(write, random_tensors(write.spec))
    caches = ("key_cache", "value_cache")

    def call(times):
        for _ in range(times):
            kernel(**given)
            steps.update(zip(caches, write(**steps, donate=caches), strict=True))

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    call(2000)
    before = peak()
    call(20_000)
    assert peak() - before < 4096, "kilobytes"


_BEFORE_A_KERNEL = """
import resource
import numpy as np
import irattn
from irattn import DeviceArray

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

query = DeviceArray.from_numpy(np.ones((1, 4, 5, 8), np.float32))
before = peak()
for _ in range(20):
    DeviceArray.zeros((1 << 21,), "f32")
assert peak() - before < 64 << 10, "kilobytes"
heads = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 8, "io_dtype": "f32", "causal": True}
kernel = irattn.load(irattn.AttentionSpec(**heads, q_len=5, kv_len=7), device="local-sync")
keys = DeviceArray.from_numpy(np.ones((1, 2, 7, 8), np.float32))
np.testing.assert_allclose(kernel(query, keys, keys).to_numpy(), 1, rtol=1e-6)
"""


@pytest.mark.slow
def test_arrays_may_be_made_and_dropped_before_the_first_kernel_is_there():
    """In a process of their own: others have loaded kernels."""
    done = subprocess.run(
        [sys.executable, "-c", _BEFORE_A_KERNEL], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_an_array_whose_memory_cannot_be_shared_moves(monkeypatch):
    """As CUDA's outputs, which lie in a pool; the stand-in refuses the first capsule."""
    made = DeviceArray.from_numpy(np.arange(12, dtype=np.float32))
    refused = []

    def exported(view, device):
        if not refused:
            refused.append(view)
            raise RuntimeError("not supported for export")
        return export(view, device)

    export = dlpack.exported
    monkeypatch.setattr(dlpack, "exported", exported)
    before = transfers()
    shared = np.from_dlpack(made)
    assert transfers() - before == Transfers(on_device=1, bytes_on_device=48)
    ctypes.cast(shared.ctypes.data, ctypes.POINTER(ctypes.c_float))[0] = 7
    np.testing.assert_array_equal(made.to_numpy(), shared)
    assert made.to_numpy()[0] == 7
