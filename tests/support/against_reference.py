"""A kernel's outputs beside the float64 reference."""

import numpy as np

from irattn.reference import reference


def assert_meets_reference(spec, kernel, tensors, atol=1e-5):
    expected = reference(spec, tensors)
    for found, exact in zip(kernel.outputs(**tensors), expected, strict=True):
        np.testing.assert_allclose(found.astype(np.float64), exact, atol=atol)
