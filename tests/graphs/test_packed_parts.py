"""Parts of models with quantised weights, each with formats of its own, and layers of these."""

import json

import pytest

from irattn import (
    EmbeddingSpec,
    LmHeadSpec,
    MixtureOfExpertsSpec,
    MlpSpec,
    OutputProjectionSpec,
    QkvProjectionSpec,
)
from irattn.compiling import catalog
from irattn.core.errors import SpecError
from irattn.core.weight_formats import WEIGHT_FORMATS
from irattn.specs import spec_from_dict
from support.joined import together

HEADS = {"num_q_heads": 8, "head_dim": 32, "hidden_size": 256}
QKV = QkvProjectionSpec(**HEADS, num_kv_heads=2, q_len=1, weight_format="q4_0", has_bias=True)
# As files of llama.cpp's Q4_K_M have them.
MIXED = {"query": "q4_k", "key": "q4_k", "value": "q6_k"}
MLP = MlpSpec(q_len=2, hidden_size=256, intermediate_size=96, weight_format="mxfp4", has_bias=True)
LAYER = catalog.get("whole_layer_decode_tiny").replace(intermediate_size=256)
APART = {
    **{f"qkv_{name}": "q4_0" for name in ("query", "key")},
    **{"qkv_value": "q8_0", "output": "q4_0", "gate": "q4_0", "up": "q8_0", "down": "q6_k"},
}
# GPT-OSS's.
EXPERTS = MixtureOfExpertsSpec(
    **{"q_len": 1, "hidden_size": 256, "intermediate_size": 64, "io_dtype": "bf16"},
    **{"num_experts": 8, "experts_per_token": 2, "activation": "clamped_swiglu"},
    **{"has_bias": True, "has_router_bias": True, "weight_format": "mxfp4"},
)
ALSO_SHARED = {"shared_gate_up": "q8_0", "shared_down": "q8_0"}
SOME = together(
    [
        EXPERTS,
        EXPERTS.replace(
            **{"q_len": 20, "io_dtype": "f16", "activation": "silu", "has_bias": False},
            **{"shared_size": 32, "has_shared_gate": True},
            weight_format={"gate_up": "q4_k", "down": "q8_0", **ALSO_SHARED},
        ),
        EXPERTS.replace(
            **{"q_len": 3, "activation": "silu", "has_bias": False},
            weight_format={"gate": "q8_0", "up": "q4_0", "down": "q8_0"},
        ),
        *(
            EmbeddingSpec(q_len=3, vocab_size=37, hidden_size=256, scale=2, weight_format=name)
            for name in WEIGHT_FORMATS
        ),
        LmHeadSpec(q_len=2, hidden_size=256, vocab_size=77, weight_format="q6_k"),
        QKV,
        QKV.replace(weight_format=MIXED, q_len=5, batch=2, dynamic=("batch",)),
        OutputProjectionSpec(**HEADS, q_len=3, weight_format="q8_0"),
        MLP,
        MLP.replace(weight_format={"gate": "q4_k", "up": "q5_k", "down": "q8_0"}),
        MLP.replace(weight_format={"gate": "q5_0", "up": "q5_1", "down": "q4_1"}),
        LAYER.replace(weight_format=APART),
    ]
)


@pytest.mark.slow
@pytest.mark.parametrize("one", SOME, ids=str)
def test_it_meets_the_reference(one):
    assert one.verdict().passed


@pytest.mark.parametrize("one", SOME, ids=str)
def test_it_is_read_back_from_json(one):
    spec = one.graph.spec
    read = spec_from_dict(json.loads(spec.to_json()))
    assert read == spec
    assert hash(read) == hash(spec)


def test_weights_have_the_names_of_their_formats():
    assert [tensor.name for tensor in QKV.inputs] == ["hidden", "weight", "bias"]
    named = QKV.replace(weight_format=MIXED).inputs[1:]
    assert [str(tensor) for tensor in named[:3]] == [
        "u8 [256, 144]",
        "u8 [64, 144]",
        "u8 [64, 210]",
    ]
    assert [tensor.name for tensor in named] == [
        *("query_weight", "key_weight", "value_weight", "bias"),
    ]
    of_layer = [t.name for t in LAYER.replace(weight_format=APART).inputs if t.weight_format]
    assert of_layer == [f"{name}_weight" for name in APART]


@pytest.mark.parametrize(
    ("spec", "formats", "message"),
    [
        (
            MLP,
            {"down": "q8_0"},
            "weight_format: expected a format, or one each of gate_up, down or",
        ),
        (MLP, "q4_k", "intermediate_size: q4_k has blocks of 256 elements"),
        (MLP, 8, "weight_format: expected a format, or one each"),
        (
            EXPERTS,
            {"gate": "q8_0", "up": "q4_0", "down": "q8_0"},
            "weight_format: experts with biases have gate_up",
        ),
        (
            QKV,
            {"query": "q8_0"},
            "weight_format: expected a format, or one each of query, key, val",
        ),
        (QKV, "q7", "weight_format: expected one of q8_0"),
        (
            LAYER,
            {"gates": "q8_0"},
            "weight_format: expected a format, or those of some of qkv, qkv",
        ),
        (LAYER, {"qkv_key": "q8_0"}, "weight_format: expected a format, or one each of query, key"),
        (catalog.get("layer_decode_tiny"), {"down": "q8_0"}, "weight_format: down is of an MLP"),
        (
            catalog.get("whole_layer_experts_tiny"),
            "q8_0",
            "weight_format: experts have their own",
        ),
    ],
)
def test_formats_that_do_not_fit_are_refused(spec, formats, message):
    with pytest.raises(SpecError, match=message):
        spec.replace(weight_format=formats)


def test_what_experts_share_has_formats_by_name_or_none():
    names = ["shared_gate_up", "shared_down"]
    shared = EXPERTS.replace(activation="silu", has_bias=False, shared_size=96)
    formats = {"gate_up": "q8_0", "down": "q8_0"}
    for given, wanted in (("q4_0", "q4_0"), (formats, None), (formats | ALSO_SHARED, "q8_0")):
        inputs = {one.name: one for one in shared.replace(weight_format=given).inputs}
        assert [inputs[f"{name}_weight"].weight_format for name in names] == [wanted] * 2
    with pytest.raises(SpecError, match="weight_format: no expert is shared; name gate_up and"):
        EXPERTS.replace(weight_format=formats | ALSO_SHARED)
