"""Outputs that kernels for CPUs write where the caller wants them."""

import numpy as np
import pytest

import irattn
from irattn import DeviceArray, transfers
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime.arrays import aligned_empty
from irattn.specs.packed_paged_attention import packed_paged_tiny
from irattn.specs.packed_paged_update_attention import packed_updating

pytestmark = pytest.mark.slow

SPECS = [packed_paged_tiny(return_lse=True), packed_updating(packed_paged_tiny())]
SPECS += [spec.replace(dynamic=("batch", "q_tokens")) for spec in SPECS]


@pytest.mark.parametrize("driver", ["local-task", "local-sync"])
@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: f"{spec.op} {spec.dynamic}")
def test_new_outputs_are_written_where_they_are_wanted(spec, driver):
    kernel = irattn.load(spec, device=driver)
    tensors = random_tensors(spec)
    # Of a table that names no block past a context a cleaned one is made.
    tensors["block_table"] = tensors["block_table"].clip(0)
    given = {n: DeviceArray.from_numpy(array, kernel.device) for n, array in tensors.items()}
    # Of each kind: memory of the host's, and of the device's.
    memory = aligned_empty(spec.outputs[0].largest_shape, np.dtype(np.float32))
    out = [DeviceArray._in_memory_of(memory, "f32", kernel.device)]
    out += [
        None if tensor.name in spec.updates
        else DeviceArray.zeros(tensor.largest_shape, "f32", kernel.device)
        for tensor in spec.outputs[1:]
    ]  # fmt: skip
    donate = tuple(spec.updates.values())
    before = transfers()
    outputs = kernel.outputs(**given, out=out, donate=donate)
    assert (transfers() - before).on_device == 0
    for found, wanted, exact in zip(outputs, out, reference(spec, tensors), strict=True):
        assert wanted is None or found is wanted
        np.testing.assert_allclose(found.to_numpy(), exact, rtol=0, atol=1e-5)
    # Who shares it need not wait.
    np.testing.assert_array_equal(memory, outputs[0].to_numpy())


def test_an_output_that_is_not_wanted_anywhere_is_made():
    """Then the other is copied, as ever."""
    spec, kernel = SPECS[0], irattn.load(SPECS[0], device="local-task")
    tensors = random_tensors(spec)
    wanted = DeviceArray.zeros(spec.outputs[0].largest_shape, "f32", kernel.device)
    given = {n: DeviceArray.from_numpy(array, kernel.device) for n, array in tensors.items()}
    outputs = kernel.outputs(**given, out=(wanted, None))
    assert outputs[0] is wanted
    for found, exact in zip(outputs, reference(spec, tensors), strict=True):
        np.testing.assert_allclose(found.to_numpy(), exact, rtol=0, atol=1e-5)
