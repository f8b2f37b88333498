"""Which places of a call belong to other sequences, to be made NaN by certificates."""

import numpy as np
import pytest

from irattn.compiling import catalog
from irattn.core.tensors import Role
from irattn.lab.certificates.hidden import hidden_places, of_other_sequences, outputs_of
from irattn.lab.inputs import random_tensors

CUTS_Q = np.array([0, 9, 30], np.int32)
CUTS_K = np.array([0, 21, 44], np.int32)
# As many heads as sequences: a first axis of heads is not one of sequences.
SPEC = catalog.get("packed_backward_tiny").replace(batch=2)


def call():
    return {**random_tensors(SPEC), "cu_seqlens_q": CUTS_Q, "cu_seqlens_k": CUTS_K}


@pytest.mark.parametrize("name", ["query", "output", "output_gradient", "lse"])
def test_rows_of_queries_of_other_sequences_are_hidden_in_each_head(name):
    mask = of_other_sequences(SPEC, call(), 0)[name]
    rows = mask.T if name == "lse" else mask
    assert not rows[:9].any()
    assert rows[9:].all()


def test_rows_of_queries_that_are_nobodys_are_hidden_in_each_head():
    mask = hidden_places(SPEC, call())["lse"]
    np.testing.assert_array_equal(mask, np.broadcast_to(np.arange(SPEC.q_tokens) >= 30, mask.shape))


def test_what_all_heads_or_sequences_share_is_of_no_other_sequence():
    spec = catalog.get("packed_causal_tiny").replace(batch=2, bias="h")
    tensors = {**random_tensors(spec), "cu_seqlens_q": CUTS_Q, "cu_seqlens_k": CUTS_K}
    assert of_other_sequences(spec, tensors, 0).keys() == {"query", "key", "value"}


def test_gradients_of_one_sequence_lie_where_its_tokens_do():
    masks = outputs_of(SPEC, call(), 1)
    rows = {
        tensor.name: np.flatnonzero(mask.any(axis=tuple(range(1, mask.ndim)))).tolist()
        for tensor, mask in zip(SPEC.outputs, masks, strict=True)
    }
    assert all(tensor.role == Role.GRADIENT for tensor in SPEC.outputs)
    assert rows["query_gradient"] == list(range(9, 30))
    assert rows["key_gradient"] == rows["value_gradient"] == list(range(21, 44))
    assert rows["sinks_gradient"] == []
