"""Lists of the blocks that a mask shows, found by a kernel: as the reference and the host do."""

import numpy as np
import pytest

import irattn
from irattn import masks
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.specs.block_mask import BlockMaskSpec
from support.against_reference import assert_meets_reference
from support.joined import artifact_of

WIDTHS = np.zeros((2, 3), np.int32)
FLAGS = np.zeros(70, bool)
SIZES = {"batch": 2, "num_q_heads": 3, "q_len": 50, "kv_len": 70, "mask_blocks": (16, 8)}


def by_head(batch, head, query, key):
    return (abs(query - key) <= 9 * WIDTHS[batch, head]) & (FLAGS[key] | (key < 40))


SPECS = (
    BlockMaskSpec(**SIZES, mask_mod=by_head),
    BlockMaskSpec(**SIZES, mask_mod=masks.document(np.zeros(70, np.int32))),
)


@pytest.mark.parametrize("target", ["cpu", "gfx1100", "gfx942"])
@pytest.mark.parametrize("spec", SPECS, ids=["heads", "documents"])
def test_lists_of_blocks(spec, target):
    device = "auto" if target == "cpu" else "emulator"
    kernel = irattn.load(artifact_of(spec, SPECS, target), device=device)
    assert_meets_reference(spec, kernel, random_tensors(spec), atol=0)


def test_a_kernel_finds_what_the_host_finds():
    documents = np.repeat(np.arange(4, dtype=np.int32), (20, 5, 30, 15))
    given = (masks.document(documents) & masks.causal, 2, 3, 50, 70, (16, 8))
    host, found = irattn.block_mask(*given), irattn.block_mask(*given, device="auto")
    assert {0, 1, 2} == set(host.kinds.ravel())
    np.testing.assert_array_equal(found.counts, host.counts)
    np.testing.assert_array_equal(found.columns, host.columns)


def test_masks_that_read_nothing_are_for_the_host():
    with pytest.raises(SpecError, match="expected a function that reads arrays"):
        BlockMaskSpec(**SIZES, mask_mod=masks.causal)
