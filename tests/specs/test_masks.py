"""Masks by name go through pickle and copies as what they are made of."""

import copy
import pickle

import numpy as np
import pytest

from irattn import AttentionSpec, masks
from irattn.specs.masks import Mask

DOCUMENTS = np.array([0, 0, 1, 1, 1, 2], np.int32)
CONTEXTS = np.array([3, 1], np.int32)
PLAIN = AttentionSpec(
    batch=2, num_q_heads=2, num_kv_heads=2, q_len=6, kv_len=6, head_dim=16, io_dtype="f32"
)


def odd(batch, head, query, key):
    return key % 2 == 1


def made():
    """Masks of each kind, and what they compose to."""
    return [
        masks.causal,
        masks.sliding(3),
        masks.dilated(2),
        masks.prefix(2),
        masks.prefix(CONTEXTS.copy()),
        masks.document(DOCUMENTS.copy()),
        masks.document(np.stack([DOCUMENTS, DOCUMENTS[::-1]])),
        masks.tree([-1, 0, 0, 2, -1, 4]),
        masks.tree(np.array([[-1, 0, 0], [-1, -1, 1]]), context=CONTEXTS.copy(), positions=True),
        Mask(odd),
        masks.causal & masks.document(DOCUMENTS.copy()) | ~masks.sliding(1),
        odd & masks.prefix(2),
        odd | masks.prefix(2),
    ]


@pytest.mark.parametrize("again", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])
def test_a_mask_is_the_same_after_a_round_trip(again):
    for mask in made():
        found = again(mask)
        assert found == mask
        assert hash(found) == hash(mask)
        spec, before = (PLAIN.replace(mask_mod=one) for one in (found, mask))
        assert spec == before == again(spec)
        assert spec.digest == before.digest


def test_masks_are_equal_that_are_made_alike():
    assert made() == made()
    # No two of them are the same one.
    every = made()
    assert all(one != other for n, one in enumerate(every) for other in every[:n])
    assert masks.document(DOCUMENTS) != masks.document(DOCUMENTS + 1)
    assert masks.causal != odd


def test_a_mask_of_parents_is_of_those_that_it_was_given():
    parents = np.array([-1, 0, 1])
    mask = masks.tree(parents)
    parents[2] = 0
    assert mask == pickle.loads(pickle.dumps(mask)) == masks.tree([-1, 0, 1])
