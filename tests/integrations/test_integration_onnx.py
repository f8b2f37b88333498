"""ONNX's Attention and RotaryEmbedding; needs the extra `onnx`."""

import numpy as np
import pytest

pytest.importorskip("onnx", reason="needs: pip install 'irattn[onnx]'")

import ml_dtypes
from onnx import TensorProto, helper
from onnx.backend.test.case.node import collect_testcases
from onnx.reference import ReferenceEvaluator

from irattn.core.dtypes import dtype, float_name
from irattn.core.errors import ArgumentError, SpecError
from irattn.integrations import onnx as integration

pytestmark = pytest.mark.slow

attention, rotary_embedding = integration.attention, integration.rotary_embedding


def node_cases():
    """onnx's own cases of single nodes; the others are these taken apart into other ops."""
    with np.errstate(all="ignore"):
        cases = collect_testcases(None)
    return {
        case.name: case
        for case in cases
        if [node.op_type for node in case.model.graph.node] in (["Attention"], ["RotaryEmbedding"])
    }


CASES = node_cases()


def check(output, expected):
    """Equal within the element type's tolerance, and -inf at the same places."""
    assert (output.dtype, output.shape) == (expected.dtype, expected.shape)
    # onnx rounds between its steps, irattn keeps f32.
    tolerance = 2 * dtype(float_name(expected.dtype)).tolerance
    output, expected = (np.asarray(x, np.float64) for x in (output, expected))
    hidden = np.isneginf(expected)
    assert np.array_equal(np.isneginf(output), hidden)
    output, expected = output[~hidden], expected[~hidden]
    assert np.linalg.norm(output - expected) <= tolerance * np.linalg.norm(expected)


def test_there_are_cases_of_both():
    names = [name.split("_")[1] for name in CASES]
    assert (names.count("attention") >= 93, names.count("rotary") >= 8) == (True, True)


@pytest.mark.parametrize("name", CASES)
def test_onnxs_node_cases(name):
    model, ((inputs, outputs),) = CASES[name].model, CASES[name].data_sets
    session = ReferenceEvaluator(model, new_ops=integration.OPS)
    assert [type(node) in integration.OPS for node in session.rt_nodes_] == [True]
    names = [info.name for info in model.graph.input]
    got = session.run(None, dict(zip(names, inputs, strict=True)))
    for output, expected in zip(got, outputs, strict=True):
        check(output, expected)


RNG = np.random.default_rng(0)


def arrays(*shapes, element=np.float32):
    return [RNG.standard_normal(shape).astype(element) for shape in shapes]


