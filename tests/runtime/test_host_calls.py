"""Calls of kernels for CPUs on memory that is named by its address."""

import numpy as np
import pytest

import irattn
from irattn import DeviceArray
from irattn.core.errors import ArgumentError, DeviceError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime.arrays import aligned_copy, aligned_empty
from irattn.runtime.host_calls import HostCalls
from irattn.specs.packed_paged_attention import packed_paged_tiny
from irattn.specs.packed_paged_update_attention import packed_updating

pytestmark = pytest.mark.slow

SPEC = packed_updating(packed_paged_tiny())
MOVED = ("query", "key", "value", "key_cache", "value_cache")


def calls_of(driver, tensors):
    kernel = irattn.load(SPEC, device=driver)
    return HostCalls(
        kernel, {n: DeviceArray.from_numpy(x, kernel.device) for n, x in tensors.items()}, MOVED
    )


@pytest.mark.parametrize("driver", ["local-task", "local-sync"])
def test_what_is_moved_is_read_and_written_there(driver):
    first = random_tensors(SPEC)
    calls = calls_of(driver, first)
    for seed in (1, 2):
        others = {name: random_tensors(SPEC, seed)[name] for name in MOVED}
        tensors = {**first, **others}
        expected = reference(SPEC, tensors)
        memory = [aligned_copy(tensors[name]) for name in MOVED]
        output = aligned_empty(expected[0].shape, np.dtype(np.float32))
        at = [array.ctypes.data for array in (*memory, output)]
        calls.run(at[:-1], at[-1:])
        for found, exact in zip((output, *memory[3:]), expected, strict=True):
            np.testing.assert_allclose(found, exact, rtol=0, atol=1e-5)


def test_what_stays_is_checked():
    tensors = random_tensors(SPEC)
    tensors["slot_mapping"][:2] = 5
    with pytest.raises(ArgumentError, match=r"slot_mapping\[1\]: expected a slot of its own"):
        calls_of("local-sync", tensors)


def test_a_kernel_that_makes_its_outputs_is_refused():
    spec = irattn.AttentionSpec(
        num_q_heads=4, num_kv_heads=4, q_len=32, kv_len=32, head_dim=32, io_dtype="f32"
    )
    kernel = irattn.load(spec, device="local-sync")
    with pytest.raises(DeviceError, match="writes no outputs where they are wanted"):
        HostCalls(kernel, {}, ())
