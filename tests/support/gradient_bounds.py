"""Gradients beside bounds of their rounding errors, element by element."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from irattn.lab.certificates.bounds import error_bounds
from irattn.reference import reference
from irattn.specs import Spec


def of_bounds(spec: Spec, outputs: Sequence[Any], tensors: Mapping[str, Any]) -> dict[str, float]:
    """How far each gradient is from exact arithmetic, in shares of what rounding explains.

    The bounds are those of certificates, element by element: for each sum its terms, their number
    times u of their sizes, and what products of scores and of gradients round before. A tolerance
    relative to the gradient would be none where terms cancel, as in rows that see one key, and
    elsewhere lets pass what is a little wrong everywhere, as a soft cap without its derivative.
    """
    expected = reference(spec, tensors)
    bounds = error_bounds(spec, tensors, expected, [np.ones(one.shape, bool) for one in expected])
    found = {}
    for tensor, output, one, bound in zip(spec.outputs, outputs, expected, bounds, strict=True):
        off = np.abs(np.asarray(output).astype(np.float64) - one)
        # What nothing is rounded for is exact; NaN is beyond any bound.
        shares = np.where(off == 0, 0.0, off / np.where(bound > 0, bound, np.finfo(float).tiny))
        found[tensor.name] = float(np.nan_to_num(shares.max(initial=0.0), nan=np.inf))
    return found
