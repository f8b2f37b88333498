"""A layer of packed tokens: chunks of prompts and decodes of several sequences in one call."""

import numpy as np
import pytest

from irattn import DecoderLayerSpec, PackedPagedAttentionSpec, PagedAttentionSpec
from irattn.core.errors import SpecError
from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import spec_from_dict
from support.joined import Graph, joined_graphs

pytestmark = pytest.mark.slow

SIZES = {
    "num_q_heads": 4, "num_kv_heads": 2, "head_dim": 16, "block_size": 4, "num_blocks": 14,
    "max_blocks": 4, "io_dtype": "f32",
}  # fmt: skip
ATTENTION = PackedPagedAttentionSpec(**SIZES, batch=3, q_tokens=15)
LAYER = DecoderLayerSpec(
    attention=ATTENTION, hidden_size=40, max_positions=64, intermediate_size=56
)
HALF = LAYER.replace(intermediate_size=None)
OF_A_CALL = ("batch", "q_tokens", "num_blocks", "max_blocks")
GEMMA = {"qk_norm": True, "post_norm": True, "norm_offset": 1.0, "activation": "gelu_tanh"}
OTHER_NORMS = {
    **{"qk_norm": True, "joint_qk_norm": True, "norm_kind": "layer", "norm_bias": True},
    **{"parallel_mlp": "shared_norm", "residual_scale": 0.5, "temperature": 0.5},
    "temperature_tokens": 4,
}
GATED = {
    **{"scales_output": True, "layer_input": {"width": 12, "vocab_size": 31}},
    **{"output_gate": True, "value_norm": True, "qk_norm": True, "qk_norm_weights": False},
    **{"window": (3, None), "sinks": True, "io_dtype": "bf16"},
}
STREAMS = {
    **{"layer_input": {"width": 12, "vocab_size": 31, "known_tokens": 40}, "laurel_rank": 6},
    **{"streams": {"num_streams": 3}, "sparsity": 0.8, "post_norm": True, "io_dtype": "f16"},
    **{"shares_kv": True, "qk_norm": True},
}
# The same as sequences of five queries each, some of which are padding.
PADDED = LAYER.replace(
    attention=PagedAttentionSpec(**SIZES, batch=3, q_len=9, ragged=True),
)
LAYERS = joined_graphs(
    [
        Graph(LAYER, "fused"),
        Graph(LAYER.replace(dynamic=OF_A_CALL, **GEMMA), "fused"),
        Graph(
            HALF.replace(use_rope=False, qkv_bias=True, output_bias=True, dynamic=["q_tokens"]),
            "fused",
        ),
        Graph(HALF.replace(rope_style="interleaved", rotary_dim=8, q_tokens=1, batch=1), "fused"),
        Graph(LAYER.replace(dynamic=OF_A_CALL, **OTHER_NORMS), "fused"),
        Graph(LAYER.replace(dynamic=OF_A_CALL, **GATED), "fused"),
        Graph(LAYER.replace(dynamic=OF_A_CALL, **STREAMS), "fused"),
        Graph(PADDED, "blocked"),
    ]
)


@pytest.mark.parametrize("one", LAYERS[:-1], ids=str)
def test_packed_layers_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def packed_step():
    """Inputs of a packed step, a decode, a chunk and nothing, and the same as padded rows."""
    tensors = random_tensors(LAYER)
    tensors["cu_seqlens_q"][:] = [0, 1, 10, 10]
    tensors["context_lens"][:] = [7, 9, 4]
    tensors["block_table"][:] = [[3, 1, 0, 0], [2, 5, 7, 0], [6, 0, 0, 0]]
    tensors["slot_mapping"][:] = -1
    tensors["slot_mapping"][:10] = [6, 8, 9, 10, 11, 20, 21, 22, 23, 28]
    return tensors


def as_padded(tensors):
    starts, rows = tensors["cu_seqlens_q"], {}
    counts = np.diff(starts).astype(np.int32)
    for name, fill in (("hidden", 0), ("positions", 0), ("slot_mapping", -1)):
        packed = tensors[name]
        rows[name] = np.full((3, 9, *packed.shape[1:]), fill, packed.dtype)
        for row, first, count in zip(rows[name], starts, counts, strict=False):
            row[:count] = packed[first : first + count]
    given = {name: array for name, array in tensors.items() if name != "cu_seqlens_q"}
    return {**given, **rows, "q_lens": counts}


