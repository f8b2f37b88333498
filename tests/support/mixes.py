"""Calls of packed queries over pages with given numbers of new tokens, or with any."""

import random

import numpy as np

from irattn.lab.inputs import random_tensors, slots_of_queries
from irattn.specs.packed_paged_attention import FEW_QUERIES


def with_lengths(spec, tensors, lengths):
    """The call with so many queries of each sequence, and slots for their tokens."""
    changed = {**tensors, "cu_seqlens_q": np.cumsum([0, *lengths]).astype(np.int32)}
    if "slot_mapping" in tensors:
        by_role = {tensor.role: changed[tensor.name] for tensor in spec.inputs}
        changed["slot_mapping"] = slots_of_queries(spec, by_role)
    return changed


def any_mix(spec, seed):
    """A call of sequences without queries, with a few and with many, in any order.

    Contexts are of any length, now and then shorter than the queries.
    """
    pick = random.Random(seed)
    return with_lengths(spec, random_tensors(spec, seed), any_lengths(spec, pick))


def any_lengths(spec, pick):
    """Queries of each sequence, no more of all than there are: what is left is padding."""
    left, lengths = spec.q_tokens, []
    for _ in range(spec.batch):
        most = min(left, pick.choice([0, 1, 1, FEW_QUERIES, FEW_QUERIES + 1, left, left]))
        lengths.append(pick.choice([most, pick.randint(0, most)]))
        left -= lengths[-1]
    return pick.sample(lengths, len(lengths))
