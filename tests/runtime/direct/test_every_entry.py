"""Tiny entries by the launcher, on the stand-in for HIP: the bits of IREE's own driver there."""

import numpy as np
import pytest

from irattn.compiling import catalog
from irattn.compiling.build import build
from irattn.lab.inputs import random_tensors
from irattn.rendering import GraphRequest
from irattn.runtime import load_artifact
from irattn.targets import get
from support.tiny import tiny_artifact, tiny_names

pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")

pytestmark = pytest.mark.slow


# One of each op, and some more of attention.
NAMES = tiny_names("gfx942")

# One whose code has a constant: the frequencies of 128 columns.
WITH_CONSTANT = "rope of 128 columns"


def artifact_named(name):
    if name != WITH_CONSTANT:
        return tiny_artifact(name, "gfx1100")
    return build(GraphRequest(catalog.get("rope_tiny").replace(head_dim=128), get("gfx1100")))


@pytest.mark.parametrize("name", [*NAMES, WITH_CONSTANT])
def test_an_entry_gives_the_bits_of_irees_driver(name):
    artifact = artifact_named(name)
    spec = artifact.spec
    by_iree = load_artifact(artifact, "emulator", launcher="iree")
    direct = load_artifact(artifact, "emulator", launcher="direct")
    # The smallest sizes, and odd ones: those that are padded.
    for call in spec.calls[:2]:
        tensors = random_tensors(call)
        results = zip(by_iree.outputs(**tensors), direct.outputs(**tensors), strict=True)
        for expected, found in results:
            assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
            np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))
