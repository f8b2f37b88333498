"""Relations that hold whatever the numbers are."""

import numpy as np
import pytest

from irattn import AttentionSpec, PagedAttentionSpec
from irattn.lab.inputs import random_tensors
from irattn.runtime import load_artifact
from support.joined import artifact_of

pytestmark = pytest.mark.slow

SPEC = AttentionSpec(
    batch=2, num_q_heads=6, num_kv_heads=2, q_len=40, kv_len=40, head_dim=32, causal=True,
    io_dtype="f32",
)  # fmt: skip

PAGED = PagedAttentionSpec(
    batch=2, num_q_heads=6, num_kv_heads=2, q_len=40, head_dim=32, block_size=8, num_blocks=10,
    max_blocks=5, io_dtype="f32",
)  # fmt: skip
MULTI_HEAD, DECODE, FEW_KEYS = (
    SPEC.replace(**changes) for changes in ({"num_kv_heads": 6}, {"q_len": 1}, {"kv_len": 30})
)
SPECS = (SPEC, PAGED, MULTI_HEAD, DECODE, FEW_KEYS)

FORMULATIONS = pytest.mark.parametrize("formulation", ["fused", "blocked"])


def run(spec, tensors, formulation):
    return load_artifact(artifact_of(spec, SPECS, "cpu", formulation), "cpu")(**tensors)


@FORMULATIONS
def test_paged_equals_contiguous(formulation):
    """Keys cut into shuffled blocks give what they give in one piece."""
    block_size, blocks = PAGED.block_size, PAGED.max_blocks
    tensors = random_tensors(SPEC)
    table = np.random.default_rng(1).permutation(2 * blocks).reshape(2, blocks).astype(np.int32)
    caches = {}
    for name in ("key", "value"):
        cut = tensors[name].reshape(2, 2, blocks, block_size, 32).transpose(0, 2, 1, 3, 4)
        caches[f"{name}_cache"] = cache = np.empty((2 * blocks, 2, block_size, 32), np.float32)
        cache[table] = cut
    lens = np.full(2, 40, np.int32)
    found = run(
        PAGED,
        {"query": tensors["query"], "block_table": table, "context_lens": lens, **caches},
        formulation,
    )
    np.testing.assert_allclose(found, run(SPEC, tensors, formulation), atol=2e-6)


@FORMULATIONS
def test_gqa_equals_repeated_keys_and_values(formulation):
    tensors = random_tensors(SPEC)
    repeated = {name: tensors[name].repeat(3, axis=1) for name in ("key", "value")}
    found = run(MULTI_HEAD, {**tensors, **repeated}, formulation)
    np.testing.assert_allclose(found, run(SPEC, tensors, formulation), atol=2e-6)


@FORMULATIONS
def test_decode_equals_the_last_row_of_prefill(formulation):
    tensors = random_tensors(SPEC)
    last = {**tensors, "query": tensors["query"][:, :, -1:]}
    found = run(DECODE, last, formulation)
    np.testing.assert_allclose(found, run(SPEC, tensors, formulation)[:, :, -1:], atol=2e-6)


@FORMULATIONS
def test_batch_position_does_not_matter(formulation):
    tensors = random_tensors(SPEC)
    swapped = {name: array[::-1] for name, array in tensors.items()}
    found = run(SPEC, swapped, formulation)
    np.testing.assert_array_equal(found, run(SPEC, tensors, formulation)[::-1])


@FORMULATIONS
def test_later_tokens_do_not_matter_to_causal_rows(formulation):
    tensors = random_tensors(SPEC)
    changed = {name: array.copy() for name, array in tensors.items()}
    changed["key"][:, :, 20:] = 9.0
    changed["value"][:, :, 20:] = -9.0
    before, after = run(SPEC, tensors, formulation), run(SPEC, changed, formulation)
    np.testing.assert_array_equal(before[:, :, :20], after[:, :, :20])
    assert not np.array_equal(before[:, :, 20:], after[:, :, 20:])


@FORMULATIONS
def test_rows_without_keys_are_zeros(formulation):
    found = run(FEW_KEYS, random_tensors(FEW_KEYS), formulation)
    np.testing.assert_array_equal(found[:, :, :10], 0)
    assert np.all(np.abs(found[:, :, 10:]).sum(axis=-1) > 0)
