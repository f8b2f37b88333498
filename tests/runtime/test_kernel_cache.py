"""One cache of kernels: which of them makes a call, what it gives, and what is refused."""

import numpy as np
import pytest

import irattn
from irattn import (
    AttentionSpec,
    DecoderLayerSpec,
    DeviceArray,
    KernelCache,
    PackedAttentionBackwardSpec,
    PagedAttentionSpec,
)
from irattn.core.errors import ArgumentError, CompileError, SpecError, TargetError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import kernel_cache

slow = pytest.mark.slow

SPEC = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, head_dim=8, q_len=4, kv_len=16, causal=True, io_dtype="f32"
)
ATTENTION = PagedAttentionSpec(
    num_q_heads=2, num_kv_heads=1, head_dim=8, q_len=4, block_size=4, num_blocks=6, max_blocks=2,
    io_dtype="f32",
)  # fmt: skip
LAYER = DecoderLayerSpec(attention=ATTENTION, hidden_size=16, max_positions=8)
CACHES = ("key_cache", "value_cache")
BUCKETS = {"q_len": (16, 4), "kv_len": (16,)}
LAYER_BUCKETS = {"batch": (3,), "q_len": (1, 4)}
# Calls choose the numbers of tokens, or buckets have room for them.
PACKED = PackedAttentionBackwardSpec(
    batch=2, num_q_heads=2, num_kv_heads=1, head_dim=8, io_dtype="f32", q_tokens=9, kv_tokens=11,
    causal=True,
)  # fmt: skip


def assert_is(found, spec, tensors):
    expected = reference(spec, tensors)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, atol=1e-5 * max(1, np.abs(other).max()))


@slow
@slow
@pytest.mark.parametrize("policy", ["power_of_two", {"q_tokens": (8, 16), "kv_tokens": (16,)}])
def test_gradients_of_packed_tokens_of_any_number(policy):
    tensors = random_tensors(PACKED)
    found = KernelCache(policy).outputs(PACKED, tensors)
    assert_is(found, PACKED, tensors)


@pytest.mark.parametrize(
    ("q_len", "kv_len", "bucket"), [(1, 16, 4), (4, 4, 4), (3, 9, 4), (5, 11, 16), (16, 16, 16)]
)
@pytest.mark.parametrize("policy", ["exact", "power_of_two", BUCKETS], ids=str)
def test_a_call_gives_what_a_spec_of_its_sizes_means(policy, q_len, kv_len, bucket):
    cache = KernelCache(policy)
    call = SPEC.replace(q_len=q_len, kv_len=kv_len)
    tensors = random_tensors(call, q_len)
    assert_is(cache.outputs(call, tensors), call, tensors)
    sizes = {"exact": (q_len, kv_len), "power_of_two": (1024 if q_len > 1 else 1, 1024)}
    spec = cache.spec_of(call)
    assert (spec.q_len, spec.kv_len) == sizes.get(str(policy), (bucket, 16))
    assert cache.kernel(call).spec == spec


@pytest.mark.parametrize(
    ("sizes", "maxima", "dynamic"),
    [
        ((1, 1, 1), (1, 1, 1024), ("kv_len",)),
        ((1, 1, 1025), (1, 1, 2048), ("kv_len",)),
        ((3, 7, 1024), (8, 1024, 1024), ("batch", "q_len", "kv_len")),
        ((9, 5000, 5000), (16, 8192, 8192), ("batch", "q_len", "kv_len")),
    ],
)
def test_one_kernel_serves_sizes_up_to_a_power_of_two(sizes, maxima, dynamic):
    batch, q_len, kv_len = sizes
    spec = KernelCache().spec_of(SPEC.replace(batch=batch, q_len=q_len, kv_len=kv_len))
    assert (spec.batch, spec.q_len, spec.kv_len) == maxima
    assert spec.dynamic == dynamic


@slow
def test_a_kernel_is_compiled_when_a_call_first_needs_it(tmp_path):
    cache = KernelCache({"q_len": (4, 1)}, out=tmp_path, target="cpu")
    calls = [SPEC.replace(q_len=q_len) for q_len in (1, 3)]
    assert [cache.is_compiled(call) for call in calls] == [False, False]
    cache.outputs(calls[0], random_tensors(calls[0], 0))
    assert [cache.is_compiled(call) for call in calls] == [True, False]
    cache.kernel(calls[1])
    assert cache.is_compiled(calls[1])
    assert sorted(path.name for path in (tmp_path / "cpu").iterdir() if path.is_dir()) == sorted(
        cache.kernel(call).artifact.manifest.name for call in calls
    )