def test_packed_tokens_get_what_padded_ones_get():
    """By the references, and by the compiled functions."""
    tensors = packed_step()
    padded = as_padded(tensors)
    pairs = [
        (reference(LAYER, tensors), reference(PADDED, padded)),
        (LAYERS[0].load()(**tensors), LAYERS[-1].load()(**padded)),
    ]
    for (packed, *caches), (rows, *other_caches) in pairs:
        np.testing.assert_allclose(packed[:1], rows[0, :1], atol=1e-5)
        np.testing.assert_allclose(packed[1:10], rows[1], atol=1e-5)
        for cache, other in zip(caches, other_caches, strict=True):
            np.testing.assert_allclose(cache, other, atol=1e-5)


def bounds_of(spec, tensors):
    expected = reference(spec, tensors)
    wanted = [np.ones(array.shape, bool) for array in expected]
    return error_bounds(spec, tensors, expected, wanted)


def test_bounds_hold_the_compiled_layer():
    tensors = packed_step()
    expected, bounds = reference(LAYER, tensors), bounds_of(LAYER, tensors)
    found = LAYERS[0].load().outputs(**tensors)
    for array, exact, bound in zip(found, expected, bounds, strict=True):
        assert bound.shape == exact.shape
        assert np.all(np.abs(array - exact) <= bound)


def test_bounds_of_packed_tokens_are_those_of_padded_ones():
    tensors = packed_step()
    packed, *caches = bounds_of(LAYER, tensors)
    rows, *other_caches = bounds_of(PADDED, as_padded(tensors))
    np.testing.assert_allclose(packed[:10], [rows[0, 0], *rows[1]], rtol=1e-9)
    for cache, other in zip(caches, other_caches, strict=True):
        np.testing.assert_allclose(cache, other, rtol=1e-9)


def test_tensors_are_those_of_packed_tokens():
    shapes = {tensor.name: tensor.shape for tensor in (*LAYER.inputs, *LAYER.outputs)}
    assert shapes["hidden"] == shapes["output"] == (15, 40)
    assert shapes["positions"] == shapes["slot_mapping"] == (15,)
    assert shapes["cu_seqlens_q"] == (4,)
    assert LAYER.cached_attention.op == "packed_paged_update_attention"


@pytest.mark.parametrize("spec", [LAYER, LAYER.replace(dynamic=OF_A_CALL), PADDED], ids=str)
def test_json_says_which_attention_it_is(spec):
    said = spec.to_dict()
    assert said["attention"].get("op") == ("packed_paged_attention" if spec.is_packed else None)
    assert spec_from_dict(said) == spec


def test_json_without_an_op_is_paged_attention():
    fields = PADDED.to_dict()["attention"]
    assert LAYER.replace(attention=fields) == PADDED
    assert LAYER.replace(attention={**fields, "op": "paged_attention"}) == PADDED


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"attention": {**ATTENTION.to_dict(), "op": "packed_attention"}},
            "attention.op: expected paged_attention or packed_paged_attention, got 'packed_att",
        ),
        ({"attention": LAYER.cached_attention}, "attention: expected a PagedAttentionSpec or a P"),
        ({"return_lse": True}, "return_lse: a layer returns hidden states; leave it out"),
        ({"layout": "NHD"}, "layout: a layer has heads before tokens, HND, got NHD"),
        ({"q_len": 4}, "q_len: not a field of decoder_layer"),
        ({"dynamic": ["q_len"]}, "dynamic: packed_paged_attention takes batch, q_tokens, num_bl"),
    ],
)
def test_impossible_packed_layers_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        LAYER.replace(**changes)


def test_sizes_of_the_attention_are_set_through_the_layer():
    assert LAYER.replace(q_tokens=7, batch=2).attention == ATTENTION.replace(q_tokens=7, batch=2)
    call = LAYER.replace(dynamic=OF_A_CALL).of_sizes({"q_tokens": 5, "bounds": 3})
    assert call == LAYER.replace(q_tokens=5, batch=2)
