"""Attention whose scale is 0: the mean of what is seen, as in PyTorch."""

import numpy as np
import pytest

import irattn
from irattn import (
    AttentionBackwardSpec,
    AttentionSpec,
    PackedAttentionSpec,
    PackedPagedAttentionSpec,
    PagedAttentionSpec,
)
from irattn.lab.inputs import random_tensors
from support.against_reference import assert_meets_reference
from support.joined import artifact_of

HEADS = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 64, "softmax_scale": 0.0}
PAGES = {"block_size": 8, "num_blocks": 9, "max_blocks": 4}
SQUARE = {"q_len": 20, "kv_len": 40, "causal": True}

SPECS = {
    "bias": AttentionSpec(**HEADS, **SQUARE, bias="hqk", alibi=True, return_lse=True),
    "capped": AttentionSpec(**HEADS, q_len=1, kv_len=40, sinks=True, logits_soft_cap=2.0),
    "tensors": AttentionSpec(**HEADS | {"head_dim": 40, "io_dtype": "f32"}, **SQUARE, bias="q"),
    "paged": PagedAttentionSpec(**HEADS, **PAGES, batch=2, q_len=1),
    "packed_paged": PackedPagedAttentionSpec(**HEADS, **PAGES, batch=3, q_tokens=20),
    "packed": PackedAttentionSpec(**HEADS, batch=3, q_tokens=20, kv_tokens=20),
    "backward": AttentionBackwardSpec(**HEADS, **SQUARE, bias="hqk"),
}


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("target", ["cpu", "gfx1100"])
def test_kernels_meet_the_reference(target, name):
    spec = SPECS[name]
    device = "local-sync" if target == "cpu" else "emulator"
    kernel = irattn.load(artifact_of(spec, list(SPECS.values()), target), device=device)
    assert_meets_reference(spec, kernel, random_tensors(spec), atol=0.002)


def test_it_is_the_mean_of_values():
    query, key, value = np.random.default_rng(0).standard_normal((3, 1, 2, 9, 16), np.float32)
    found = irattn.attention(query, key, value, scale=-0.0, policy="exact")
    mean = np.broadcast_to(value.mean(axis=2, keepdims=True), found.shape)
    np.testing.assert_allclose(found, mean, atol=1e-6)
