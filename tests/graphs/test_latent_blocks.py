"""Weights in blocks beside latents, in delta nets with gates per channel, and beside experts."""

import pytest

import irattn
from irattn import (
    DecoderLayerSpec,
    DeltaLayerSpec,
    LatentProjectionSpec,
    PackedPagedAttentionSpec,
)
from irattn.core.errors import SpecError
from irattn.specs.latent_sizes import LatentSizes
from support.emulated import failed_cases
from support.joined import Graph, joined_graphs

pytestmark = pytest.mark.slow

SIZES = LatentSizes(kv_lora_rank=32, q_lora_rank=64, nope_dim=16, rope_dim=8, value_dim=16)
OF_LATENTS = {"query_down": "q4_0", "query": "q8_0", "latent": "q8_0"}
ALL = {**OF_LATENTS, "output": "q4_0", "gate_up": "q4_0", "down": "q8_0"}
PAGES = PackedPagedAttentionSpec(
    **{"num_q_heads": 4, "num_kv_heads": 1, "head_dim": 40, "value_dim": 32, "batch": 2},
    **{"num_blocks": 10, "max_blocks": 5, "block_size": 4, "latent_cache": True, "q_tokens": 20},
    **{"softmax_scale": 0.2, "io_dtype": "bf16", "dynamic": ("q_tokens",)},
)
LAYER = DecoderLayerSpec(
    **{"attention": PAGES, "hidden_size": 64, "max_positions": 64, "latent": SIZES},
    **{"rope_style": "interleaved", "intermediate_size": 64, "weight_format": ALL},
)
PROJECTION = LatentProjectionSpec(
    **{"batch": 2, "num_q_heads": 4, "q_len": 5, "hidden_size": 64, "latent": SIZES},
    **{"max_positions": 64, "io_dtype": "f32", "weight_format": OF_LATENTS},
)
CHANNELS = DeltaLayerSpec(
    **{"batch": 3, "q_tokens": 14, "hidden_size": 64, "num_k_heads": 2, "num_v_heads": 2},
    **{"key_dim": 32, "value_dim": 32, "dynamic": ("q_tokens",), "io_dtype": "bf16"},
    **{"gate_rank": 32, "intermediate_size": 64},
    weight_format={
        **{"qkv": "q4_0", "gate": "q8_0", "rates": "q8_0", "output": "q4_0"},
        **{"gate_up": "q4_0", "down": "q8_0"},
    },
)
EXPERTS = {
    **{"num_experts": 4, "experts_per_token": 2, "intermediate_size": 32},
    **{"has_router_input": True, "has_expert_scales": True},
    "weight_format": {"gate_up": "q8_0", "down": "q4_0"},
}
BESIDE = LAYER.replace(
    attention=PAGES.replace(num_kv_heads=2, value_dim=40, latent_cache=False),
    **{"latent": None, "experts": EXPERTS, "post_norm": True, "activation": "gelu_tanh"},
    weight_format={"output": "q4_0", "gate_up": "q4_0", "down": "q8_0"},
)
LAYERS = joined_graphs(
    [
        Graph(LAYER, "blocked"),
        Graph(LAYER.replace(weight_format={"latent": "q8_0"}), "blocked"),
        Graph(PROJECTION),
        Graph(PROJECTION.replace(q_len=1, batch=5, io_dtype="bf16", dynamic=("batch",))),
        Graph(CHANNELS),
        Graph(BESIDE, "blocked"),
    ]
)


@pytest.mark.parametrize("one", LAYERS, ids=lambda one: one.graph.spec.digest)
def test_the_reference_is_met(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_gpus_meet_the_reference():
    for spec in (PROJECTION.replace(io_dtype="f16"), CHANNELS):
        assert failed_cases(irattn.compile(spec, target="gfx1100")) == []


@pytest.mark.parametrize(
    ("formats", "message"),
    [
        ({"qkv": "q8_0"}, "expected a format, or those of some of query_down, query, latent, outp"),
        ({"latent": "int8_channel"}, "beside latents expected one of q8_0, .*, got int8_channel"),
    ],
)
def test_what_latents_do_not_take(formats, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(weight_format=formats)


def test_weights_of_latents_are_of_layers_that_have_them():
    with pytest.raises(
        SpecError, match="weight_format: expected a format, or those of some of qkv"
    ):
        BESIDE.replace(weight_format={"latent": "q8_0"})
