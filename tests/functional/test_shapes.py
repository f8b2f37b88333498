"""The axes along which masks vary."""

import pytest

from irattn.core.errors import ArgumentError
from irattn.functional.shapes import mask_axes


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((), "k"),
        ((7,), "k"),
        ((1,), "k"),
        ((5, 7), "qk"),
        ((2, 1, 1, 7), "bk"),
        ((1, 4, 5, 7), "hqk"),
        ((2, 4, 5, 7), "bhqk"),
    ],
)
def test_axes_of_a_mask(shape, axes):
    assert mask_axes("mask", shape, (2, 4, 5, 7)) == axes


@pytest.mark.parametrize("shape", [(6,), (4, 7), (3, 1, 1, 7), (1, 2, 4, 5, 7)])
def test_a_mask_that_does_not_broadcast_is_refused(shape):
    with pytest.raises(ArgumentError, match=r"mask: expected a shape that broadcasts to \[2, 4"):
        mask_axes("mask", shape, (2, 4, 5, 7))
