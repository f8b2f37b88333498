"""New tokens written into one array of keys and values, and attention over it, on CPUs."""

import numpy as np
import pytest

from irattn import CacheWriteSpec, DeviceArray, PackedPagedUpdateAttentionSpec
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime.arrays import aligned_copy
from support.joined import together

HEADS = {"num_kv_heads": 2, "head_dim": 32, "io_dtype": "f32", "joint_cache": True}
SIZES = {"num_q_heads": 4, "batch": 4, "q_tokens": 40, "num_blocks": 8, "max_blocks": 4}
ATTEND = PackedPagedUpdateAttentionSpec(**HEADS, **SIZES)
WRITE = CacheWriteSpec(**HEADS, num_tokens=20, num_blocks=8)
SPECS = [spec.replace(layout=layout) for spec in (ATTEND, WRITE) for layout in ("HND", "NHD")]
KERNELS = together(SPECS, None)
CACHES = ("key_cache", "value_cache")


def halves(spec, cache):
    """The slots of keys and those of values."""
    return np.split(cache, 2, axis=1 if spec.layout == "NHD" else 2)


@pytest.mark.parametrize("joined", KERNELS, ids=str)
def test_one_array_is_given_as_both(joined):
    spec, kernel = joined.graph.spec, joined.load()
    tensors = random_tensors(spec)
    tensors["value_cache"] = tensors["key_cache"]
    expected = reference(spec, tensors)
    memory = aligned_copy(tensors["key_cache"])
    given = {name: DeviceArray.from_numpy(array) for name, array in tensors.items()}
    given |= {name: DeviceArray.from_dlpack(memory) for name in CACHES}
    *attended, _, _ = kernel.outputs(**given, donate=CACHES)
    for found, exact in zip(attended, expected, strict=False):
        np.testing.assert_allclose(found.to_numpy(), exact, rtol=0, atol=1e-5)
    for half, own in enumerate(halves(spec, memory)):
        written = halves(spec, expected[half - 2])[half]
        np.testing.assert_array_equal(own, written)
        assert not np.array_equal(own, halves(spec, tensors["key_cache"])[half])


@pytest.mark.parametrize("joined", KERNELS, ids=str)
def test_two_arrays_have_a_half_each(joined):
    spec = joined.graph.spec
    tensors = random_tensors(spec)
    outputs = joined.load().outputs(**tensors)
    for found, exact in zip(outputs, reference(spec, tensors), strict=True):
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-5)
    for half in range(2):
        before = halves(spec, tensors[CACHES[half]])[1 - half]
        np.testing.assert_array_equal(halves(spec, outputs[half - 2])[1 - half], before)


@pytest.mark.parametrize("spec", [ATTEND, WRITE], ids=["attention", "write"])
def test_keys_and_values_are_as_wide(spec):
    with pytest.raises(SpecError, match="value_dim: expected head_dim, 32, with joint_cache"):
        spec.replace(value_dim=16)


def test_rows_of_both_are_counted():
    with pytest.raises(SpecError, match=r"num_blocks \* num_kv_heads \* 2 \* block_size"):
        WRITE.replace(num_blocks=2**26)
