"""Memory that arrays on a device share with those of other libraries, by DLPack."""

import gc
import weakref

import ml_dtypes
import numpy as np
import pytest

from irattn import DeviceArray, Transfers, transfers
from irattn.core.errors import ArgumentError
from irattn.lab.emulated_gpu.device import device_of
from irattn.lab.inputs import random_tensors
from irattn.runtime.arrays import aligned_empty
from support.device_calls import loaded, on_device, same


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
