"""Slots, blocks and contexts of a cache in pages: worked by hand, and numbers that name nothing."""

import numpy as np
import pytest

import irattn
from irattn.binary.launches import launch_plan
from irattn.core.errors import SpecError
from irattn.reference import reference
from irattn.specs.page_slots import PageSlotsSpec

SPEC = PageSlotsSpec(
    batch=5, new_tokens=3, max_pages=2, num_pages=4, blocks_per_page=2, block_size=4
)
# Pages of 8 tokens. A sequence goes on in its second page; one ends with its table; one is padding;
# one has a page that is not there; one begins.
TENSORS = {
    "cached_lens": np.array([6, 15, -1, 7, 0], np.int32),
    "page_table": np.array([[3, 1], [0, 2], [-1, -1], [2, 4], [1, -1]], np.int32),
    "tokens": np.zeros((5, 3), np.int32),
    "pool": np.zeros((4, 2), np.int32),
}
SLOTS = [[30, 31, 8], [23, -1, -1], [-1, -1, -1], [23, -1, -1], [8, 9, 10]]
PAGES = [[3, 1], [0, 2], [0, 0], [2, 3], [1, 0]]
CONTEXTS = [9, 16, 2, 10, 3]


def test_the_reference_by_hand():
    slots, blocks, contexts = reference(SPEC, TENSORS)
    np.testing.assert_array_equal(slots, SLOTS)
    np.testing.assert_array_equal(blocks, [[[2 * n, 2 * n + 1] for n in row] for row in PAGES])
    np.testing.assert_array_equal(contexts, CONTEXTS)


def test_nothing_is_new_where_nothing_is_written():
    slots, _, contexts = reference(SPEC.replace(writes=False), TENSORS)
    np.testing.assert_array_equal(slots, np.full((5, 3), -1))
    np.testing.assert_array_equal(contexts, [6, 15, 0, 7, 0])


@pytest.mark.parametrize("writes", [True, False])
@pytest.mark.parametrize("dynamic", [(), PageSlotsSpec.dynamic_names])
def test_compiled_code_finds_what_the_reference_finds(writes, dynamic):
    spec = SPEC.replace(writes=writes, dynamic=dynamic)
    kernel = irattn.load(irattn.compile(spec, target="cpu"))
    found = kernel(*TENSORS.values())
    expected = reference(SPEC.replace(writes=writes), TENSORS)
    for one, wanted in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, wanted)


def test_slots_that_never_change_are_filled_on_a_gpu():
    """The host program fills and copies them itself, outside of command buffers."""
    spec = SPEC.replace(writes=False)
    artifact = irattn.compile(spec, target="gfx1100")
    assert {"fill", "copy"} <= {step.what for step in launch_plan(artifact).steps}
    found = irattn.load(artifact, device="emulator")(*TENSORS.values())
    for one, wanted in zip(found, reference(spec, TENSORS), strict=True):
        np.testing.assert_array_equal(one, wanted)


def test_slots_are_numbers_of_32_bits():
    with pytest.raises(SpecError, match=r"num_pages .*: expected at most 2147483647, got"):
        SPEC.replace(num_pages=2**30)
    SPEC.replace(num_pages=2**30, dynamic=("num_pages",))
