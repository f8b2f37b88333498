"""A static spec in several sizes: which bucket runs, what it gives, and what is refused."""

import numpy as np
import pytest

import irattn
from irattn import (
    AttentionSession,
    AttentionSpec,
    DecoderLayerSpec,
    DeviceArray,
    PagedAttentionSpec,
)
from irattn.core.errors import ArgumentError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference

pytestmark = pytest.mark.slow

SPEC = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, head_dim=8, q_len=4, kv_len=16, causal=True, io_dtype="f32"
)
ATTENTION = PagedAttentionSpec(
    num_q_heads=2, num_kv_heads=1, head_dim=8, q_len=4, block_size=4, num_blocks=6, max_blocks=2,
    io_dtype="f32",
)  # fmt: skip
LAYER = DecoderLayerSpec(attention=ATTENTION, hidden_size=16, max_positions=8)
CACHES = ("key_cache", "value_cache")


@pytest.fixture(scope="module")
def session():
    return AttentionSession(SPEC, {"q_len": (16, 4), "kv_len": (16,)})


@pytest.fixture(scope="module")
def layers():
    return AttentionSession(LAYER, {"batch": (3,), "q_len": (1, 4)})


def assert_is(found, spec, tensors):
    expected = reference(spec, tensors)
    found = found if isinstance(found, tuple) else (found,)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, atol=1e-5 * max(1, np.abs(other).max()))


@pytest.mark.parametrize(
    ("q_len", "kv_len", "bucket"), [(1, 16, 4), (4, 4, 4), (3, 9, 4), (5, 11, 16), (16, 16, 16)]
)
def test_the_least_bucket_gives_what_a_spec_of_these_sizes_means(session, q_len, kv_len, bucket):
    call = SPEC.replace(q_len=q_len, kv_len=kv_len)
    tensors = random_tensors(call, q_len)
    assert_is(session(**tensors), call, tensors)
    assert session.bucket_of(q_len=q_len, kv_len=kv_len) == {"q_len": bucket, "kv_len": 16}


def test_what_would_be_compiled(tmp_path):
    session = AttentionSession(SPEC, {"q_len": (4, 1)}, out=tmp_path)
    assert session.buckets == [{"q_len": 1}, {"q_len": 4}]
    specs = [SPEC.replace(q_len=q_len, ragged=True) for q_len in (1, 4)]
    assert session.to_compile() == specs
    session(**random_tensors(SPEC.replace(q_len=1), 0))
    assert session.to_compile() == specs[1:]
    session.compile()
    assert session.to_compile() == []


def layer_call(batch, q_len, seed):
    """A layer's call in which each sequence writes `q_len` tokens after three that it has."""
    call = LAYER.replace(batch=batch, q_len=q_len)
    tensors = random_tensors(call, seed)
    tensors["block_table"] = np.arange(2 * batch, dtype=np.int32).reshape(batch, 2)
    places = np.arange(3, 3 + q_len)
    tensors["slot_mapping"] = (np.arange(batch)[:, None] * 8 + places).astype(np.int32)
    tensors["positions"] = np.tile(places, (batch, 1)).astype(np.int32)
    tensors["context_lens"] = np.full(batch, 3 + q_len, np.int32)
    return call, tensors


@pytest.mark.parametrize(("batch", "q_len"), [(1, 1), (3, 4), (2, 3)])
def test_a_layer_writes_nothing_for_what_is_not_there(layers, batch, q_len):
    call, tensors = layer_call(batch, q_len, 10 * batch + q_len)
    assert_is(layers(**tensors), call, tensors)


def test_device_arrays_stay_there(layers):
    call, tensors = layer_call(2, 3, 5)
    layers.compile()
    there = {name: DeviceArray.from_numpy(tensors[name], "cpu") for name in ("hidden", *CACHES)}
    before = irattn.transfers()
    found = layers(**{**tensors, **there}, donate=CACHES)
    assert (irattn.transfers() - before).to_host == 0
    assert all(isinstance(array, DeviceArray) for array in found)
    assert_is(tuple(map(np.asarray, found)), call, tensors)
    # Slots are filled up there, too.
    slots = DeviceArray.from_numpy(tensors["slot_mapping"], "cpu")
    assert_is(layers(**{**tensors, "slot_mapping": slots}), call, tensors)


