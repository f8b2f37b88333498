"""Caches of latents: of keys whose first columns are the values, read and written in one place."""

import numpy as np
import pytest

import irattn
from irattn import CacheWriteSpec, PackedPagedAttentionSpec, PagedAttentionSpec
from irattn.binary.inspection import inspect_artifact
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs.packed_paged_update_attention import packed_updating
from irattn.specs.paged_update_attention import updating
from support.against_reference import assert_meets_reference
from support.emulated import failed_cases
from support.joined import Graph, joined_graphs

HEADS = {"num_kv_heads": 1, "head_dim": 48, "latent_cache": True}
SIZES = {
    **HEADS,
    **{"num_q_heads": 4, "value_dim": 32, "batch": 2},
    **{"num_blocks": 12, "max_blocks": 4, "block_size": 8},
}
PAGED = PagedAttentionSpec(**SIZES, q_len=6, io_dtype="f32")
PACKED = PackedPagedAttentionSpec(**SIZES, q_tokens=20, io_dtype="f32")
WRITE = CacheWriteSpec(**HEADS, num_tokens=9, num_blocks=8, io_dtype="f32")
# Fused graphs read keys and values element by element, each of which is code of its own on CPUs.
SHORT = PAGED.replace(head_dim=20, value_dim=16)
KERNELS = joined_graphs(
    [
        Graph(PAGED.replace(q_len=1, io_dtype="bf16"), "blocked"),
        Graph(SHORT, "fused"),
        Graph(updating(PAGED), "blocked"),
        Graph(updating(SHORT.replace(q_len=1, io_dtype="f16")), "fused"),
        Graph(packed_updating(PACKED), "blocked"),
        Graph(packed_updating(PACKED.replace(io_dtype="bf16", layout="NHD")), "blocked"),
        Graph(PACKED.replace(dynamic=("q_tokens", "batch"), head_dim=40, value_dim=24), "blocked"),
        Graph(WRITE),
    ]
)


@pytest.mark.parametrize("joined", KERNELS, ids=str)
def test_the_reference_is_met(joined):
    verdict = joined.verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize("packed", [False, True])
def test_the_meaning_is_that_of_a_cache_with_copies(packed):
    spec = packed_updating(PACKED) if packed else updating(PAGED)
    tensors = random_tensors(spec)
    copies = {n: tensors[n][..., : spec.v_dim] for n in ("key", "key_cache")}
    given = {**tensors, "value": copies["key"], "value_cache": copies["key_cache"]}
    output, cache = reference(spec, tensors)
    other, keys, values = reference(spec.replace(latent_cache=False), given)
    np.testing.assert_array_equal(output, other)
    np.testing.assert_array_equal(cache, keys)
    np.testing.assert_array_equal(cache[..., : spec.v_dim], values)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "changes"),
    [
        ("gfx942", {"io_dtype": "f16"}),
        ("gfx942", {"head_dim": 576, "value_dim": 512, "io_dtype": "f16", "q_len": 1}),
        ("gfx1100", {"head_dim": 576, "value_dim": 512, "io_dtype": "bf16", "q_len": 1}),
        ("gfx1100", {}),
    ],
    ids=str,
)
def test_gpus_read_values_from_keys(target, changes):
    """In tiles of chunks, in lanes that share value columns, and without matrix instructions."""
    spec = updating(PAGED.replace(**changes))
    assert failed_cases(irattn.compile(spec, target=target)) == []


@pytest.mark.parametrize("columns", [(96, 64), (256, 256)])
def test_chunks_of_latents_without_matrix_instructions(columns):
    """A lane has several parts of each chunk of a query in f32, or one of each where it is wide."""
    head_dim, value_dim = columns
    spec = PACKED.replace(q_tokens=2, num_q_heads=2, head_dim=head_dim, value_dim=value_dim)
    artifact = irattn.compile(spec, target="gfx1100")
    assert not any(kernel.spills for kernel in inspect_artifact(artifact).module.kernels)
    assert_meets_reference(spec, irattn.load(artifact, device="emulator"), random_tensors(spec))


@pytest.mark.parametrize(
    ("spec", "changes", "message"),
    [
        (PAGED, {"value_dim": 64}, "value_dim: expected at most head_dim, 48, with latent_cache"),
        (PACKED, {"joint_cache": True, "value_dim": None}, "joint_cache: a latent_cache has no"),
        (WRITE, {"value_dim": 32}, "value_dim: a latent_cache has keys alone; leave it out"),
        (WRITE, {"latent_cache": 1}, "latent_cache: expected true or false, got 1"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(spec, changes, message):
    with pytest.raises(SpecError, match=message):
        spec.replace(**changes)
