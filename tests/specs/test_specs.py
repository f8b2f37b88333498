"""Specs: value semantics, JSON, and what is refused at birth."""

import dataclasses

import ml_dtypes
import numpy as np
import pytest

from irattn import AttentionSpec, PagedAttentionSpec, RmsNormSpec
from irattn.compiling import catalog
from irattn.core.dtypes import dtype
from irattn.core.errors import SpecError
from irattn.specs import SPEC_TYPES, apply_settings, spec_from_dict, spec_from_json
from support.as_numpy import as_numpy

OPS = ", ".join(SPEC_TYPES)
ATTENTION = AttentionSpec(num_q_heads=8, num_kv_heads=2, q_len=5, kv_len=7, head_dim=16)
PAGED = PagedAttentionSpec(
    num_q_heads=8, num_kv_heads=2, q_len=1, head_dim=16, num_blocks=9, max_blocks=3
)


def test_tensors_follow_the_fields():
    spec = ATTENTION.replace(batch=3, value_dim=24, io_dtype="bf16")
    assert [(t.name, t.shape, t.dtype) for t in (*spec.inputs, *spec.outputs)] == [
        ("query", (3, 8, 5, 16), "bf16"),
        ("key", (3, 2, 7, 16), "bf16"),
        ("value", (3, 2, 7, 24), "bf16"),
        ("output", (3, 8, 5, 24), "bf16"),
    ]
    assert [(t.name, t.shape, t.dtype) for t in PAGED.inputs] == [
        ("query", (1, 8, 1, 16), "f16"),
        ("key_cache", (9, 2, 16, 16), "f16"),
        ("value_cache", (9, 2, 16, 16), "f16"),
        ("block_table", (1, 3), "i32"),
        ("context_lens", (1,), "i32"),
    ]


def test_equal_meaning_is_equal_value():
    explicit = ATTENTION.replace(value_dim=16, softmax_scale=0.25)
    assert explicit == ATTENTION
    assert hash(explicit) == hash(ATTENTION)
    assert explicit.digest == ATTENTION.digest
    assert ATTENTION.replace(softmax_scale=0.5) != ATTENTION
    whole, real = ATTENTION.replace(softmax_scale=1), ATTENTION.replace(softmax_scale=1.0)
    assert whole == real
    assert whole.to_json() == real.to_json()
    assert ATTENTION.replace(logits_soft_cap=5).to_json().count('"logits_soft_cap": 5.0') == 1
    norms = [RmsNormSpec(rows=1, columns=2, offset=offset).to_json() for offset in (0.0, -0.0)]
    assert norms[0] == norms[1]


@pytest.mark.parametrize("name", catalog.names())
def test_numbers_of_numpy_are_numbers(name):
    spec = catalog.get(name)
    values = {field.name: getattr(spec, field.name) for field in dataclasses.fields(spec)}
    same = spec.replace(**{field: as_numpy(value) for field, value in values.items()})
    assert same == spec
    assert hash(same) == hash(spec)
    assert (same.to_json(), same.digest) == (spec.to_json(), spec.digest)
    for field, value in values.items():
        assert type(getattr(same, field)) is type(value), field


def test_numbers_of_numpy_of_any_kind():
    for kind in (np.int8, np.uint16, np.int64):
        assert ATTENTION.replace(q_len=kind(5)) == ATTENTION
    for kind in (np.float16, np.float32, np.float64, np.longdouble, ml_dtypes.bfloat16):
        scaled = ATTENTION.replace(softmax_scale=kind(0.5))
        assert scaled.to_json() == ATTENTION.replace(softmax_scale=0.5).to_json()
    assert ATTENTION.replace(q_len=np.array(5)) == ATTENTION
    windowed = ATTENTION.replace(window=(2, 3))
    for window in (np.array([2, 3]), [np.int64(2), 3], (np.uint8(2), np.int32(3))):
        assert ATTENTION.replace(window=window).to_json() == windowed.to_json()
    for wrong in (np.float32(5), np.bool_(True), np.array([5]), np.array([4, 5])):
        with pytest.raises(SpecError, match="q_len: expected a whole number of at least 1, got"):
            ATTENTION.replace(q_len=wrong)