def onnxs(op, inputs, opset=24, num_outputs=1, **attributes):
    """What onnx's own evaluator gives for one node."""
    names = [f"x{i}" if x is not None else "" for i, x in enumerate(inputs)]
    given = {name: x for name, x in zip(names, inputs, strict=True) if name}
    outputs = [f"y{i}" for i in range(num_outputs)]
    values = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for name, x in given.items()
    ]
    graph = helper.make_graph(
        [helper.make_node(op, names, outputs, **attributes)],
        "one",
        values,
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    return ReferenceEvaluator(model).run(None, given)


@pytest.mark.parametrize("new_keys", [1, 3, 4, 6])
@pytest.mark.parametrize("window", [{}, {"left_window_size": 3, "right_window_size": 1}], ids=str)
@pytest.mark.parametrize("is_causal", [0, 1])
def test_queries_stand_behind_the_past(new_keys, window, is_causal):
    """Also where new keys and queries differ in number: neither alignment of irattn's."""
    query, key, value = arrays((2, 4, 3, 8), (2, 2, new_keys, 8), (2, 2, new_keys, 6))
    past = arrays((2, 2, 5, 8), (2, 2, 5, 6))
    mask = RNG.random((2, 1, 3, 5 + new_keys)) > 0.2
    inputs = [query, key, value, mask, *past]
    expected = onnxs("Attention", inputs, 25, 3, is_causal=is_causal, **window)
    got = attention(*inputs, is_causal=is_causal, **window)
    for output, wanted in zip(got[:3], expected, strict=True):
        check(output, wanted)
    assert got[3] is None


@pytest.mark.parametrize(
    "mask", [RNG.random((3, 4)) > 0.3, *arrays((4, 3, 4))], ids=["bool", "f32"]
)
def test_keys_past_the_end_of_a_mask_are_hidden(mask):
    inputs = [*arrays((2, 4, 3, 8), (2, 2, 6, 8), (2, 2, 6, 8)), mask]
    check(attention(*inputs)[0], onnxs("Attention", inputs)[0])


def test_an_empty_past():
    query, key, value = arrays((1, 2, 3, 8), (1, 2, 3, 8), (1, 2, 3, 8))
    past = np.zeros((1, 2, 0, 8), np.float32)
    first, present, _, _ = attention(query, key, value, None, past, past, is_causal=1)
    check(first, onnxs("Attention", [query, key, value], is_causal=1)[0])
    check(present, key)


@pytest.mark.parametrize("mode", range(4))
def test_scores_of_padded_keys(mode):
    query, key, value = arrays((2, 4, 3, 8), (2, 2, 6, 8), (2, 2, 6, 8))
    bias, lengths = *arrays((4, 3, 6)), np.array([2, 5])
    inputs = [query, key, value, bias, None, None, lengths]
    # onnx's evaluator caps the scores of mode 0, too, which its text calls raw.
    how = {"is_causal": 1, "softcap": 1.5 if mode else 0.0, "qk_matmul_output_mode": mode}
    expected = onnxs("Attention", inputs, 24, 4, **how)
    got = attention(*inputs, **how, with_scores=True)
    check(got[0], expected[0])
    check(got[3], expected[3])


def test_sizes_may_be_exact():
    query, key, value = arrays((1, 2, 3, 8), (1, 2, 4, 8), (1, 2, 4, 8))
    expected = attention(query, key, value)[0]
    check(attention(query, key, value, exact_sizes=True)[0], expected)


def test_nothing_to_attend_to():
    query, none = np.ones((1, 2, 3, 8), np.float32), np.zeros((1, 2, 0, 8), np.float32)
    output, _, _, scores = attention(query, none, none, with_scores=True)
    assert (output.shape, scores.shape) == ((1, 2, 3, 8), (1, 2, 3, 0))
    assert not output.any()


@pytest.mark.parametrize("element", [np.float16, ml_dtypes.bfloat16])
def test_rotary_embedding_in_halves(element):
    (data,), tables = arrays((2, 4, 3, 8), element=element), arrays((5, 2), (5, 2), element=element)
    positions = np.array([[0, 4, 2], [1, 1, 3]])
    how = {"rotary_embedding_dim": 4, "interleaved": 1}
    expected = onnxs("RotaryEmbedding", [data, *tables, positions], 23, **how)[0]
    check(rotary_embedding(data, *tables, positions, **how), expected)


def test_a_later_attribute_is_refused_by_name():
    with pytest.raises(ArgumentError, match="key_cache_kind: irattn knows no such attribute"):
        integration._known(attention, {"key_cache_kind": 1, "scale": None})


Q, K, V = arrays((2, 4, 3, 8), (2, 2, 6, 8), (2, 2, 6, 8))
PAST = arrays((2, 2, 5, 8), (2, 2, 5, 8))
REFUSED = {
    "query: expected float32, float16 or bfloat16, got float64": (
        tuple(x.astype(np.float64) for x in (Q, K, V)), {}),
    "query: expected a NumPy array, got list; give np.asarray": ((Q.tolist(), K, V), {}),
    "query: expected 3 or 4 axes, got shape [3, 8]": ((Q[0, 0], K, V), {}),
    "q_num_heads: expected a divisor of 8, the last axis of query, got None": (
        (Q[:, 0], K, V), {}),
    "q_num_heads: expected 4 as in query, got 2": ((Q, K, V), {"q_num_heads": 2}),
    "value: expected a NumPy array, got NoneType": ((Q, K, None), {}),
    "attn_mask: expected a NumPy array, got list": ((Q, K, V, [[True] * 6] * 3), {}),
    "past_value: expected a NumPy array, got list": ((Q, K, V, None, PAST[0], [1]), {}),
    "nonpad_kv_seqlen: expected a NumPy array, got list": (
        (Q, K, V, None, None, None, [1, 2]), {}),
    "value: expected float32 as query, got float16": ((Q, K, V.astype(np.float16)), {}),
    "key: expected the sizes of query [2, 4, 3, 8]": ((Q, K[:, :, :5], V), {}),
    "num_kv_heads: expected a divisor of num_q_heads = 3, got 2": ((Q[:, :3], K, V), {}),
    "attn_mask: expected bool or float32, got int64": ((Q, K, V, np.ones((3, 6), int)), {}),
    "attn_mask: expected a shape that broadcasts": ((Q, K, V, np.ones((3, 7), bool)), {}),
    "past_key, past_value: expected both or none": ((Q, K, V, None, PAST[0]), {}),
    "past_key: expected float32 [2, 2, past, 8], got float32 [2, 1, 5, 8]": (
        (Q, K, V, None, PAST[0][:, :1], PAST[1]), {}),
    "nonpad_kv_seqlen: expected none beside past_key": (
        (Q, K, V, None, *PAST, np.array([1, 2])), {}),
    "nonpad_kv_seqlen: expected int64 [2], got int64 [3]": (
        (Q, K, V, None, None, None, np.array([1, 2, 3])), {}),
    "nonpad_kv_seqlen: expected 0 to 6, got [1, 7]": (
        (Q, K, V, None, None, None, np.array([1, 7])), {}),
    "softmax_precision: expected one of (1, 10, 11, 16), got 7": (
        (Q, K, V), {"softmax_precision": 7}),
    "qk_matmul_output_mode: expected 0 to 3, got 4": ((Q, K, V), {"qk_matmul_output_mode": 4}),
    "window: expected whole numbers": ((Q, K, V), {"left_window_size": -2}),
    "softmax_scale: expected": ((Q, K, V), {"scale": float("inf")}),
    "logits_soft_cap: expected": ((Q, K, V), {"softcap": -1.0}),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_is_refused(message):
    inputs, attributes = REFUSED[message]
    with pytest.raises((ArgumentError, SpecError)) as caught:
        attention(*inputs, **attributes)
    assert str(caught.value).startswith(message)


X, TABLE = arrays((2, 4, 3, 8), (5, 4))
ROTARY_REFUSED = {
    "data: expected float32, float16 or bfloat16, got float64": ((X.astype(float), TABLE, TABLE),),
    "sin_cache: expected a NumPy array, got list": ((X, TABLE, TABLE.tolist()),),
    "position_ids: expected a NumPy array, got list": ((X, TABLE, TABLE, [[0, 1, 2]] * 2),),
    "num_heads: expected a divisor of 8": ((X[:, 0], TABLE, TABLE),),
    "cos_cache: expected [2, 3, 'rotary_embedding_dim / 2'] without position_ids, got [5, 4]": (
        (X, TABLE, TABLE, None),),
    "position_ids: expected [2, 3] of 0 to 4, got [2, 3] of 5 to 5": (
        (X, TABLE, TABLE, np.full((2, 3), 5)),),
}  # fmt: skip


@pytest.mark.parametrize("message", ROTARY_REFUSED)
def test_what_cannot_be_rotated_is_refused(message):
    ((data, cos, sin, *positions),) = ROTARY_REFUSED[message]
    positions = positions or [np.zeros((2, 3), np.int64)]
    with pytest.raises(ArgumentError) as caught:
        rotary_embedding(data, cos, sin, *positions)
    assert str(caught.value).startswith(message)
