"""Attention that reads once what groups of sequences share: graphs of it, and what is refused."""

import numpy as np
import pytest

import irattn
from irattn import PackedPagedAttentionSpec
from irattn.core.errors import ArgumentError, SpecError
from irattn.kvcache.cascade import cascade_step
from irattn.kvcache.views import PackedStep
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime.kernel import Kernel
from irattn.specs.packed_paged_update_attention import packed_updating
from support.against_reference import assert_meets_reference
from support.joined import artifact_of

pytestmark = pytest.mark.slow

SPEC = PackedPagedAttentionSpec(
    io_dtype="f16", batch=4, q_tokens=24, num_q_heads=4, num_kv_heads=2, head_dim=64,
    num_blocks=20, max_blocks=6, cascade=True,
)  # fmt: skip
FULL = packed_updating(
    SPEC.replace(sinks=True, logits_soft_cap=20.0, return_lse=True, dynamic=("q_tokens",))
)
QUANTISED = SPEC.replace(cache_dtype="int8", cache_scale="token", io_dtype="f32")
ATOL = 0.004


def test_a_cascade_means_what_one_call_means():
    """Three sequences share three blocks, the fourth has its own."""
    tables = np.array([[1, 2, 3, 4, -1], [1, 2, 3, 5, -1], [1, 2, 3, 6, 7], [8, -1, -1, -1, -1]])
    ends = np.array([0, 1, 4, 22, 24], np.int32)
    nothing = np.empty(0, np.int32)
    step = PackedStep(
        ends, tables.astype(np.int32), np.array([50, 60, 80, 5], np.int32), nothing, nothing
    )
    spec = SPEC.replace(sinks=True, return_lse=True, logits_soft_cap=20.0)
    tensors = random_tensors(spec)
    columns = {"block_table": 6, "shared_block_table": 6}
    for name, array in cascade_step(step, 16)._asdict().items():
        if name in tensors:
            filled = np.zeros_like(tensors[name])
            filled[: len(array)][..., : array.shape[-1]] = np.maximum(array, 0)
            tensors[name] = filled if name in columns else _padded(array, len(filled), name)
    whole = spec.replace(cascade=False)
    inputs = tensors | dict(zip(step._fields, step, strict=True))
    inputs["block_table"] = np.pad(np.maximum(tables, 0), ((0, 0), (0, 1)))
    for found, right in zip(reference(spec, tensors), reference(whole, inputs), strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-12, atol=1e-12)


def _padded(array, length, name):
    fill = array[-1] if name.endswith("cu_seqlens_q") else 0
    return np.concatenate([array, np.full(length - len(array), fill, np.int32)])


@pytest.mark.parametrize("spec", [FULL, QUANTISED], ids=["full", "quantised"])
def test_a_cascade_on_a_cpu(spec):
    kernel = irattn.load(spec, target="cpu")
    assert_meets_reference(spec, kernel, random_tensors(spec), ATOL)
    assert_meets_reference(spec, kernel, random_tensors(spec, seed=1), ATOL)


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_a_cascade_on_a_gpu(target):
    kernel = Kernel(EmulatedSession(artifact_of(SPEC, (SPEC,), target), "emulator"))
    assert_meets_reference(SPEC, kernel, random_tensors(SPEC), ATOL)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"window": (8, 0)}, "window: cascade has no such thing"),
        ({"alibi": True}, "alibi: cascade"),
        ({"bias": "hqk"}, "bias: cascade"),
        ({"causal": False}, "causal: with cascade"),
        ({"cascade": 1}, "cascade: expected true or false"),
    ],
)
def test_what_a_cascade_has_not(changes, why):
    with pytest.raises(SpecError, match=why):
        SPEC.replace(**changes)


def test_shared_blocks_that_cannot_be_are_refused():
    kernel, tensors = irattn.load(FULL, target="cpu"), random_tensors(FULL)
    table = tensors["shared_block_table"]
    tensors["shared_lens"][0] = 16
    for name, wrong in (
        ("shared_block_table", np.full_like(table, 20)),
        ("shared_lens", np.full_like(tensors["shared_lens"], 97)),
        ("shared_cu_seqlens_q", tensors["shared_cu_seqlens_q"][::-1].copy()),
    ):
        with pytest.raises(ArgumentError, match=rf"^{name}\W"):
            kernel(**tensors | {name: wrong})
    unused = np.arange(6) >= -(-tensors["shared_lens"][:, None] // 16)
    found = kernel.outputs(**tensors)
    again = kernel.outputs(**tensors | {"shared_block_table": np.where(unused, -7, table)})
    np.testing.assert_array_equal(found[0], again[0])
