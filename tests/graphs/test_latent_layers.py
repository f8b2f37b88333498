"""Layers with latent attention, absorbed, beside keys and values that each head makes."""

from dataclasses import replace

import numpy as np
import pytest

import irattn
from irattn import (
    DecoderLayerSpec,
    HeadProjectionSpec,
    LatentProjectionSpec,
    LinearSpec,
    PackedPagedAttentionSpec,
    PagedAttentionSpec,
)
from irattn.core.errors import SpecError
from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import spec_from_json
from irattn.specs.latent_sizes import LatentSizes
from support.emulated import failed_cases
from support.joined import Graph, joined_graphs

pytestmark = pytest.mark.slow

SIZES = LatentSizes(kv_lora_rank=32, q_lora_rank=24, nope_dim=16, rope_dim=8, value_dim=12)
PAGES = {
    **{"num_q_heads": 4, "num_kv_heads": 1, "head_dim": 40, "value_dim": 32, "batch": 2},
    **{"num_blocks": 10, "max_blocks": 5, "block_size": 4, "latent_cache": True},
    **{"softmax_scale": 0.2, "io_dtype": "f32"},
}
PAGED = PagedAttentionSpec(**PAGES, q_len=6)
PACKED = PackedPagedAttentionSpec(**PAGES, q_tokens=20)
# As a step of `irattn generate`: any number of tokens.
STEP = PACKED.replace(dynamic=("q_tokens",))
LAYER = DecoderLayerSpec(
    attention=PAGED, hidden_size=48, max_positions=64, latent=SIZES, rope_style="interleaved"
)
UNROTATED = {"use_rope": False, "rope_style": "rotate_half"}
# Wide enough for the kernels that CPUs have for products.
WIDE = {"kv_lora_rank": 64, "nope_dim": 64, "rope_dim": 16, "value_dim": 64}
# Fused graphs read keys and values element by element, each of which is code of its own on CPUs.
SHORT = replace(SIZES, kv_lora_rank=16, rope_dim=4)
HEADS = HeadProjectionSpec(num_heads=4, q_len=1, in_columns=64, out_columns=128, io_dtype="f32")
PROJECTION = LatentProjectionSpec(
    batch=2, num_q_heads=4, q_len=5, hidden_size=48, latent=SIZES, max_positions=64, io_dtype="f32"
)
KERNELS = joined_graphs(
    [
        Graph(LAYER, "blocked"),
        Graph(
            LAYER.replace(
                latent=SHORT,
                attention=PAGED.replace(head_dim=20, value_dim=16, q_len=1, io_dtype="bf16"),
            ),
            "fused",
        ),
        Graph(LAYER.replace(attention=PACKED, intermediate_size=56), "blocked"),
        Graph(
            LAYER.replace(
                attention=STEP.replace(io_dtype="f16", cache_dtype="int8"),
                **{"temperature": 0.5, "temperature_tokens": 3},
            ),
            "blocked",
        ),
        Graph(
            LAYER.replace(
                latent=WIDE, attention=STEP.replace(head_dim=80, value_dim=64, softmax_scale=0.1)
            ),
            "blocked",
        ),
        Graph(PROJECTION),
        Graph(PROJECTION.replace(q_len=1, batch=5, io_dtype="bf16", dynamic=("batch",))),
        Graph(LinearSpec(batch=9, q_len=1, in_columns=33, out_columns=20, dynamic=("batch",))),
        Graph(HEADS.replace(q_len=3, in_columns=20, out_columns=24)),
        Graph(HEADS),
        Graph(HEADS.replace(batch=9, dynamic=("batch",))),
        Graph(HEADS.replace(batch=37, io_dtype="bf16")),
        # Kimi Linear's.
        Graph(LAYER.replace(attention=PACKED, **UNROTATED), "blocked"),
        Graph(PROJECTION.replace(unrotated=True)),
    ]
)


@pytest.mark.parametrize("joined", KERNELS, ids=lambda joined: joined.graph.spec.digest)
def test_the_reference_is_met(joined):
    verdict = joined.verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize(
    "joined",
    [*KERNELS[:3], KERNELS[5], KERNELS[9], *KERNELS[-2:]],
    ids=lambda j: j.graph.spec.digest,
)
def test_bounds_hold_what_is_compiled(joined):
    spec = joined.graph.spec
    tensors = random_tensors(spec)
    expected = reference(spec, tensors)
    wanted = [np.ones(array.shape, bool) for array in expected]
    bounds = error_bounds(spec, tensors, expected, wanted)
    found = joined.load().outputs(**tensors)
    for array, exact, bound in zip(found, expected, bounds, strict=True):
        assert bound.shape == exact.shape
        assert np.all(np.abs(array.astype(np.float64) - exact) <= bound)


def test_what_is_not_rotated_is_as_at_position_zero():
    for spec in (PROJECTION, LAYER.replace(attention=PACKED)):
        tensors = random_tensors(spec)
        tensors["positions"] = np.zeros_like(tensors["positions"])
        changes = {"unrotated": True} if spec is PROJECTION else UNROTATED
        found = reference(spec.replace(**changes), tensors)
        for one, wanted in zip(found, reference(spec, tensors), strict=True):
            np.testing.assert_allclose(one, wanted, rtol=1e-9, atol=1e-12)


def test_absorbed_queries_meet_latents_as_plain_ones_meet_keys():
    tensors = random_tensors(PROJECTION)
    query, latents = reference(PROJECTION, tensors)
    plain = np.zeros_like(query)
    for head, weight in enumerate(tensors["key_weight"].astype(np.float64)):
        # What a head would make of the latents, whose weights are not square.
        back = np.linalg.pinv(weight)
        plain[:, head, :, :16] = query[:, head, :, :32] @ back.T
        keys = latents[:, 0, :, :32] @ weight
        scores = np.einsum("bmd,btd->bmt", plain[:, head, :, :16], keys)
        absorbed = np.einsum("bmd,btd->bmt", query[:, head, :, :32], latents[:, 0, :, :32])
        np.testing.assert_allclose(scores, absorbed, atol=1e-9)


def test_gpus_meet_the_reference():
    spec = LAYER.replace(attention=PACKED.replace(io_dtype="f16"))
    assert failed_cases(irattn.compile(spec, target="gfx1100")) == []


def test_the_json_form_is_read_back():
    assert spec_from_json(LAYER.to_json()) == LAYER


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"latent": None}, "latent_cache: a layer has one with latent only"),
        ({"latent": {"kv_lora_rank": 32}}, "latent: missing nope_dim, rope_dim, value_dim"),
        ({"latent": 3}, "latent: expected an object with a kv_lora_rank, got 3"),
        ({"head_dim": 48}, "attention.head_dim: expected 40 for latents of 32 . 8 columns, got 48"),
        ({"latent_cache": False}, "attention.latent_cache: expected True for latents"),
        ({"softmax_scale": None}, "attention.softmax_scale: missing; that of heads of 16 . 8"),
        ({"qkv_bias": True}, "qkv_bias: layers with latent have no such thing"),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(**changes)
