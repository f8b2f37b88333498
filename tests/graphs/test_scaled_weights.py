"""Products with weights of 8 bits whose scales stand beside them: what they mean, and compiled."""

import json

import numpy as np
import pytest

from irattn import (
    EmbeddingSpec,
    LinearSpec,
    LmHeadSpec,
    MixtureOfExpertsSpec,
    MlpSpec,
    OutputProjectionSpec,
    QkvProjectionSpec,
    targets,
)
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError, SpecError
from irattn.core.weight_formats import SCALED_FORMATS, weight_format
from irattn.lab.inputs import random_tensors
from irattn.reference.packed_weights import numbers_of
from irattn.rendering import GraphRequest, render
from irattn.specs import spec_from_dict
from support.compiled_once import compiled_once
from support.joined import joined, together

# Rows and columns that leave a rest of 128.
LINEAR = LinearSpec(q_len=1, in_columns=160, out_columns=136, weight_format="fp8_block")
HEADS = {"num_q_heads": 4, "head_dim": 32, "hidden_size": 128}
EACH = dict(zip(("query", "key", "value"), SCALED_FORMATS, strict=True))
MLP = MlpSpec(q_len=2, hidden_size=160, intermediate_size=96, weight_format="int8_channel")
EXPERTS = MixtureOfExpertsSpec(
    **{"q_len": 5, "hidden_size": 128, "intermediate_size": 128, "num_experts": 3},
    **{"experts_per_token": 2, "shared_size": 64, "weight_format": "fp8_block"},
)
LAYER = catalog.get("whole_layer_decode_tiny")
SOME = together(
    [
        LINEAR.replace(io_dtype="f32"),
        LINEAR.replace(q_len=6, io_dtype="bf16", dynamic=("q_len",), weight_format="int8_channel"),
        EmbeddingSpec(q_len=3, vocab_size=37, hidden_size=64, scale=2, weight_format="fp8_block"),
        LmHeadSpec(q_len=2, hidden_size=64, vocab_size=77, weight_format="int8_channel"),
        QkvProjectionSpec(**HEADS, num_kv_heads=2, q_len=1, weight_format="fp8_block"),
        QkvProjectionSpec(**HEADS, num_kv_heads=2, q_len=3, has_bias=True, weight_format=EACH),
        OutputProjectionSpec(**HEADS, q_len=3, weight_format="fp8_channel"),
        MLP.replace(weight_format={"gate": "fp8_block", "up": "fp8_block", "down": "fp8_channel"}),
        EXPERTS,
        EXPERTS.replace(
            **{"q_len": 1, "has_bias": True, "shared_size": None},
            weight_format={"gate_up": "int8_channel", "down": "fp8_channel"},
        ),
        LAYER.replace(weight_format="int8_channel"),
    ]
)


def test_numbers_worked_by_hand():
    rows = np.array([[1, -2], [3, 4]], np.int8)
    scale = np.array([0.5, 10], np.float32)
    np.testing.assert_array_equal(numbers_of("int8_channel", rows, scale), [[0.5, -1], [30, 40]])
    rows = np.ones((130, 257), np.int8)
    scale = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    wide = numbers_of("fp8_block", rows, scale)
    assert [wide[127, 127], wide[127, 128], wide[128, 0], wide[129, 256]] == [1, 2, 4, 6]


@pytest.mark.slow
@pytest.mark.parametrize("one", SOME, ids=str)
def test_it_meets_the_reference(one):
    assert one.verdict().passed


@pytest.mark.slow
def test_every_number_of_eight_bits_is_multiplied():
    """As bits of a product with a row of a unit matrix, all of e4m3 but NaN."""
    kernel = SOME[0].load()
    inputs = random_tensors(LINEAR.replace(io_dtype="f32"))
    stored = np.arange(256, dtype=np.uint8)
    stored[[127, 255]] = 0
    weight = inputs["weight"].view(np.uint8)
    weight[:] = 0
    weight[:128, 3], weight[:128, 130] = stored[:128], stored[128:]
    scale = np.full((2, 2), 0.25, np.float32)
    hidden = np.zeros((1, 1, 160), np.float32)
    numbers = stored.view(inputs["weight"].dtype).astype(np.float32) / 4
    for column, wanted in ((3, numbers[:128]), (130, numbers[128:])):
        hidden[:] = 0
        hidden[..., column] = 1
        got = np.asarray(kernel(hidden, inputs["weight"], scale))[0, 0, :128]
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("one", SOME, ids=str)
def test_it_is_read_back_from_json(one):
    spec = one.graph.spec
    assert spec_from_dict(json.loads(spec.to_json())) == spec


def test_scales_stand_behind_their_weights():
    told = [f"{tensor.name} {tensor}" for tensor in LINEAR.inputs[1:]]
    assert told == ["weight fp8_e4m3 [136, 160]", "weight_scale f32 [2, 2]"]
    told = [f"{tensor.name} {tensor}" for tensor in MLP.inputs[1:3]]
    assert told == ["gate_up_weight int8 [192, 160]", "gate_up_weight_scale f32 [192]"]
    scales = {one.name: one.shape for one in EXPERTS.inputs if one.name.endswith("_scale")}
    assert scales == {
        "gate_up_weight_scale": (3, 2, 1),
        "down_weight_scale": (3, 1, 1),
        "shared_gate_up_weight_scale": (1, 1),
        "shared_down_weight_scale": (1, 1),
    }
    names = [one.name for one in LAYER.replace(weight_format="fp8_channel").inputs]
    assert {"qkv_weight_scale", "output_weight_scale", "down_weight_scale"} <= {*names}


@pytest.mark.parametrize("target", ["x86-64-v3", "gfx1100"])
def test_weights_are_read_where_they_lie(target):
    """No dispatch makes anything of a weight's size, and nothing copies it."""
    chip = targets.get(target)
    specs = [LINEAR, LINEAR.replace(q_len=3, weight_format="int8_channel")]
    texts = [render(GraphRequest(spec, chip)) for spec in specs]
    host = compiled_once(joined(texts), (*chip.flags, "--compile-to=stream")).decode()
    assert "stream.cmd.dispatch" in host
    assert "stream.cmd.copy" not in host
    assert "stream.async.clone" not in host


@pytest.mark.parametrize(
    ("spec", "changes", "message"),
    [
        (MLP, {"weight_format": {"gate_up": "q8_0", "down": "fp8_channel"}}, "got both: q8_0, fp8"),
        (LINEAR, {"in_columns": 40}, "in_columns: fp8_block is read in steps of 32 elements"),
        (LINEAR, {"weight_format": "fp8"}, "weight_format: expected one of q8_0, .*fp8_block, got"),
        (
            EXPERTS,
            {"intermediate_size": 64},
            "intermediate_size: fp8_block has a scale for 128 row",
        ),
        (EXPERTS, {"hidden_size": 160}, "hidden_size: fp8_block has a scale for 128 rows"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(spec, changes, message):
    with pytest.raises(SpecError, match=message):
        spec.replace(**changes)


def test_scales_of_another_shape_or_type_are_refused():
    scale = LINEAR.inputs[2]
    for wrong in (np.zeros((2, 1), np.float32), np.zeros((2, 2), np.float16)):
        with pytest.raises(ArgumentError, match=r"weight_scale: expected f32 \[2, 2\], got"):
            scale.check(wrong)
    assert weight_format("int8_channel").scale_shape(37, 64) == (37,)