def test_weights_are_bound_once():
    session = AttentionSession(LAYER, {"batch": (3,), "q_len": (1, 4)})
    call, tensors = layer_call(2, 3, 6)
    weights = {name: tensors[name] for name in tensors if name.endswith("weight")}
    session.bind(**weights)
    rest = {name: array for name, array in tensors.items() if name not in weights}
    before = irattn.transfers()
    found = session(**rest)
    # The call's own inputs, and the lengths that the bucket is told.
    assert (irattn.transfers() - before).to_device == len(rest) + 1
    assert isinstance(found[0], np.ndarray)
    assert_is(found, call, tensors)
    with pytest.raises(ArgumentError, match="norm_weight: is bound"):
        session(**tensors)
    with pytest.raises(ArgumentError, match="hidden: expected an input of one size"):
        session.bind(hidden=tensors["hidden"])


@pytest.mark.parametrize(
    ("buckets", "said"),
    [
        ({"num_blocks": (1, 2)}, "buckets: expected sizes of batch, q_len, kv_len, max_blocks"),
        ({"max_blocks": (1, 2)}, "buckets: expected static sizes of attention, got max_blocks"),
        ({"q_len": ()}, "q_len: expected a list of whole numbers"),
        ({"q_len": 4}, "q_len: expected a list of whole numbers"),
        ({"q_len": (0, 4)}, "q_len: expected a whole number of at least 1, got 0"),
    ],
)
def test_buckets_that_cannot_be(buckets, said):
    with pytest.raises(SpecError, match=said):
        AttentionSession(SPEC, buckets)


def test_arguments_of_other_types():
    with pytest.raises(ArgumentError, match="spec: expected a spec, got str"):
        AttentionSession("mha_full_tiny", {"q_len": (1,)})
    with pytest.raises(ArgumentError, match="buckets: expected sizes by name"):
        AttentionSession(SPEC, ["q_len"])


def test_calls_that_fit_no_bucket(session):
    tensors = random_tensors(SPEC.replace(q_len=17, kv_len=17), 0)
    with pytest.raises(ArgumentError, match="expected at most q_len 16, kv_len 16, got q_len 17"):
        session(**tensors)
    tensors = random_tensors(SPEC, 0)
    with pytest.raises(ArgumentError, match="query: expected an array like"):
        session(**{**tensors, "query": 1})
    with pytest.raises(ArgumentError, match="value: expected f32"):
        session(**{**tensors, "value": tensors["value"][:, :, 1:]})
    with pytest.raises(ArgumentError, match="key: missing"):
        session(query=tensors["query"], value=tensors["value"])


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"max_blocks": 1}, "buckets: expected q_len, kv_len, got 'max_blocks'"),
        ({"q_len": 0}, "q_len: expected a whole number of at least 1, got 0"),
        ({"q_len": "4"}, "q_len: expected a whole number of at least 1, got '4'"),
        ({"q_len": 17}, "buckets: expected at most q_len 16, got q_len 17"),
    ],
)
def test_sizes_that_have_no_bucket(session, sizes, message):
    with pytest.raises(ArgumentError, match=message):
        session.bucket_of(**sizes)


def test_sizes_of_calls_are_not_remembered_without_end(session, monkeypatch):
    monkeypatch.setattr("irattn.runtime.attention_session.MOST_REMEMBERED", 3)
    session._calls.clear()
    for q_len in range(1, 8):
        call = SPEC.replace(q_len=q_len)
        tensors = random_tensors(call)
        assert_is(session(**tensors), call, tensors)
        assert len(session._calls) <= 3
