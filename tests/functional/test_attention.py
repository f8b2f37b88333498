"""`irattn.attention`: what it computes, of which arrays, and what it refuses."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import irattn
from irattn import AttentionSpec, DeviceArray, targets
from irattn.compiling.prebuilt import artifact_for
from irattn.compiling.store import Store
from irattn.core.dtypes import dtype, dtype_name
from irattn.core.errors import ArgumentError, SpecError, TargetError, UsageError
from irattn.reference import reference
from support.joined import build_together

slow = pytest.mark.slow

TYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}

# What calls below need. One that is missing here is compiled alone.
CALLED = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=1024, kv_len=1024, head_dim=16, io_dtype="f32",
    dynamic=("q_len", "kv_len"),
)  # fmt: skip
BATCHES = CALLED.replace(batch=8, dynamic=("batch", "q_len", "kv_len"))
CAUSAL = [
    CALLED.replace(causal=True, alignment=alignment, **few)
    for alignment in ("bottom_right", "top_left")
    for few in ({}, {"q_len": 1, "dynamic": ("kv_len",)})
]
MASKED = [
    BATCHES.replace(**{kind: axes})
    for kind in ("keep_mask", "bias")
    for axes in ("k", "qk", "bk", "hqk", "bhqk")
]
FEATURES = [
    BATCHES,
    BATCHES.replace(causal=True, window=(3, None)),
    BATCHES.replace(
        softmax_scale=0.4, window=(3, 1), logits_soft_cap=1.5, sinks=True, return_lse=True
    ),
    BATCHES.replace(alibi=True, alignment="top_left"),
    BATCHES.replace(causal=True, alignment="offsets"),
    *(
        BATCHES.replace(causal=True, ragged=True, alignment=alignment)
        for alignment in ("bottom_right", "top_left")
    ),
    CALLED.replace(batch=2, q_len=5, kv_len=9, keep_mask="k", return_lse=True, dynamic=()),
]
POLICIES = [
    BATCHES.replace(value_dim=24, io_dtype=element, **sizes)
    for element in TYPES
    for sizes in (
        {},
        {"dynamic": (), "batch": 2, "q_len": 5, "kv_len": 9},
        {"dynamic": (), "batch": 2, "q_len": 8, "kv_len": 16, "ragged": True},
    )
]


@pytest.fixture(scope="module", autouse=True)
def compiled_together():
    with pytest.MonkeyPatch.context() as patch:
        build_together(patch, MASKED + FEATURES)
        build_together(patch, CAUSAL + POLICIES)
        yield


def arrays(batch=2, heads=4, kv_heads=2, q_len=5, kv_len=9, value_dim=16, element=np.float32):
    """Query, key and value."""
    rng = np.random.default_rng(q_len * kv_len)
    shapes = (
        (batch, heads, q_len, 16),
        (batch, kv_heads, kv_len, 16),
        (batch, kv_heads, kv_len, value_dim),
    )
    return tuple(rng.standard_normal(shape).astype(element) for shape in shapes)


def meant(query, key, value, *, tensors=None, **fields):
    """What a spec with these fields means, in float64."""
    spec = AttentionSpec(
        io_dtype=dtype_name(query.dtype),
        batch=query.shape[0],
        num_q_heads=query.shape[1],
        num_kv_heads=key.shape[1],
        q_len=query.shape[2],
        kv_len=key.shape[2],
        head_dim=query.shape[3],
        value_dim=value.shape[3],
        **fields,
    )
    return reference(spec, {"query": query, "key": key, "value": value, **(tensors or {})})


def assert_is(found, expected, element="f32"):
    assert found.shape == expected.shape
    exact = np.nan_to_num(expected, neginf=-1e4)
    error = np.linalg.norm(np.nan_to_num(found.astype(np.float64), neginf=-1e4) - exact)
    assert error <= dtype(element).tolerance * np.linalg.norm(exact)


@slow
def test_what_is_called_is_compiled_together(tmp_path):
    """Not alone, by whatever room asks for it."""
    artifact = artifact_for(POLICIES[0], targets.get("cpu"), Store(tmp_path))
    assert artifact.path == Path("joined")


@slow
@pytest.mark.parametrize("policy", ["power_of_two", "exact", {"q_len": (8,), "kv_len": (16,)}])
@pytest.mark.parametrize("element", TYPES)
def test_every_element_type_under_every_policy(element, policy):
    given = arrays(value_dim=24, element=TYPES[element])
    output = irattn.attention(*given, enable_gqa=True, policy=policy)
    assert type(output) is np.ndarray
    assert output.dtype == TYPES[element]
    assert_is(output, meant(*given)[0], element)


@slow
@pytest.mark.parametrize(("q_len", "kv_len"), [(1, 77), (77, 77), (13, 301), (301, 13)])
@pytest.mark.parametrize("alignment", ["bottom_right", "top_left"])
def test_causal_of_any_lengths(q_len, kv_len, alignment):
    given = arrays(batch=1, q_len=q_len, kv_len=kv_len)
    output = irattn.attention(*given, is_causal=True, enable_gqa=True, alignment=alignment)
    assert_is(output, meant(*given, causal=True, alignment=alignment)[0])


@slow
def test_equal_lengths_need_no_alignment():
    given = arrays(q_len=7, kv_len=7)
    output = irattn.attention(*given, is_causal=True, enable_gqa=True, window=(3, None))
    assert_is(output, meant(*given, causal=True, window=(3, None))[0])


@slow
def test_features_go_together():
    given = arrays()
    sinks = np.linspace(-1, 2, 4)
    options = {"window": [3, 1], "logits_soft_cap": 1.5, "alignment": "bottom_right"}
    output, lse = irattn.attention(
        *given, **options, sinks=sinks, scale=0.4, return_lse=True, enable_gqa=True
    )
    expected = meant(
        *given, **options, sinks=True, softmax_scale=0.4, return_lse=True,
        tensors={"sinks": sinks.astype(np.float32)},
    )  # fmt: skip
    assert_is(output, expected[0])
    assert_is(lse, expected[1])
    assert lse.dtype == np.float32


@slow
def test_slopes_count_from_the_position():
    given = arrays()
    slopes = np.linspace(0.5, 0.1, 4)
    output = irattn.attention(*given, alibi_slopes=slopes, alignment="top_left", enable_gqa=True)
    own = {"alibi_slopes": slopes.astype(np.float32)}
    assert_is(output, meant(*given, alibi=True, alignment="top_left", tensors=own)[0])


@slow
def test_offsets_say_where_queries_stand():
    given = arrays()
    offsets = np.array([0, 3])
    output = irattn.attention(*given, offsets=offsets, is_causal=True, enable_gqa=True)
    own = {"offsets": offsets.astype(np.int32)}
    assert_is(output, meant(*given, causal=True, alignment="offsets", tensors=own)[0])


MASKS = {
    "keys": (9,),
    "rows": (5, 1),
    "padding": (2, 1, 1, 9),
    "heads": (4, 5, 9),
    "all": (2, 4, 5, 9),
}


@slow
@pytest.mark.parametrize("shape", MASKS)
@pytest.mark.parametrize("kind", ["bool", "added", "expanded"])
def test_masks_of_any_shape_that_broadcasts(shape, kind):
    given, size = arrays(), MASKS[shape]
    rng = np.random.default_rng(7)
    mask = rng.random(size) > 0.3 if kind != "added" else rng.standard_normal(size, np.float32)
    whole = np.broadcast_to(mask.reshape((1,) * (4 - mask.ndim) + mask.shape), (2, 4, 5, 9))
    name = "bias" if kind == "added" else "keep_mask"
    output = irattn.attention(
        *given, attn_mask=whole if kind == "expanded" else mask, enable_gqa=True
    )
    assert_is(output, meant(*given, **{name: "bhqk"}, tensors={name: whole})[0])


LEADING = {
    "no batch": ((), (5, 9)),
    "one more": ((1, 2), (1, 2, 1, 1, 9)),
    "two batches": ((2, 3), (3, 4, 1, 9)),
    "ones": ((1, 1, 1), (5, 9)),
}


@slow
@pytest.mark.parametrize("leading", LEADING)
def test_axes_before_the_heads_are_one_batch(leading):
    (sizes, of_mask), rng = LEADING[leading], np.random.default_rng(3)
    mask = rng.random(of_mask) > 0.3
    given = arrays(batch=int(np.prod(sizes)))
    own = [array.reshape((*sizes, *array.shape[1:])) for array in given]
    output = irattn.attention(*own, attn_mask=mask, enable_gqa=True)
    whole = np.broadcast_to(mask, (*sizes, 4, 5, 9)).reshape(-1, 4, 5, 9)
    expected = meant(*given, keep_mask="bhqk", tensors={"keep_mask": whole})[0]
    assert_is(output, expected.reshape(*sizes, 4, 5, 16))


@slow
def test_axes_of_lse_and_of_keys_alone():
    given, mask = arrays(), np.arange(9) % 3 > 0
    own = [array[:, None] for array in given]
    output, lse = irattn.attention(
        *own, attn_mask=mask, policy="exact", return_lse=True, enable_gqa=True
    )
    wide = np.broadcast_to(mask, (1, 1, 1, 9))
    expected = meant(*given, keep_mask="k", return_lse=True, tensors={"keep_mask": wide})
    assert_is(output, expected[0][:, None])
    assert_is(lse, expected[1][:, None])
    query, key, value = own
    output = irattn.attention(query[:1], key, value, enable_gqa=True)
    assert_is(output, meant(np.repeat(given[0][:1], 2, axis=0), *given[1:])[0][:, None])


@pytest.mark.parametrize(
    ("sizes", "key_sizes", "mask", "says"),
    [
        ((2, 3), (3, 2), None, r"key: expected \[2, 3\] before the heads, or 1 alone, got \[3, 2"),
        (
            (2, 3),
            (3,),
            None,
            r"query: expected \[batch, num_q_heads, q_len, head_dim\], got \[2, 3",
        ),
        ((2, 3), (2, 3), (2, 1, 5, 9), r"attn_mask: expected a shape that broadcasts to \[2, 3\]"),
    ],
)
def test_axes_that_do_not_fit_are_refused(sizes, key_sizes, mask, says):
    query = np.zeros((*sizes, 4, 5, 16), np.float32)
    key = np.zeros((*key_sizes, 4, 9, 16), np.float32)
    mask = None if mask is None else np.ones(mask, bool)
    with pytest.raises(ArgumentError, match=says):
        irattn.attention(query, key, key, attn_mask=mask)


@slow
def test_a_batch_of_one_is_every_batch():
    query, key, value = arrays()
    again = [np.repeat(array[:1], 2, axis=0) for array in (key, value)]
    expected = meant(query, *again)[0]
    assert_is(irattn.attention(query, key[:1], value[:1], enable_gqa=True), expected)
    there = [DeviceArray.from_numpy(array) for array in (query, key[:1], value[:1])]
    assert_is(np.asarray(irattn.attention(*there, enable_gqa=True)), expected)


@slow
def test_device_arrays_stay_where_they_are():
    given = arrays()
    mask = np.arange(9) % 3 > 0
    there = [DeviceArray.from_numpy(array, "local-sync") for array in (*given, mask)]
    call = {"enable_gqa": True, "policy": "exact", "return_lse": True}
    irattn.attention(*there[:3], attn_mask=there[3], **call)
    before = irattn.transfers()
    output, lse = irattn.attention(*there[:3], attn_mask=there[3], **call)
    assert irattn.transfers() == before
    assert isinstance(output, DeviceArray)
    assert isinstance(lse, DeviceArray)
    wide = np.broadcast_to(mask, (1, 1, 1, 9))
    expected = meant(*given, keep_mask="k", return_lse=True, tensors={"keep_mask": wide})
    assert_is(output.to_numpy(), expected[0])
    assert_is(lse.to_numpy(), expected[1])


class Foreign:
    """An array of a library of its own, which speaks DLPack and the array API's words."""

    def __init__(self, array):
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __array_namespace__(self):
        return type(self)

    @classmethod
    def from_dlpack(cls, tensor):
        return cls(np.from_dlpack(tensor))

    def __getitem__(self, index):
        return Foreign(self.array[index])


