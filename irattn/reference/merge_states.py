"""Merging of partial attention, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.merge_states import MergeStatesSpec


def merge_states(
    spec: MergeStatesSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of MergeStatesSpec."""
    lse_a, lse_b = (tensors[name].astype(np.float64) for name in ("lse_a", "lse_b"))
    lse = np.logaddexp(lse_a, lse_b)
    output = np.zeros((*lse.shape, spec.head_dim))
    for name, part in (("out_a", lse_a), ("out_b", lse_b)):
        # A state that saw no key has no share, and what stands in its output does not count.
        seen = part > -np.inf
        share = np.exp(part[seen] - lse[seen])
        output[seen] += by_row(spec, tensors[name])[seen].astype(np.float64) * share[:, None]
    return by_row(spec, output), lse


def by_row(spec: MergeStatesSpec, states: np.ndarray) -> np.ndarray:
    """States with heads before queries, as lse has them, or back."""
    return states.swapaxes(0, 1) if spec.is_packed else states
