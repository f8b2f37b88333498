"""Calls of packed queries over pages with given numbers of new tokens."""

import numpy as np

from irattn.lab.inputs import slots_of_queries


def with_lengths(spec, tensors, lengths):
    """The call with so many queries of each sequence, and slots for their tokens."""
    changed = {**tensors, "cu_seqlens_q": np.cumsum([0, *lengths]).astype(np.int32)}
    if "slot_mapping" in tensors:
        by_role = {tensor.role: changed[tensor.name] for tensor in spec.inputs}
        changed["slot_mapping"] = slots_of_queries(spec, by_role)
    return changed
