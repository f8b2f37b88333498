"""Mamba 1's selective scan in float64, token by token."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from irattn.specs.selective_scan import SelectiveScanSpec


def selective_scan(
    spec: SelectiveScanSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of SelectiveScanSpec, sequence by sequence."""
    x, steps, key, query, gate, decay_log, bias, skip, state, bounds = (
        tensors[tensor.name].astype(np.int64 if tensor.dtype == "i32" else np.float64)
        for tensor in spec.inputs
    )
    rate = -np.exp(decay_log)
    time = np.logaddexp(0, steps + bias)
    output = np.zeros(x.shape)
    for own, (first, end) in zip(state, pairwise(bounds.tolist()), strict=True):
        for t in range(first, end):
            own[...] = own * np.exp(rate * time[t]) + np.outer(key[t], time[t] * x[t])
            output[t] = (query[t] @ own + skip * x[t]) * gate[t] / (1 + np.exp(-gate[t]))
    return output, state