class TorchType:
    """What the types of torch are to someone who does not import it: their text."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"torch.{self.name}"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("f32", np.float32), ("f16", np.float16), ("bf16", ml_dtypes.bfloat16)],
)
def test_dtypes_by_all_their_names(name, kind):
    expected = ATTENTION.replace(io_dtype=name)
    numpy_name = np.dtype(kind).name
    for given in (numpy_name, f"torch.{numpy_name}", kind, np.dtype(kind), TorchType(numpy_name)):
        assert ATTENTION.replace(io_dtype=given).to_json() == expected.to_json()
        assert spec_from_dict({**ATTENTION.to_dict(), "io_dtype": given}) == expected
    for setting in (f"io_dtype={numpy_name}", f"io_dtype=torch.{numpy_name}"):
        assert apply_settings(ATTENTION, (setting,)) == expected


def test_every_op_takes_dtypes_of_numpy():
    specs = map(catalog.get, catalog.names())
    for spec in (
        spec for spec in specs if "io_dtype" in {f.name for f in dataclasses.fields(spec)}
    ):
        kind = dtype(spec.io_dtype).numpy
        for given in (kind, kind.type, kind.name):
            assert spec.replace(io_dtype=given).to_json() == spec.to_json()


@pytest.mark.parametrize(
    "given", [np.float64, float, np.int16, np.dtype(">f2"), "f2", "half", TorchType("int8"), None]
)
def test_other_dtypes_are_refused(given):
    with pytest.raises(SpecError, match=r"^io_dtype: expected one of f32, f16, bf16, got "):
        ATTENTION.replace(io_dtype=given)


def test_what_other_libraries_write_for_off():
    for off in (-1, (-1, -1), [-1, None], np.array([-1, -1])):
        assert ATTENTION.replace(window=off).to_json() == ATTENTION.to_json()
    assert ATTENTION.replace(window=(3, -1)) == ATTENTION.replace(window=(3, None))
    assert ATTENTION.replace(window=(-1, 3)).window == (None, 3)
    causal = ATTENTION.replace(causal=True)
    assert causal.replace(window=(-1, 0)).digest == causal.digest
    for off in (0, 0.0, -0.0, np.float32(0)):
        assert ATTENTION.replace(logits_soft_cap=off).to_json() == ATTENTION.to_json()
    settings = ("window=[-1,-1]", "logits_soft_cap=0")
    assert apply_settings(ATTENTION, settings).digest == ATTENTION.digest


def test_what_has_no_effect_on_a_layer_without_rope_is_refused():
    layer = catalog.get("layer_decode_tiny").replace(use_rope=False)
    assert layer.replace(theta=10000).to_json() == layer.to_json()
    for field, value in (("theta", 5e5), ("rope_style", "interleaved"), ("rotary_dim", 4)):
        with pytest.raises(SpecError, match=f"{field}: has no effect without use_rope"):
            layer.replace(**{field: value})


def test_a_window_is_stored_once():
    """A window that hides nothing more is none, and lists become tuples."""
    assert ATTENTION.replace(window=[None, None]) == ATTENTION
    causal = ATTENTION.replace(causal=True)
    assert causal.replace(window=[None, 3]) == causal
    assert causal.replace(window=[2, 3]).window == (2, None)
    assert ATTENTION.replace(window=[2, 3]).window == (2, 3)


def test_feature_tensors_follow_the_fields():
    spec = ATTENTION.replace(
        batch=3, alibi=True, bias="hq", keep_mask="bk", sinks=True, return_lse=True, ragged=True
    )
    assert [(t.name, t.shape, t.dtype) for t in (*spec.inputs[3:], *spec.outputs[1:])] == [
        ("q_lens", (3,), "i32"),
        ("context_lens", (3,), "i32"),
        ("alibi_slopes", (8,), "f32"),
        ("bias", (1, 8, 5, 1), "f16"),
        ("keep_mask", (3, 1, 1, 7), "bool"),
        ("sinks", (8,), "f32"),
        ("lse", (3, 8, 5), "f32"),
    ]


def test_defaults_follow_a_changed_head_dim():
    spec = ATTENTION.replace(value_dim=16, softmax_scale=0.25).replace(head_dim=64)
    assert (spec.v_dim, spec.scale) == (64, 0.125)


@pytest.mark.parametrize(
    "spec", [ATTENTION, PAGED, ATTENTION.replace(softmax_scale=2.0, window=(3, None))]
)
def test_json_round_trip(spec):
    assert spec_from_json(spec.to_json()) == spec


def test_specs_are_frozen_and_keyword_only():
    with pytest.raises(AttributeError):
        ATTENTION.q_len = 3
    with pytest.raises(TypeError):
        AttentionSpec(1, 8, 2, 5, 7, 16)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_q_heads": 0}, "num_q_heads: expected a whole number of at least 1, got 0"),
        ({"q_len": -3}, "q_len: expected a whole number of at least 1, got -3"),
        ({"kv_len": 0}, "kv_len: expected a whole number of at least 1, got 0"),
        ({"batch": True}, "batch: expected a whole number of at least 1, got True"),
        ({"head_dim": 2.0}, "head_dim: expected a whole number of at least 1, got 2.0"),
        (
            {"head_dim": 257},
            "head_dim: expected at most 256, or 288 or 320 or 384 or 512 or 576, got 257",
        ),
        ({"value_dim": 0}, "value_dim: expected a whole number of at least 1, got 0"),
        ({"num_kv_heads": 3}, "num_kv_heads: expected a divisor of num_q_heads = 8, got 3"),
        ({"io_dtype": "f8"}, "io_dtype: expected one of f32, f16, bf16, got 'f8'"),
        ({"causal": "yes"}, "causal: expected true or false, got 'yes'"),
        (
            {"softmax_scale": "a"},
            "softmax_scale: expected 0, or a magnitude between 1e-30 and 1e30, got 'a'",
        ),
        (
            {"softmax_scale": float("nan")},
            "softmax_scale: expected 0, or a magnitude between 1e-30 and 1e30, got nan",
        ),
        (
            {"softmax_scale": 1e31},
            "softmax_scale: expected 0, or a magnitude between 1e-30 and 1e30, got 1e+31",
        ),
        ({"logits_soft_cap": -1}, "logits_soft_cap: expected a number from 0.001 to 1e6, got -1"),
        (
            {"logits_soft_cap": False},
            "logits_soft_cap: expected a number from 0.001 to 1e6, got False",
        ),
        ({"window": 4}, "window: expected [left, right], got 4"),
        (
            {"window": (-2, 0)},
            "window: expected whole numbers of at least 0, or null or -1 for no limit, got [-2, 0]",
        ),
        (
            {"alignment": "left"},
            "alignment: expected bottom_right, top_left or offsets, got 'left'",
        ),
        (
            {"bias": "qh"},
            "bias: expected some of the axes bhqk in this order (b batch, h head, q query, k key), "
            "got 'qh'",
        ),
        (
            {"keep_mask": True},
            "keep_mask: expected some of the axes bhqk in this order (b batch, h head, q query, "
            "k key), got True",
        ),
        ({"sinks": 1}, "sinks: expected true or false, got 1"),
        (
            {"rotary": True},
            "rotary: not a field of attention; its fields are io_dtype, batch, num_q_heads, "
            "num_kv_heads, head_dim, value_dim, softmax_scale, causal, alignment, window, "
            "logits_soft_cap, alibi, bias, keep_mask, sinks, return_lse, score_mod, mask_mod, "
            "dropout_p, dynamic, ragged, layout, q_len, kv_len, mask_blocks, cache_dtype, "
            "cache_scale",
        ),
    ],
)
def test_impossible_values_are_refused(changes, message):
    with pytest.raises(SpecError) as caught:
        ATTENTION.replace(**changes)
    assert str(caught.value) == message


def test_paging_is_validated():
    with pytest.raises(SpecError, match="block_size: expected a whole number of at least 1, got 0"):
        PAGED.replace(block_size=0)
    with pytest.raises(SpecError, match="max_blocks: expected a whole number of at least 1, got"):
        PAGED.replace(max_blocks=-1)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([], f"op: expected one of {OPS}, got 'list'"),
        ({"op": "conv"}, f"op: expected one of {OPS}, got 'conv'"),
        (
            {"op": "attention", "q_len": 1},
            "attention: missing num_q_heads, num_kv_heads, head_dim, kv_len; required: "
            "num_q_heads, num_kv_heads, head_dim, q_len, kv_len",
        ),
    ],
)
def test_bad_json_fields_are_refused(fields, message):
    with pytest.raises(SpecError) as caught:
        spec_from_dict(fields)
    assert str(caught.value) == message


def test_text_that_is_not_json_is_refused():
    with pytest.raises(SpecError, match="spec: expected JSON, got text that does not parse"):
        spec_from_json("{")


def test_settings_apply_together():
    # Either change alone would leave heads that do not divide.
    spec = apply_settings(ATTENTION, ("num_q_heads=9", "num_kv_heads=3", "io_dtype=bf16"))
    assert (spec.num_q_heads, spec.num_kv_heads, spec.io_dtype) == (9, 3, "bf16")
    with pytest.raises(SpecError, match="--set: q_len is given twice"):
        apply_settings(ATTENTION, ("q_len=3", "q_len=4"))
    with pytest.raises(SpecError, match="--set: expected field=value, got 'q_len'"):
        apply_settings(ATTENTION, ("q_len",))
