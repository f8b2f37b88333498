"""The projections around attention: by hand, as relations, compiled, and their machine code."""

import numpy as np
import pytest

import irattn
from irattn import OutputProjectionSpec, QkvProjectionSpec
from irattn.compiling import catalog
from irattn.core.errors import RenderError, SpecError
from irattn.lab.inputs import CASES, random_tensors
from irattn.reference import reference
from support.joined import together
from support.machine_code import kernels, matrix_instructions

pytestmark = pytest.mark.slow

QKV = QkvProjectionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=5, head_dim=8, hidden_size=24, io_dtype="f32"
)
OUTPUT = OutputProjectionSpec(
    batch=2, num_q_heads=4, q_len=5, head_dim=8, hidden_size=24, io_dtype="f32"
)


def test_query_key_and_value_by_hand():
    """Rows of the weight are query heads 0 and 1, then the key head, then the value head."""
    spec = QkvProjectionSpec(
        num_q_heads=2, num_kv_heads=1, q_len=2, head_dim=1, hidden_size=2, has_bias=True
    )
    query, key, value = reference(
        spec,
        {
            "hidden": np.array([[[1.0, 2.0], [3.0, 4.0]]]),
            "weight": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]]),
            "bias": np.array([0.0, 0.0, 100.0, 0.5]),
        },
    )
    np.testing.assert_array_equal(query, [[[[1], [3]], [[2], [4]]]])
    np.testing.assert_array_equal(key, [[[[103], [107]]]])
    np.testing.assert_array_equal(value, [[[[-0.5], [-0.5]]]])


def test_output_by_hand():
    """Columns of the weight are the heads side by side."""
    spec = OutputProjectionSpec(num_q_heads=2, q_len=2, head_dim=1, hidden_size=2)
    (output,) = reference(
        spec,
        {
            "attended": np.array([[[[1.0], [3.0]], [[2.0], [4.0]]]]),
            "weight": np.array([[1.0, 0.0], [10.0, 1.0]]),
        },
    )
    np.testing.assert_array_equal(output, [[[1, 12], [3, 34]]])


EVERY_DTYPE = together(
    spec.replace(io_dtype=io_dtype, has_bias=has_bias)
    for spec in (QKV, OUTPUT)
    for io_dtype in ("f32", "f16", "bf16")
    for has_bias in (False, True)
)
SHAPES = together(
    spec.replace(has_bias=True, io_dtype="f16", **changes)
    for spec in (QKV, OUTPUT)
    for changes in (
        {"q_len": 1},
        {"q_len": 1, "batch": 1},
        {"q_len": 33, "hidden_size": 77},
        {"head_dim": 80, "hidden_size": 100},
        {"hidden_size": 1, "head_dim": 1, "num_q_heads": 2},
    )
)


@pytest.mark.parametrize("one", [*EVERY_DTYPE, *SHAPES], ids=str)
def test_compiled(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


UNIT_QKV, UNIT_OUTPUT = (spec.replace(hidden_size=32) for spec in (QKV, OUTPUT))
ONE_TOKEN = QKV.replace(batch=1, q_len=1)
CALLED = {one.graph.spec: one for one in together((UNIT_QKV, UNIT_OUTPUT, QKV, ONE_TOKEN))}


def test_there_and_back():
    """With unit matrices as weights, the output is the hidden state that the query came from."""
    hidden = random_tensors(UNIT_QKV)["hidden"]
    unit = np.eye(32, dtype=np.float32)
    weight = np.concatenate([unit, np.zeros((32, 32), np.float32)])
    query, key, value = CALLED[UNIT_QKV].load()(hidden=hidden, weight=weight)
    assert not key.any()
    assert not value.any()
    back = CALLED[UNIT_OUTPUT].load()(attended=query, weight=unit)
    np.testing.assert_array_equal(back, hidden)


def test_tokens_are_projected_alone():
    """A batch of sequences and one token of one of them give the same numbers."""
    tensors = random_tensors(QKV)
    whole = CALLED[QKV].load()(**tensors)
    one = {**tensors, "hidden": np.ascontiguousarray(tensors["hidden"][1:, 3:4])}
    alone = CALLED[ONE_TOKEN].load()(**one)
    for found, expected in zip(alone, whole, strict=True):
        np.testing.assert_allclose(found, expected[1:, :, 3:4], atol=1e-6)


def test_inputs_are_of_order_one():
    spec = QKV.replace(hidden_size=512, has_bias=True)
    for case in CASES.values():
        assert np.isfinite(case.tensors(spec)["bias"]).all()
    assert 0.5 < reference(spec.replace(has_bias=False), random_tensors(spec))[0].std() < 2


PRODUCTS = {
    (q_len, name): catalog.get(name).replace(q_len=q_len, has_bias=True)
    for q_len in (16, 512)
    for name in ("qkv_projection_base", "output_projection_base")
}


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
@pytest.mark.parametrize(("q_len", "name"), PRODUCTS)
def test_products_have_matrix_instructions_and_no_copies(target, name, q_len):
    spec = PRODUCTS[q_len, name]
    found = kernels(spec, target, PRODUCTS.values())
    assert matrix_instructions(found) >= 4 * len(spec.outputs)
    # One kernel per output: neither transposes nor what adds the bias has a kernel of its own.
    assert len(found) == len(spec.outputs)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hidden_size": 0}, "hidden_size: expected a whole number of at least 1, got 0"),
        ({"num_kv_heads": 3}, "num_kv_heads: expected a divisor of num_q_heads = 4, got 3"),
        ({"has_bias": 1}, "has_bias: expected true or false, got 1"),
        (
            {"head_dim": 257},
            "head_dim: expected at most 256, or 288 or 320 or 384 or 512 or 576, got 257",
        ),
    ],
)
def test_impossible_values_are_refused(changes, message):
    with pytest.raises(SpecError) as caught:
        QKV.replace(**changes)
    assert str(caught.value) == message


def test_there_is_one_formulation():
    with pytest.raises(RenderError, match="formulation: qkv_projection has only one; leave it out"):
        irattn.render(QKV, formulation="fused")
