"""Each tiny entry by the launcher, on the stand-in for HIP: the bits of IREE's own driver there."""

import numpy as np
import pytest

import irattn
from irattn.compiling import catalog
from irattn.lab.inputs import random_tensors

pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")

pytestmark = pytest.mark.slow


def specs():
    """The entries, and one whose code has a constant: the frequencies of 128 columns."""
    tiny = {name: catalog.get(name) for name in catalog.names(["tiny"])}
    return {**tiny, "rope of 128 columns": tiny["rope_tiny"].replace(head_dim=128)}


@pytest.mark.parametrize("name", specs())
def test_an_entry_gives_the_bits_of_irees_driver(name):
    spec = specs()[name]
    by_iree = irattn.load(spec, target="gfx1100", device="emulator")
    direct = irattn.load(spec, target="gfx1100", device="emulator", launcher="direct")
    # The smallest sizes, and odd ones: those that are padded.
    for call in spec.calls[:2]:
        tensors = random_tensors(call)
        results = zip(by_iree.outputs(**tensors), direct.outputs(**tensors), strict=True)
        for expected, found in results:
            assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
            np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))
