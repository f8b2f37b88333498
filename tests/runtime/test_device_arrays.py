"""Arrays that stay on a device: made, given to kernels, donated, shared, and freed."""

import ctypes
import re
import resource
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import irattn
from irattn import DeviceArray, Transfers, transfers
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError, DeviceError, TooLargeError
from irattn.lab.emulated_gpu.device import device_of
from irattn.lab.inputs import random_tensors
from irattn.runtime import dlpack, load_artifact
from irattn.runtime.arrays import aligned_empty
from irattn.runtime.memory import Device, element_type
from irattn.runtime.pages import LARGE_BYTES
from irattn.runtime.session import Session
from support.device_calls import SPEC, loaded, on_device, same
from support.tiny import tiny_artifact, tiny_names

TINY = tiny_names("cpu")

DTYPES = ["f32", "f16", "bf16", "i32", "i64", "bool"]
NUMPY = [np.float32, np.float16, ml_dtypes.bfloat16, np.int32, np.int64, np.bool_]


def numpy_zeros(shape, dtype):
    return DeviceArray.from_numpy(np.zeros(shape, dtype))


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