@slow
def test_caches_share_what_is_loaded():
    exact = KernelCache("exact").kernel(SPEC.replace(ragged=True))
    assert KernelCache({"q_len": (4,)}).kernel(SPEC.replace(q_len=3)) is exact


def test_what_the_compiler_refuses_is_asked_once(monkeypatch):
    asked = []

    def refuse(spec, *where, **how):
        asked.append(spec)
        raise CompileError("refused")

    monkeypatch.setattr(kernel_cache, "artifact_for", refuse)
    call = SPEC.replace(num_q_heads=6)
    for _ in range(2):
        with pytest.raises(CompileError, match="refused"):
            KernelCache("exact").kernel(call)
    assert len(asked) == 1


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


@slow
@pytest.mark.parametrize(("batch", "q_len"), [(1, 1), (3, 4), (2, 3)])
def test_a_layer_writes_nothing_for_what_is_not_there(batch, q_len):
    call, tensors = layer_call(batch, q_len, 10 * batch + q_len)
    assert_is(KernelCache(LAYER_BUCKETS).outputs(call, tensors), call, tensors)


@slow
def test_device_arrays_stay_there():
    cache = KernelCache(LAYER_BUCKETS)
    call, tensors = layer_call(2, 3, 5)
    cache.kernel(call)
    names = [name for name in tensors if name in ("hidden", *CACHES) or name.endswith("weight")]
    there = {name: DeviceArray.from_numpy(tensors[name], "cpu") for name in names}
    before = irattn.transfers()
    found = cache.outputs(call, {**tensors, **there}, donate=CACHES)
    moved = irattn.transfers() - before
    assert moved.to_host == 0
    # The call's own integers, and the lengths that the bucket is told: weights stay.
    assert moved.to_device == len(tensors) - len(there) + 1
    assert all(isinstance(array, DeviceArray) for array in found)
    assert_is(tuple(map(np.asarray, found)), call, tensors)


@slow
def test_slots_are_filled_up_on_the_device():
    call, tensors = layer_call(2, 3, 5)
    slots = DeviceArray.from_numpy(tensors["slot_mapping"], "cpu")
    found = KernelCache(LAYER_BUCKETS).outputs(call, {**tensors, "slot_mapping": slots})
    assert_is(tuple(map(np.asarray, found)), call, tensors)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ({"num_blocks": (1, 2)}, "policy: expected sizes of batch, q_len, kv_len, max_blocks, q_"),
        ({"q_len": ()}, "q_len: expected a list of whole numbers"),
        ({"q_len": 4}, "q_len: expected a list of whole numbers"),
        ({"q_len": (0, 4)}, "q_len: expected a whole number of at least 1, got 0"),
        ("q_len", "policy: expected exact, power_of_two or sizes by name, .*, got 'q_len'"),
        (["q_len"], "policy: expected exact, power_of_two or sizes by name"),
    ],
)
def test_policies_that_cannot_be(policy, said):
    with pytest.raises((ArgumentError, SpecError), match=said):
        KernelCache(policy)


@pytest.mark.parametrize(
    ("call", "policy", "said"),
    [
        (SPEC, {"max_blocks": (1, 2)}, "policy: expected sizes of attention, got max_blocks"),
        (SPEC.replace(dynamic=("q_len",)), BUCKETS, "policy: expected static sizes for buckets"),
        (SPEC.replace(kv_len=17), BUCKETS, "policy: .* at most q_len 16, kv_len 16, got q_len 4"),
        (LAYER, "power_of_two", "policy: expected exact or buckets for decoder_layer"),
    ],
)
def test_calls_that_a_policy_does_not_serve(call, policy, said):
    with pytest.raises((ArgumentError, SpecError), match=said):
        KernelCache(policy).spec_of(call)


def test_a_target_that_there_is_not():
    with pytest.raises(TargetError, match="gfx0: not a target"):
        KernelCache(target="gfx0")


@slow
def test_arrays_of_other_sizes_than_the_calls():
    tensors = random_tensors(SPEC, 0)
    cache = KernelCache(BUCKETS)
    with pytest.raises(ArgumentError, match="query: expected a NumPy array"):
        cache.outputs(SPEC, {**tensors, "query": 1})
    with pytest.raises(ArgumentError, match="value: expected f32"):
        cache.outputs(SPEC, {**tensors, "value": tensors["value"][:, :, 1:]})
    with pytest.raises(ArgumentError, match="key: missing"):
        cache.outputs(SPEC, {"query": tensors["query"], "value": tensors["value"]})