@slow
def test_other_libraries_get_arrays_of_their_own():
    given = arrays()
    mask = np.tril(np.ones((5, 9), np.bool_), 4)
    output = irattn.attention(*map(Foreign, given), attn_mask=Foreign(mask), enable_gqa=True)
    assert type(output) is Foreign
    wide = mask[None, None]
    assert_is(output.array, meant(*given, keep_mask="qk", tensors={"keep_mask": wide})[0])
    empty = irattn.attention(*(Foreign(array[:, :, :0]) for array in given), enable_gqa=True)
    assert (type(empty), empty.shape) == (Foreign, (2, 4, 0, 16))


def test_where_there_is_no_key_or_no_query():
    query, key, value = arrays()
    none = (key[:, :, :0], value[:, :, :0])
    output, lse = irattn.attention(query, *none, enable_gqa=True, return_lse=True)
    assert (output.shape, lse.shape) == ((2, 4, 5, 16), (2, 4, 5))
    assert not output.any()
    assert (lse == -np.inf).all()
    sinks = np.arange(4, dtype=np.float32)
    _, lse = irattn.attention(query, *none, enable_gqa=True, return_lse=True, sinks=sinks)
    assert np.array_equal(lse[1, :, 3], sinks)
    assert irattn.attention(query[:, :, :0], key, value, enable_gqa=True).shape == (2, 4, 0, 16)
    assert irattn.attention(query[:0], key[:0], value[:0], enable_gqa=True).shape == (0, 4, 5, 16)


