"""How calls' memory is allocated, and that it does not grow with the number of calls."""

import resource

import numpy as np
import pytest
from iree import runtime

import irattn
from irattn import AttentionSpec, DeviceArray
from irattn.lab.inputs import random_tensors
from irattn.runtime import allocation
from irattn.runtime.allocation import KeptSizes
from irattn.runtime.memory import Device

pytestmark = pytest.mark.slow

TINY = AttentionSpec(num_q_heads=1, num_kv_heads=1, q_len=1, kv_len=16, head_dim=16)


class Allocator:
    trims = 0

    def trim(self):
        self.trims += 1


@pytest.fixture
def said(monkeypatch):
    """What is said to IREE, in order, where a driver of CUDA's is there."""
    said = []

    class Driver:
        def create_default_device(self, allocators):
            said.append(allocators)
            return "the device"

    def create(name):
        said.append(name)
        return Driver()

    monkeypatch.setattr("iree.runtime._binding.create_hal_driver", create)
    monkeypatch.setattr("iree.runtime.flags.parse_flags", said.append)
    allocation._cuda_driver.cache_clear()
    yield said
    allocation._cuda_driver.cache_clear()


def test_cuda_keeps_freed_memory_for_the_next_call(said):
    assert allocation.open_gpu("cuda") == "the device"
    without, name, with_them, (allocator,) = said
    # Other drivers of this process are made as they would be without irattn.
    assert (without, name) == ("--cuda_async_allocations=false", "cuda")
    assert with_them == "--cuda_async_allocations=true"
    kind, _, pools = allocator.partition(":")
    assert kind == "caching"
    for pool in pools.split(","):
        _, most_bytes, most_buffers = pool.split(";")
        assert "*" not in (most_bytes, most_buffers), "without bound"


def test_the_flag_is_one_of_the_runtimes():
    runtime.flags.parse_flags(allocation._NO_POOLS.format("true"))


def test_the_allocator_is_one_of_the_runtimes():
    pools = allocation._KEEPING.partition(":")[2].split(",")
    # A CPU has one kind of memory.
    limits = [pool.partition("=")[2] for pool in pools]
    kept = "caching:" + ",".join(f"device_local={limit}" for limit in limits)
    device = runtime.get_driver("local-sync").create_default_device(allocators=[kept])
    usage, local = int(runtime.BufferUsage.DEFAULT), int(runtime.MemoryType.DEVICE_LOCAL)
    assert device.allocator.allocate_buffer(local, usage, 64).byte_length() == 64


def test_hip_is_opened_as_it_is(monkeypatch):
    monkeypatch.setattr(runtime, "get_device", lambda name: f"{name} itself")
    assert allocation.open_gpu("hip") == "hip itself"


def test_memory_is_given_back_where_sizes_change():
    allocator = Allocator()
    sizes = KeptSizes(allocator)
    for _ in range(3):
        for size in range(allocation.MOST_SIZES):
            sizes.add(size)
    assert allocator.trims == 0
    sizes.add(allocation.MOST_SIZES)
    assert allocator.trims == 1
    for size in range(10 * allocation.MOST_SIZES):
        sizes.add(size)
    assert allocator.trims == 11


def test_memory_is_given_back_where_it_is_much():
    allocator = Allocator()
    sizes = KeptSizes(allocator)
    for _ in range(5):
        sizes.add(allocation.MOST_BYTES // 2)
        sizes.add(allocation.MOST_BYTES // 2 - 1)
    assert allocator.trims == 0
    sizes.add(2)
    assert allocator.trims == 1
    # One size alone, however large, is what each call takes again.
    for _ in range(5):
        sizes.add(2 * allocation.MOST_BYTES)
    assert allocator.trims == 2


class Seen(list):
    def add(self, num_bytes):
        self.append(num_bytes)


@pytest.mark.parametrize(
    ("name", "made"),
    [("gqa_decode_tiny", ["output"]), ("lse_tiny", ["output", "lse"]), ("cache_write_tiny", [])],
)
def test_a_gpu_knows_what_calls_make_but_for_what_they_update(monkeypatch, name, made):
    run = irattn.load(irattn.compile(name, target="gfx1100"), device="emulator")
    tensors = random_tensors(run.spec)
    seen = Seen()
    monkeypatch.setattr(run.device, "_kept", seen)
    found = run(**{key: DeviceArray.from_numpy(a, run.device) for key, a in tensors.items()})
    outputs = dict(zip((tensor.name for tensor in run.spec.outputs),
                       found if isinstance(found, tuple) else (found,), strict=True))  # fmt: skip
    assert seen == [outputs[key].to_numpy().nbytes for key in made]


def test_memory_that_callers_ask_for_is_not_kept_for_calls():
    """IREE's caching allocator leaves alone what may be exported."""

    class Gpu:
        allocator = Allocator()

    exported = int(runtime.BufferUsage.SHARING_EXPORT)
    assert Device("cuda", Gpu(), is_host=False)._usage & exported
    assert not Device("local-sync", Gpu(), is_host=True)._usage & exported


@pytest.mark.parametrize("kind", ["NumPy", "device"])
def test_many_calls_take_no_more_memory(kind):
    run = irattn.load(irattn.compile(TINY, target="cpu"), device="local-sync")
    tensors = random_tensors(TINY)
    if kind == "device":
        tensors = {key: DeviceArray.from_numpy(a, run.device) for key, a in tensors.items()}

    def peak_after(calls):
        for _ in range(calls):
            run(**tensors)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = peak_after(2_000)
    # 400 bytes a call would be 8 MB.
    assert peak_after(20_000) - before < 4_000
    assert np.isfinite(np.asarray(run(**random_tensors(TINY)), np.float32)).all()
