"""Quantised caches: what their numbers stand for, how they are rounded, and what must not count."""

import ml_dtypes
import numpy as np
import pytest

from irattn import (
    AttentionSpec,
    CacheAppendSpec,
    CacheWriteSpec,
    PackedPagedAttentionSpec,
    PagedAttentionSpec,
)
from irattn.core.errors import SpecError
from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.certificates.hidden import hidden_places, of_other_sequences, outputs_of, poisoned
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import measured, strain
from irattn.reference import reference
from irattn.reference.paged_attention import caches_of
from irattn.specs.packed_paged_update_attention import packed_updating
from irattn.specs.paged_update_attention import updating
from support.joined import Graph, joined_graphs

TYPES = {
    "fp8_e4m3": ml_dtypes.float8_e4m3fn,
    "fp8_e5m2": ml_dtypes.float8_e5m2,
    "fp8_e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "fp8_e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "int8": np.int8,
}
SIZES = {
    **{"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 24, "batch": 2},
    **{"num_blocks": 12, "max_blocks": 4, "block_size": 8},
}
PAGED = PagedAttentionSpec(**SIZES, q_len=1, io_dtype="f16", cache_dtype="int8")
PACKED = PackedPagedAttentionSpec(**SIZES, q_tokens=20, io_dtype="f32", cache_dtype="fp8_e4m3")
CONTIGUOUS = AttentionSpec(
    **{"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 24, "batch": 2, "q_len": 1, "kv_len": 40},
    **{"ragged": True, "cache_dtype": "int8"},
)
APPEND = CacheAppendSpec(
    batch=3, num_kv_heads=2, head_dim=8, q_len=4, kv_len=11, cache_dtype="fp8_e4m3"
)
LATENT = {"num_kv_heads": 1, "value_dim": 16, "latent_cache": True, "cache_scale": "token"}
# All numbers of a type are the columns of one value.
ALL = PagedAttentionSpec(
    **{"num_q_heads": 1, "num_kv_heads": 1, "head_dim": 256, "q_len": 1, "io_dtype": "f32"},
    **{"num_blocks": 1, "max_blocks": 1, "block_size": 1},
)
WRITE = CacheWriteSpec(
    num_tokens=9, num_kv_heads=2, head_dim=256, num_blocks=3, block_size=4, io_dtype="f32"
)
SPECS = [
    PAGED,
    PAGED.replace(q_len=12, cache_dtype="fp8_e5m2", cache_scale="head", layout="NHD"),
    updating(PAGED.replace(ragged=True, q_len=3, io_dtype="bf16", window=(9, None))),
    packed_updating(PACKED),
    packed_updating(PACKED.replace(joint_cache=True, cache_scale="token", layout="NHD")),
    packed_updating(PACKED.replace(**LATENT, dynamic=("batch", "q_tokens", "num_blocks"))),
    CONTIGUOUS,
    CONTIGUOUS.replace(q_len=20, causal=True, layout="NHD", cache_dtype="fp8_e5m2"),
]
INT4 = PackedPagedAttentionSpec(
    **SIZES | {"head_dim": 64, "cache_dtype": "int4"}, q_tokens=20, io_dtype="f32"
)
SPECS += [
    PAGED.replace(head_dim=64, cache_dtype="int4", cache_scale=None, layout="NHD"),
    packed_updating(INT4.replace(joint_cache=True)),
    packed_updating(INT4.replace(**LATENT | {"value_dim": 32, "cache_scale": "group"})),
    CONTIGUOUS.replace(head_dim=32, q_len=20, cache_dtype="int4", cache_scale=None),
]
# Few queries, whose products are of whole numbers: scales read one by one, and by runs.
WHOLE = PAGED.replace(head_dim=64, num_q_heads=8)
SPECS += [
    WHOLE,
    WHOLE.replace(q_len=2, ragged=True, block_size=32, window=(21, None), cache_scale="token"),
    CONTIGUOUS.replace(head_dim=64, value_dim=32, io_dtype="bf16", cache_scale="head"),
    packed_updating(PACKED.replace(io_dtype="f16", head_dim=64, cache_dtype="int8", block_size=16)),
]
# Few queries, whose products are of pairs of bf16 that a table has for bytes.
TABLED = WHOLE.replace(cache_dtype="fp8_e4m3", q_len=2, ragged=True, window=(21, None))
SPECS += [
    TABLED.replace(cache_scale="token", block_size=32),
    TABLED.replace(num_q_heads=16, io_dtype="bf16", cache_dtype="fp8_e5m2", cache_scale="head"),
    CONTIGUOUS.replace(head_dim=64, value_dim=32, cache_dtype="fp8_e4m3", cache_scale="tensor"),
    packed_updating(PACKED.replace(io_dtype="f16", head_dim=64, block_size=16)),
]
# Few queries, whose products are of whole numbers, two in a byte: blocks of 4, 8, 2 and 1 rows.
NIBBLES = PAGED.replace(head_dim=128, num_q_heads=8, cache_dtype="int4", cache_scale=None)
SPECS += [
    NIBBLES,
    NIBBLES.replace(q_len=2, ragged=True, block_size=32, window=(21, None), layout="NHD"),
    CONTIGUOUS.replace(
        head_dim=128, value_dim=256, io_dtype="bf16", cache_dtype="int4", cache_scale=None
    ),
    packed_updating(
        INT4.replace(head_dim=128, value_dim=256, num_q_heads=2, io_dtype="f16", block_size=16)
    ),
]
APPENDED = [APPEND, APPEND.replace(cache_scale="token", io_dtype="f32")]
# Each to f32, and to one of the types that have less room.
WIDENED = [ALL.replace(cache_dtype=name) for name in TYPES]
WIDENED += [
    ALL.replace(cache_dtype=name, io_dtype=("f16", "bf16")[n % 2]) for n, name in enumerate(TYPES)
]
WRITTEN = [WRITE.replace(cache_dtype=name, cache_scale="tensor") for name in TYPES]
# Queries in whole numbers, of whose logits the lse is told.
STATES = WHOLE.replace(head_dim=128, max_blocks=2, return_lse=True)
GRAPHS = map(Graph, (*SPECS, *APPENDED, *WIDENED, *WRITTEN, STATES))
KERNELS = {joined.graph.spec: joined for joined in joined_graphs(GRAPHS)}


def ids(spec):
    return "-".join(map(str, (spec.op, spec.cache_dtype, spec.cache_scale)))


@pytest.mark.parametrize("spec", [*SPECS, *APPENDED], ids=ids)
def test_the_reference_is_met(spec):
    verdict = KERNELS[spec].verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize("spec", [one for one in SPECS if not one.updates], ids=ids)
def test_bounds_hold_what_is_read(spec):
    tensors = random_tensors(spec)
    expected = reference(spec, tensors)
    wanted = [np.ones(array.shape, bool) for array in expected]
    (bound,) = error_bounds(spec, tensors, expected, wanted)
    off = np.abs(KERNELS[spec].load()(**tensors).astype(np.float64) - expected[0])
    assert (off <= bound).all()
    assert bound.max() < 0.1 * np.abs(expected[0]).max()
    wrong = tensors | {"value_scale": tensors["value_scale"] * np.float32(1.25)}
    assert (np.abs(reference(spec, wrong)[0] - expected[0]) > bound).any()


@pytest.mark.parametrize("spec", [WHOLE, NIBBLES], ids=ids)
def test_bounds_know_that_weights_are_whole_numbers(spec):
    """A token of zeros has so large a scale that others' weights are few of its whole numbers."""
    tensors = random_tensors(spec)
    first = tensors["block_table"][:, 0]
    tensors["value_scale"][first, :, 0] = 2000 * tensors["value_scale"].max()
    tensors["value_cache"][first, :, 0] = 0 if spec is WHOLE else 0x88
    expected = reference(spec, tensors)
    (bound,) = error_bounds(spec, tensors, expected, [np.ones(expected[0].shape, bool)])
    off = np.abs(KERNELS[spec].load()(**tensors).astype(np.float64) - expected[0])
    assert (off <= bound).all()


@pytest.mark.parametrize("scale", ["tensor", "head", "token"])
@pytest.mark.parametrize("layout", ["HND", "NHD"])
def test_a_number_stands_for_itself_times_its_scale(scale, layout):
    """The reference of plain caches in float64, whose numbers are multiplied by hand."""
    spec = PAGED.replace(cache_scale=scale, layout=layout)
    tensors = random_tensors(spec)
    by_hand = dict(tensors)
    for name in ("key", "value"):
        factors = by_hand.pop(f"{name}_scale").astype(np.float64)
        if scale == "token":
            factors = factors[..., None]
        elif scale == "head":
            factors = factors[:, None, None] if layout == "HND" else factors[:, None]
        by_hand[f"{name}_cache"] = tensors[f"{name}_cache"] * factors
    plain = spec.replace(cache_dtype=None, cache_scale=None)
    np.testing.assert_array_equal(reference(spec, tensors)[0], reference(plain, by_hand)[0])


@pytest.mark.parametrize("spec", WIDENED, ids=lambda spec: f"{spec.cache_dtype}-{spec.io_dtype}")
def test_every_number_is_widened_as_it_is(spec):
    numbers = np.arange(256, dtype=np.uint8).view(TYPES[spec.cache_dtype])
    tensors = random_tensors(spec) | {"context_lens": np.array([1], np.int32)}
    tensors["value_cache"][...] = numbers
    tensors["value_scale"][...] = 0.5
    output = KERNELS[spec].load()(**tensors)
    expected = numbers.astype(np.float32) * np.float32(0.5)
    if spec.cache_dtype == "int8" and spec.io_dtype != "f32":
        # Weights are whole numbers in parts of the largest.
        np.testing.assert_allclose(output.ravel().astype(np.float32), expected, rtol=2**-8)
    else:
        np.testing.assert_array_equal(output.ravel().astype(np.float32), expected)


@pytest.mark.parametrize("name", TYPES)
def test_numbers_are_rounded_to_the_nearest_and_ties_to_even(name):
    """Every number of the type, every number half-way between two, neighbours of these in f32."""
    spec = WRITE.replace(cache_dtype=name, cache_scale="tensor")
    kind = TYPES[name]
    numbers = np.arange(256, dtype=np.uint8).view(kind).astype(np.float32)
    sizes = np.unique(np.abs(numbers[np.isfinite(numbers)]))
    half = (sizes[1:] + sizes[:-1]) / 2
    given = np.concatenate([sizes, half, np.nextafter(half, 0), np.nextafter(half, 1e9)])
    given = np.concatenate([given, [1e30, np.inf]]).astype(np.float32)
    given = np.concatenate([given, -given])
    tensors = random_tensors(spec) | {"slot_mapping": np.arange(9, dtype=np.int32)}
    tensors["key"].ravel()[: given.size] = given
    tensors["key_scale"][...] = 1
    cache, _ = KERNELS[spec].load()(**tensors)
    made = cache.transpose(0, 2, 1, 3).ravel()[: given.size].astype(np.float32)
    most = min(sizes[-1], 127) if name == "int8" else sizes[-1]
    limited = np.clip(given, -most, most)
    nearest = np.rint(limited) if name == "int8" else limited.astype(kind).astype(np.float32)
    np.testing.assert_array_equal(made, nearest)


def test_scales_of_tokens_are_made_of_the_largest_number():
    spec = SPECS[2]
    tensors = random_tensors(spec)
    _, keys, _, scales, _ = reference(spec, tensors)
    for token, slot in zip(np.ndindex(2, 3), tensors["slot_mapping"].ravel(), strict=True):
        if slot >= 0:
            block, offset = divmod(int(slot), spec.block_size)
            new = tensors["key"][token[0], :, token[1]].astype(np.float32)
            expected = np.abs(new).max(axis=-1) / np.float32(127)
            np.testing.assert_allclose(scales[block, :, offset], expected, rtol=1e-6)
            numbers = keys[block, :, offset]
            assert np.abs(numbers).max() == 127
            off = np.abs(numbers * scales[block, :, offset, None] - new)
            assert (off <= 0.5001 * expected[:, None]).all()


@pytest.mark.parametrize("spec", SPECS, ids=ids)
def test_what_nobody_uses_and_other_sequences_do_not_count(spec):
    sized = spec.of_sizes({}) if spec.dynamic else spec
    tensors = random_tensors(sized)
    kernel = KERNELS[spec].load()
    clean = kernel.outputs(**tensors)
    places = hidden_places(sized, tensors)
    assert {"key", "key_cache"} & places.keys()
    outputs = len(spec.outputs) - len(spec.updates)
    dirty = kernel.outputs(**poisoned(tensors, places, np.nan))
    for before, after in zip(clean[:outputs], dirty[:outputs], strict=True):
        np.testing.assert_array_equal(before, after)
    others = of_other_sequences(sized, tensors, 1)
    alone = kernel.outputs(**poisoned(tensors, others, np.nan))
    for before, after, kept in zip(clean, alone, outputs_of(sized, tensors, 1), strict=True):
        np.testing.assert_array_equal(before[kept], after[kept])


def test_an_lse_is_off_by_what_a_query_is_rounded_by():
    """Each number by 2^-16 of its largest: a logit by as much of the sum of a key's magnitudes."""
    kernel = KERNELS[STATES].load()
    for seed in range(12):
        tensors = random_tensors(STATES, seed)
        expected = reference(STATES, tensors)
        keys, _ = caches_of(STATES, tensors)
        sums = np.abs(keys.astype(np.float64)).sum(-1).max()
        largest = np.abs(tensors["query"]).max(-1).astype(np.float64)
        _, lse = kernel(**tensors)
        off = np.abs(lse - expected[1])[np.isfinite(expected[1])]
        bound = 2.0**-16 * largest * sums * STATES.head_dim**-0.5 + 1e-6
        assert (off <= bound[np.isfinite(expected[1])]).all()
        assert strain(measured(lse, expected[1], STATES.outputs[1])) < 0.1


def test_two_numbers_are_in_a_byte():
    """Column i of a group of 32 and column i + 16, worked by hand; scales of groups."""
    spec = WRITE.replace(head_dim=64, cache_dtype="int4")
    tensors = random_tensors(spec) | {"slot_mapping": np.arange(9, dtype=np.int32)}
    keys, _, scales, _ = reference(spec, tensors)
    group = tensors["key"][3, 1, 32:].astype(np.float32)
    scale = np.abs(group).max() / np.float32(7)
    numbers = np.rint(group / scale) + 8
    assert scales[0, 1, 3, 1] == scale
    assert 1 <= numbers.min() < numbers.max() <= 15
    np.testing.assert_array_equal(keys[0, 1, 3, 16:], numbers[:16] + 16 * numbers[16:])
    read = PAGED.replace(
        **{"batch": 1, "head_dim": 64, "num_blocks": 3, "block_size": 4, "max_blocks": 1},
        **{"cache_dtype": "int4", "cache_scale": None},
    )
    given = random_tensors(read) | {"context_lens": np.array([1]), "block_table": np.array([[0]])}
    given["value_cache"][0, :, 0], given["value_scale"][0, :, 0] = keys[0, :, 3], scales[0, :, 3]
    attended = reference(read, given)[0][0, 2, 0, 32:]
    np.testing.assert_allclose(attended, (numbers - 8) * scale, rtol=1e-6)


def test_what_is_appended_is_what_is_attended_to():
    """Tokens in any order of heads and sequences, appended by twos and read where they lie."""
    tensors = random_tensors(APPENDED[1])
    keys, values, key_scale, value_scale = reference(APPENDED[1], tensors)
    for b, offset in enumerate(tensors["offsets"]):
        new = slice(offset, offset + APPEND.q_len)
        for numbers, scale, name in ((keys, key_scale, "key"), (values, value_scale, "value")):
            read = numbers[b, :, new] * scale[b, :, new, None]
            largest = np.abs(tensors[name][b]).max(axis=-1, keepdims=True)
            assert (np.abs(read - tensors[name][b]) <= 2**-4 * 1.01 * largest).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cache_dtype": "f32"}, "cache_dtype: expected one of fp8_e4m3, .*, got 'f32'"),
        ({"cache_dtype": None}, "cache_scale: only a cache with a cache_dtype has scales"),
        ({"cache_scale": "row"}, "cache_scale: expected one of tensor, .*, group, got 'row'"),
        ({"cache_scale": "group"}, "cache_scale: expected group for int4, and for no other, got g"),
        ({"cache_dtype": "int4"}, "cache_scale: expected group for int4, .*, got token for int4"),
        (
            {"cache_dtype": "int4", "cache_scale": None},
            "head_dim: expected a multiple of 32 for int4, which has a scale for as many columns",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        PAGED.replace(**changes)


def test_other_words_for_a_type_are_taken():
    words = ("float8_e4m3fn", "torch.float8_e4m3fn", np.dtype(ml_dtypes.float8_e4m3fn))
    for word in (*words, "fp8_e4m3"):
        assert PACKED.replace(cache_dtype=word) == PACKED
    assert PACKED.replace(cache_dtype="f32", cache_scale=None).cache_dtype is None
