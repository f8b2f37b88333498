"""`irattn.tree_attention`: drafted trees over pages, beside each path alone."""

import numpy as np
import pytest

import irattn
from irattn.core.errors import ArgumentError, SpecError
from irattn.functional.trees import _mask
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.runtime.kernel import Kernel
from irattn.specs.expressions import traced
from support.against_reference import assert_meets_reference
from support.joined import artifact_of

# 0 has the children 1 and 2, 2 has 3; 0 has two; 40 children of the context, beyond a word; none.
TREES = [[-1, 0, 0, 2], [-1, 0, 1], [-1] * 40, []]
CONTEXTS = [9, 4, 1, 5]
BLOCK = 4


def call():
    rng = np.random.default_rng(0)
    counts = [len(tree) for tree in TREES]
    query = rng.standard_normal((sum(counts), 4, 16), dtype=np.float32)
    caches = rng.standard_normal((2, 60, 2, BLOCK, 16), dtype=np.float32)
    table = rng.permutation(60)[: 4 * 12].reshape(4, 12).astype(np.int32)
    bounds = np.cumsum([0, *counts]).astype(np.int32)
    lengths = (np.array(CONTEXTS) + counts).astype(np.int32)
    return query, *caches, np.concatenate(TREES).astype(np.int64), bounds, table, lengths


def path(tree, token):
    """A token and those before it, the first one first."""
    return [] if token < 0 else [*path(tree, tree[token]), token]


def along_its_path(arrays, sequence, token):
    """What a drafted token sees, one by one, of a sequence."""
    query, keys, values, _, bounds, table, _ = arrays
    seen = [
        *range(CONTEXTS[sequence]),
        *(CONTEXTS[sequence] + one for one in path(TREES[sequence], token)),
    ]
    where = [(table[sequence, one // BLOCK], one % BLOCK) for one in seen]
    key, value = (
        np.stack([cache[block, :, slot] for block, slot in where]) for cache in (keys, values)
    )
    outputs = []
    for head, row in enumerate(query[bounds[sequence] + token]):
        weights = np.exp(key[:, head // 2] @ row / 4)
        outputs.append(weights @ value[:, head // 2] / weights.sum())
    return np.stack(outputs)


def test_each_token_sees_its_path_and_the_context():
    arrays = call()
    output = irattn.tree_attention(*arrays)
    bounds = arrays[4]
    for sequence, tree in enumerate(TREES):
        for token in range(len(tree)):
            wanted = along_its_path(arrays, sequence, token)
            np.testing.assert_allclose(output[bounds[sequence] + token], wanted, atol=1e-5)


def test_parents_that_are_no_tree_are_refused():
    query, keys, values, parents, *where = call()
    with pytest.raises(ArgumentError, match="parents: expected a number for each of 47 tokens"):
        irattn.tree_attention(query, keys, values, parents[:-1], *where)
    with pytest.raises(SpecError, match="got 5 for token 0"):
        irattn.tree_attention(query, keys, values, np.r_[5, parents[1:]], *where)
    with pytest.raises(ArgumentError, match="parents: expected integers"):
        irattn.tree_attention(query, keys, values, parents * 1.0, *where)
    with pytest.raises(ArgumentError, match=r"parents: expected an array .* got list"):
        irattn.tree_attention(query, keys, values, parents.tolist(), *where)
    bounds, table, lengths = where
    with pytest.raises(
        ArgumentError, match=r"context_lens\[\d\]: expected at least the \d+ tokens"
    ):
        irattn.tree_attention(query, keys, values, parents, bounds, table, lengths * 0 + 1)


def test_drafts_of_a_tree_on_a_gpu():
    """Drafts that are few have their keys cut into parts."""
    bounds, contexts = np.array([0, 9, 12]), np.array([150, 70])
    mask = _mask(np.array([-1, 0, 0, 1, 1, 2, 5, 5, 6, -1, 0, 0]), bounds, contexts)
    spec = irattn.PackedPagedAttentionSpec(
        io_dtype="f16", batch=2, q_tokens=12, num_q_heads=4, num_kv_heads=2, head_dim=64,
        num_blocks=16, max_blocks=10, mask_mod=mask, few_queries=16,
    )  # fmt: skip
    kernel = Kernel(EmulatedSession(artifact_of(spec, (spec,), "gfx1100"), "emulator"))
    tensors = random_tensors(spec)
    tensors |= {"cu_seqlens_q": bounds.astype(np.int32), "context_lens": contexts.astype(np.int32)}
    table = np.random.default_rng(0).permutation(16)
    tensors["block_table"] = np.stack([table[:10], np.r_[table[10:15], [0] * 5]]).astype(np.int32)
    found = traced("mask_mod", mask)
    for array in found.expression.captured:
        tensors[array.input_name] = found.arrays[array.name]
    assert_meets_reference(spec, kernel, tensors, atol=0.004)
