"""One artifact of a layer, or of a part of it, for all sizes up to a maximum."""

import numpy as np
import pytest

from irattn import (
    CacheWriteSpec,
    DecoderLayerSpec,
    DeviceArray,
    EmbeddingSpec,
    LmHeadSpec,
    MlpSpec,
    PagedAttentionSpec,
    PositionEmbeddingSpec,
    QkvProjectionSpec,
    RopeSpec,
)
from irattn.core.errors import ArgumentError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.runtime import transfers
from irattn.specs import spec_from_dict
from support.joined import Graph, joined_graphs, together

pytestmark = pytest.mark.slow

TOKENS = {"batch": 3, "q_len": 5, "io_dtype": "f32"}
HEADS = {**TOKENS, "num_q_heads": 4, "head_dim": 16}
BOTH, SEQUENCES = ("batch", "q_len"), ("batch",)
# What the layers below do not have in these sizes.
PARTS = together(
    [
        MlpSpec(
            **TOKENS, hidden_size=24, intermediate_size=16, gated=False, has_bias=True,
            dynamic=SEQUENCES,
        ),
        QkvProjectionSpec(
            **{**HEADS, "batch": 1}, num_kv_heads=2, hidden_size=24, has_bias=True,
            dynamic=("q_len",),
        ),
        LmHeadSpec(**TOKENS, hidden_size=24, vocab_size=33, logits_soft_cap=3.0, dynamic=BOTH),
        LmHeadSpec(**TOKENS, hidden_size=24, vocab_size=33, dynamic=SEQUENCES),
        RopeSpec(
            **{**HEADS, "io_dtype": "f16"}, num_kv_heads=2, max_positions=64, dynamic=BOTH,
            rope_style="interleaved", rotary_dim=8,
        ),
        CacheWriteSpec(
            num_tokens=9, num_kv_heads=2, head_dim=16, block_size=4, num_blocks=7, io_dtype="f32",
            dynamic=("num_tokens", "num_blocks"),
        ),
        EmbeddingSpec(**TOKENS, hidden_size=24, vocab_size=33, dynamic=BOTH),
        PositionEmbeddingSpec(**TOKENS, hidden_size=24, max_positions=33, dynamic=BOTH),
    ]
)  # fmt: skip

EVERY = ("batch", "q_len", "num_blocks", "max_blocks")
LAYER = DecoderLayerSpec(
    attention=PagedAttentionSpec(
        batch=2, num_q_heads=4, num_kv_heads=2, q_len=70, head_dim=16, block_size=4, num_blocks=40,
        max_blocks=20, io_dtype="f32", dynamic=EVERY,
    ),
    hidden_size=40,
    max_positions=128,
    intermediate_size=56,
)  # fmt: skip
DECODE = LAYER.replace(q_len=1, batch=3, dynamic=("batch", "num_blocks", "max_blocks"))
LAYERS = joined_graphs(
    [
        Graph(LAYER, "blocked"),
        Graph(DECODE.replace(qk_norm=True, rotary_dim=12, intermediate_size=None), "fused"),
        Graph(LAYER.replace(q_len=6, ragged=True, dynamic=SEQUENCES, window=(3, None)), "blocked"),
    ]
)


@pytest.mark.parametrize("one", [*PARTS, *LAYERS], ids=lambda one: one.graph.spec.op)
def test_all_sizes_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_a_call_on_the_device_is_that_of_numpy():
    """Tokens that fill up a step are written nowhere; caches stay in their memory."""
    kernel = LAYERS[0].load()
    call = LAYER.of_sizes({"batch": 1, "q_len": 5, "num_blocks": 9, "max_blocks": 3})
    tensors = random_tensors(call)
    tensors["slot_mapping"][0] = [7, -1, 8, 12, 5]
    expected = kernel.outputs(**tensors)
    assert not np.array_equal(expected[1], tensors["key_cache"])
    np.testing.assert_array_equal(expected[1][0, :, 0], tensors["key_cache"][0, :, 0])
    there = {name: DeviceArray.from_numpy(array, kernel.device) for name, array in tensors.items()}
    kernel(**there)
    before = transfers()
    found = kernel.outputs(**there, donate=("key_cache", "value_cache"))
    made = transfers() - before
    assert (made.to_host, made.to_device) == (0, 0)
    # Padded are hidden states, positions and slots, and the output is cut: nothing of the caches.
    assert made.bytes_on_device < there["value_cache"].shape[0] * 100 + 3 * 64 * 40 * 4
    assert all(array.shape[0] == 9 for array in found[1:])
    for array, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(array.to_numpy(), other)


def test_sizes_that_disagree_are_refused():
    tensors = random_tensors(LAYER.of_sizes({"q_len": 5}))
    kernel = LAYERS[0].load()
    with pytest.raises(ArgumentError, match="positions: expected q_len 5 as in hidden, got 4"):
        kernel(**{**tensors, "positions": tensors["positions"][:, :4]})
    with pytest.raises(
        ArgumentError, match=r"hidden: expected f32 \[1 <= batch <= 2, 1 <= q_len <= 70, 40"
    ):
        kernel(**{**tensors, "hidden": np.zeros((3, 5, 40), np.float32)})


def test_a_layer_is_as_dynamic_as_its_attention():
    assert LAYER.dynamic == LAYER.attention.dynamic == EVERY
    assert LAYER.replace(dynamic=["batch"]).attention.dynamic == SEQUENCES
    assert spec_from_dict(LAYER.to_dict()) == LAYER
    with pytest.raises(SpecError, match="dynamic: mlp takes batch, q_len, got 'hidden_size'"):
        PARTS[0].graph.spec.replace(dynamic=["hidden_size"])