@slow
def test_a_row_that_sees_nothing_gives_zeros():
    query, key, value = arrays()
    mask = np.ones((5, 9), np.bool_)
    mask[2] = False
    output = irattn.attention(query, key, value, attn_mask=mask, enable_gqa=True)
    assert not output[:, :, 2].any()
    assert output[:, :, 1].any()


Q, K, V = arrays()


@slow
@pytest.mark.parametrize("alignment", ["bottom_right", "top_left"])
@pytest.mark.parametrize("kv_len", [5, 9])
def test_sequences_have_lengths_of_their_own(alignment, kv_len):
    query, key, value = arrays(kv_len=kv_len)
    lengths = {"q_lens": np.array([5, 2], np.int32), "context_lens": np.array([3, kv_len])}
    expected = meant(
        query, key, value, causal=True, alignment=alignment, ragged=True, tensors=lengths
    )[0]
    # What lies after the lengths is not read.
    key[0, :, 3:], value[0, :, 3:] = np.nan, np.nan
    output = irattn.attention(
        query, key, value, is_causal=True, alignment=alignment, enable_gqa=True, **lengths
    )
    np.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-5)


REFUSED = {
    "q_lens, context_lens: expected both or none, got one": (
        (Q, K, V), {"context_lens": np.array([3, 9])}),
    "context_lens[1]: expected 0 to 9, got 10": (
        (Q, K, V), {"q_lens": np.array([5, 5]), "context_lens": np.array([3, 10])}),
    "alignment: expected bottom_right or top_left, as": (
        (Q, Q, Q),
        {"is_causal": True, "q_lens": np.array([5, 5]), "context_lens": np.array([5, 5])}),
    "query: expected [batch, num_q_heads, q_len, head_dim], got [4, 5, 16]": ((Q[0], K, V), {}),
    "query: expected an array (NumPy's, a DeviceArray, or one with __dlpack__), got list": (
        (Q.tolist(), K, V), {}),
    "value: expected an array (NumPy's, a DeviceArray, or one with __dlpack__), got NoneType": (
        (Q, K, None), {}),
    "query: expected an array, got a masked one": ((np.ma.array(Q), K, V), {}),
    "query: expected f32, f16 or bf16, got float64; convert it to float32": (
        (Q.astype(np.float64), K, V), {}),
    "query: expected f32, f16 or bf16, got >f4; give query.astype(np.float32)": (
        (Q.astype(">f4"), K, V), {}),
    "query: expected f32, f16 or bf16, got uint16; if these are the bits of bf16": (
        (Q.astype(ml_dtypes.bfloat16).view(np.uint16), K, V), {}),
    "query: expected f32, f16 or bf16, got complex64": (
        [one[..., :0].astype(np.complex64) for one in (Q, K, V)], {}),
    "value: expected f32 as query, got f16": ((Q, K, V.astype(np.float16)), {}),
    "key: expected head_dim 16 as in query [2, 4, 5, 16], got [2, 2, 9, 8]": (
        (Q, K[..., :8], V), {}),
    "value: expected batch, heads and tokens of key [2, 2, 9, 16], got [2, 2, 8, 16]": (
        (Q, K, V[:, :, :8]), {}),
    "key: expected batch 2, got 3": ((Q, K[[0, 1, 0]], V[[0, 1, 0]]), {}),
    "key: expected 4 heads as in query, got 2; enable_gqa=True": ((Q, K, V), {"enable_gqa": False}),
    "key: expected a number of heads that divides query's 3, got 2": ((Q[:, :3], K, V), {}),
    "attn_mask: expected a shape that broadcasts to [2, 4, 5, 9]": (
        (Q, K, V), {"attn_mask": np.ones((5, 8), np.bool_)}),
    "attn_mask: expected bool or f32 as query, got int64": (
        (Q, K, V), {"attn_mask": np.ones((5, 9), np.int64)}),
    "attn_mask: expected an array": ((Q, K, V), {"attn_mask": "causal"}),
    "sinks: expected [4], one for each head, got [2]": ((Q, K, V), {"sinks": np.zeros(2)}),
    "sinks: expected real numbers, got <U1": ((Q, K, V), {"sinks": np.array([*"0123"])}),
    "sinks: expected real numbers, got object": ((Q, K, V), {"sinks": np.array([None] * 4)}),
    "alibi_slopes: expected real numbers, got complex128": (
        (Q, K, V),
        {"alibi_slopes": np.full(4, 1j), "alignment": "top_left"},
    ),
    "sinks: expected numbers that f32 has, got -1e+300": (
        (Q, K, V),
        {"sinks": np.array([0, -np.inf, -1e300, 1])},
    ),
    "offsets: expected [2], a position for each sequence, got [3]": (
        (Q, K, V), {"offsets": np.zeros(3, int)},
    ),
    "alignment, offsets: expected one of them, got both": (
        (Q, K, V), {"offsets": np.zeros(2, int), "alignment": "top_left"},
    ),
    "dropout_p, dropout_seed: expected a likelihood and a seed": ((Q, K, V), {"dropout_p": 0.1}),
    "is_causal: expected true or false, got 1": ((Q, K, V), {"is_causal": 1}),
    "alignment: expected bottom_right or top_left, as is_causal and window mean two things with 5 "
    "queries and 9 keys": ((Q, K, V), {"is_causal": True}),
    "alignment: expected bottom_right or top_left, got 'left'": ((Q, K, V), {"alignment": "left"}),
    "scale: expected 0, or a magnitude": ((Q, K, V), {"scale": 1e-31}),
    "scale: expected 0, or a magnitude between 1e-30 and 1e30, got {}": ((Q, K, V), {"scale": {}}),
    "window: expected [left, right], got (3,)": (
        (Q, K, V), {"window": np.array([3]), "alignment": "top_left"}),
    "logits_soft_cap: expected": ((Q, K, V), {"logits_soft_cap": -1.0}),
    "return_lse: expected true or false, got 2": ((Q, K, V), {"return_lse": 2}),
    "policy: expected exact, power_of_two or sizes by name": ((Q, K, V), {"policy": "none"}),
    "policy: expected at most q_len 4, got q_len 5": ((Q, K, V), {"policy": {"q_len": (4,)}}),
    "gfx0: not a target": ((Q, K, V), {"target": "gfx0"}),
    "device: expected one of": ((Q, K, V), {"device": "rocm", "target": "cpu"}),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_is_refused_by_the_arguments_name(message):
    given, options = REFUSED[message]
    with pytest.raises((ArgumentError, SpecError, TargetError, UsageError)) as caught:
        irattn.attention(*given, **{"enable_gqa": True, **options})
    assert str(caught.value).startswith(message)
