"""`irattn.apply_rope`: what it computes, of which arrays, and what it refuses."""

import ml_dtypes
import numpy as np
import pytest

import irattn
from irattn import DeviceArray, RopeSpec
from irattn.core.dtypes import dtype, dtype_name
from irattn.core.errors import ArgumentError, SpecError
from irattn.reference import reference

slow = pytest.mark.slow


def arrays(element=np.float32, q_len=5):
    rng = np.random.default_rng(q_len)
    query = rng.standard_normal((2, 4, q_len, 16)).astype(element)
    return query, rng.standard_normal((2, 2, q_len, 16)).astype(element)


def assert_is(found, query, key, positions, tables=None, **fields):
    spec = RopeSpec(
        batch=2, num_q_heads=4, num_kv_heads=2, q_len=query.shape[2], head_dim=16,
        max_positions=len(tables["cos"]) if tables else 2**20, given_tables=bool(tables),
        io_dtype=dtype_name(query.dtype), **fields,
    )  # fmt: skip
    tensors = {"query": query, "key": key, "positions": positions, **(tables or {})}
    for one, expected in zip(found, reference(spec, tensors), strict=True):
        error = np.linalg.norm(one.astype(np.float64) - expected)
        assert error <= dtype(spec.io_dtype).tolerance * np.linalg.norm(expected)


@slow
@pytest.mark.parametrize("element", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_without_positions_they_count_from_0(element):
    query, key = arrays(element)
    found = irattn.apply_rope(query, key)
    assert [array.dtype for array in found] == [element, element]
    assert_is(found, query, key, np.broadcast_to(np.arange(5), (2, 5)))


@slow
@pytest.mark.parametrize("shape", [(2, 5), (5,), (1, 5), (2, 1)])
def test_positions_broadcast(shape):
    query, key = arrays()
    positions = np.random.default_rng(1).integers(0, 2**20, shape)
    whole = np.broadcast_to(positions, (2, 5))
    options = {"rope_style": "interleaved", "rotary_dim": 8, "theta": 5e5}
    found = irattn.apply_rope(query, key, positions, **options)
    assert_is(found, query, key, whole, **options)


@slow
def test_tables_and_device_arrays():
    query, key = arrays()
    angles = np.outer(np.arange(64), 1.0 / np.arange(1, 9))
    tables = {"cos": np.cos(angles).astype(np.float32), "sin": np.sin(angles).astype(np.float32)}
    there = [DeviceArray.from_numpy(array) for array in (query, key)]
    found = irattn.apply_rope(*there, np.arange(3, 8), **tables)
    assert all(isinstance(array, DeviceArray) for array in found)
    positions = np.broadcast_to(np.arange(3, 8), (2, 5))
    assert_is(map(np.asarray, found), query, key, positions, tables)


Q, K = arrays()
TABLE = np.ones((8, 8), np.float32)
REFUSED = {
    "key: expected batch, tokens and head_dim of query [2, 4, 5, 16], got [2, 2, 4, 16]": (
        (Q, K[:, :, :4]), {}),
    "key: expected f32 as query, got f16": ((Q, K.astype(np.float16)), {}),
    "positions: expected a shape that broadcasts to [2, 5]": ((Q, K, np.arange(4)), {}),
    "positions: expected an array": ((Q, K, 3), {}),
    "cos, sin: expected both or none, got one": ((Q, K), {"cos": TABLE}),
    "theta: has no effect on given tables": ((Q, K), {"cos": TABLE, "sin": TABLE, "theta": 5.0}),
    "rotary_dim: expected an even number": ((Q, K), {"rotary_dim": 7}),
    "rope_style: expected rotate_half or interleaved": ((Q, K), {"rope_style": "neox"}),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_is_refused(message):
    given, options = REFUSED[message]
    with pytest.raises((ArgumentError, SpecError)) as caught:
        irattn.apply_rope(*given, **options)
    assert str(caught.value).startswith(message)


def test_any_size_may_be_0():
    for query, key in ((Q[:, :, :0], K[:, :, :0]), (Q[:0], K[:0]), (Q[..., :0], K[..., :0])):
        found = irattn.apply_rope(query, key)
        assert [one.shape for one in found] == [query.shape, key.shape]


@slow
def test_no_heads_of_one_leave_the_other():
    whole, nothing = irattn.apply_rope(Q, K[:, :0])
    assert nothing.shape == K[:, :0].shape
    assert_is(
        (whole, irattn.apply_rope(Q[:, :0], K)[1]), Q, K, np.broadcast_to(np.arange(5), (2, 5))
    )
