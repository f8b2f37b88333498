"""What a kernel says of wrong arguments, before anything is called."""

import weakref

import ml_dtypes
import numpy as np
import pytest

import irattn
from irattn import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError
from irattn.core.tensors import context_lens
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import staging
from irattn.runtime.arguments import check_arguments
from irattn.runtime.arrays import aligned_copy, can_import
from irattn.runtime.memory import Device

SPEC = AttentionSpec(num_q_heads=4, num_kv_heads=2, q_len=5, kv_len=7, head_dim=8, io_dtype="f32")
PAGED = PagedAttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=1, head_dim=8, block_size=4, num_blocks=6,
    max_blocks=3, io_dtype="f32",
)  # fmt: skip
PACKED = PackedAttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_tokens=9, kv_tokens=9, head_dim=8, io_dtype="f32"
)


def message_for(spec, **changes):
    tensors = {**random_tensors(spec), **changes}
    with pytest.raises(ArgumentError) as caught:
        check_arguments(spec, {name: array for name, array in tensors.items() if array is not None})
    return str(caught.value)


def test_names():
    assert message_for(SPEC, values=np.zeros(1)) == (
        "values: not an argument of attention; it takes query, key, value"
    )
    assert message_for(SPEC, key=None) == "key: missing; attention takes query, key, value"


def test_shapes_and_dtypes():
    assert message_for(SPEC, key=np.zeros((1, 2, 7, 9), np.float32)) == (
        "key: expected f32 [1, 2, 7, 8], got f32 [1, 2, 7, 9]"
    )
    assert message_for(SPEC, query=np.zeros((4, 5, 8), np.float32)) == (
        "query: expected f32 [1, 4, 5, 8], got f32 [4, 5, 8]"
    )
    assert message_for(SPEC, value=np.zeros((1, 2, 7, 8))) == (
        "value: expected f32 [1, 2, 7, 8], got float64 [1, 2, 7, 8]; "
        "convert with value.astype(np.float32)"
    )
    assert message_for(SPEC, query=[1.0]) == (
        "query: expected a NumPy array f32 [1, 4, 5, 8], got list; "
        "give np.asarray(query, np.float32)"
    )
    assert message_for(SPEC, query=np.zeros((0, 4, 5, 8), np.float32)) == (
        "query: expected f32 [1, 4, 5, 8], got f32 [0, 4, 5, 8]"
    )
    assert message_for(SPEC.replace(io_dtype="bf16"), key=np.zeros((1, 2, 7, 8), np.float32)) == (
        "key: expected bf16 [1, 2, 7, 8], got f32 [1, 2, 7, 8]; "
        "convert with key.astype(ml_dtypes.bfloat16)"
    )


@pytest.mark.parametrize("holder", ["V2", np.uint16, np.int16])
def test_the_bits_of_bf16_are_never_taken_for_numbers(holder):
    """NumPy's files and other libraries keep bf16 in these types."""
    spec = SPEC.replace(io_dtype="bf16")
    tensors = random_tensors(spec)
    bits = tensors["key"].view(holder)
    message = message_for(spec, key=bits)
    assert message.endswith("; convert with key.view(ml_dtypes.bfloat16)")
    checked = check_arguments(spec, {**tensors, "key": bits.view(ml_dtypes.bfloat16)})
    np.testing.assert_array_equal(checked[1], tensors["key"])


def test_the_bits_of_bf16_for_another_type_are_numbers_of_bf16():
    message = message_for(SPEC, key=np.zeros((1, 2, 7, 8), "V2"))
    assert message.endswith("; convert with key.view(ml_dtypes.bfloat16).astype(np.float32)")


def test_masks_of_numbers():
    """What 0 means depends on the mask: in one that is added, it keeps a key."""
    masked = SPEC.replace(keep_mask="k")
    mask = np.zeros((1, 1, 1, 7), np.float32)
    assert message_for(masked, keep_mask=mask) == (
        "keep_mask: expected bool [1, 1, 1, 7], got f32 [1, 1, 1, 7]; "
        "convert with keep_mask == 0 if it is to be added, keep_mask != 0 if 1 is true"
    )
    message = message_for(masked, keep_mask=mask.astype(np.int64))
    assert message.endswith("; convert with keep_mask.astype(np.bool_)")


def test_masked_arrays_are_refused():
    """What they hide would be neither checked nor left out."""
    table = np.ma.MaskedArray(np.full((2, 3), 99), mask=True)
    assert message_for(PAGED, block_table=table) == (
        "block_table: expected a NumPy array i32 or i64 [2, 3], got a masked one; "
        "convert with block_table.filled(...)"
    )


INTEGER_INPUTS = [
    (name, tensor.name)
    for name in catalog.names(["tiny"])
    for tensor in catalog.get(name).inputs
    if tensor.dtype in ("i32", "i64")
]


@pytest.mark.parametrize(("entry", "name"), INTEGER_INPUTS)
def test_integers_are_checked_before_they_are_cast(entry, name):
    """Those that 32 bits would cut down to a legal value, at the first and the last place."""
    spec = catalog.get(entry)
    # All entries of the block table are read: no window, and full contexts.
    if getattr(spec, "window", None):
        spec = spec.replace(window=None)
    tensors = random_tensors(spec)
    for tensor in spec.inputs:
        if tensor.name == "context_lens":
            tensors["context_lens"][:] = tensor.limits[1]
    if "block_table" in tensors:
        tensors["block_table"][:] = 0
    legal = tensors[name].astype(np.int64)
    checked = [
        dict(zip(tensors, check_arguments(spec, {**tensors, name: array}), strict=True))[name]
        for array in (tensors[name], legal)
    ]
    np.testing.assert_array_equal(checked[0], checked[1])
    assert {array.dtype for array in checked} == {np.dtype(np.int32)}
    for index in ((0,) * legal.ndim, tuple(size - 1 for size in legal.shape)):
        for wrong in (2**32 + int(legal[index]), 2**40, -(2**40)):
            array = legal.copy()
            array[index] = wrong
            message = message_for(spec, **{**tensors, name: array})
            assert message.startswith(f"{name}[{', '.join(map(str, index))}]: expected ")
            assert f"got {wrong}" in message


@pytest.mark.parametrize("given", [np.uint64, np.uint32, np.int16, np.uint8, np.float64])
def test_other_integers_are_refused_with_a_conversion_that_is_checked(given):
    """A cast to int32 would wrap without a word; int64 is taken, and its values are checked."""
    message = message_for(PAGED, context_lens=np.zeros(2, given))
    # The type of quantised weights has a name of irattn's own.
    name = "u8" if given is np.uint8 else np.dtype(given)
    assert message == (
        f"context_lens: expected i32 or i64 [2], got {name} [2]; "
        "convert with context_lens.astype(np.int64)"
    )


class Shared:
    """A tensor of another library."""

    dtype = "bfloat16"

    def __init__(self, **facts):
        vars(self).update(facts)

    def __dlpack__(self):
        raise AssertionError


class Framed:
    def to_numpy(self):
        raise AssertionError


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (Shared(), "; give irattn.DeviceArray.from_dlpack(query)"),
        (Shared(requires_grad=True), "; give irattn.DeviceArray.from_dlpack(query.detach())"),
        (Framed(), "; give query.to_numpy()"),
        ([[1.0]], "; give np.asarray(query, np.float32)"),
        *((nothing, "") for nothing in ("query", 1.0, np.float32(1), {})),
    ],
)
def test_what_others_have_for_arrays_has_a_hint(given, hint):
    message = message_for(SPEC, query=given)
    name = type(given).__name__
    assert message == f"query: expected a NumPy array f32 [1, 4, 5, 8], got {name}{hint}"
    if isinstance(given, Shared):
        with pytest.raises(ArgumentError, match="from_dlpack") as caught:
            irattn.DeviceArray.from_numpy(given)
        assert str(caught.value).endswith(hint.replace("query", "array"))


def test_a_list_of_integers_is_not_cut():
    """With a type, NumPy would make 4 of 4.7 without a word."""
    message = message_for(PAGED, context_lens=[4, 7])
    assert message.endswith("i32 or i64 [2], got list; give np.asarray(context_lens)")


def test_the_hint_for_torch_is_right():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    spec = SPEC.replace(io_dtype="bf16")
    tensors = {one.name: torch.ones(one.shape, dtype=torch.bfloat16) for one in spec.inputs}
    told = message_for(spec, **tensors)
    assert "give irattn.DeviceArray.from_dlpack(query); irattn.integrations.torch" in told
    integers = message_for(PAGED, context_lens=torch.tensor([4, 7]))
    assert integers.endswith("got Tensor; give np.asarray(context_lens)")
    shared = {name: irattn.DeviceArray.from_dlpack(tensor) for name, tensor in tensors.items()}
    assert irattn.load(spec)(**shared).dtype == ml_dtypes.bfloat16


def test_limits_are_within_what_the_type_holds():
    with pytest.raises(ArgumentError, match=r"^context_lens\[0\]: expected 0 to 2147483647, got"):
        context_lens(1, 2**33).check(np.array([2**32]))
    huge = PAGED.replace(num_blocks=2**33)
    cache = np.broadcast_to(np.float32(0), (2**33, 2, 4, 8))
    given = {**random_tensors(PAGED), "key_cache": cache, "value_cache": cache}
    given["block_table"] = np.full((2, 3), 2**32)
    with pytest.raises(ArgumentError, match=r"^block_table\[0, 0\]: .* from 0 to 2147483647, got"):
        check_arguments(huge, given)


def test_block_tables():
    table = np.zeros((2, 3), np.int32)
    lens = np.array([9, 4], np.int32)
    assert message_for(PAGED, block_table=table.astype(np.float32)) == (
        "block_table: expected i32 or i64 [2, 3], got f32 [2, 3]; "
        "convert with block_table.astype(np.int64)"
    )
    table[0, 2] = 6
    assert message_for(PAGED, block_table=table, context_lens=lens) == (
        "block_table[0, 2]: expected a block id from 0 to 5, got 6 (sequence 0 has 9 tokens and "
        "uses 3 blocks)"
    )
    other = np.array([[0, 0, 6], [7, 0, 0]], np.int32)
    lens[0] = 4
    assert message_for(PAGED, block_table=other, context_lens=lens).endswith("uses 1 block)")
    lens[0] = 9
    table[0, 2] = -1
    assert "got -1" in message_for(PAGED, block_table=table, context_lens=lens)


def test_context_lens():
    for wrong in (13, -1):
        lens = np.array([1, wrong], np.int32)
        assert message_for(PAGED, context_lens=lens) == (
            f"context_lens[1]: expected 0 to 12, got {wrong}"
        )


def test_entries_past_a_context_are_ignored():
    table = np.array([[5, -1, 2**40], [2, 3, -(2**63)]])
    lens = np.array([4, 8])
    _, _, _, checked, checked_lens = check_arguments(
        PAGED, {**random_tensors(PAGED), "block_table": table, "context_lens": lens}
    )
    np.testing.assert_array_equal(checked, [[5, 0, 0], [2, 3, 0]])
    assert (checked.dtype, checked_lens.dtype) == (np.int32, np.int32)


@pytest.mark.parametrize(
    ("changes", "q_lens", "first_pages"),
    [
        ({"window": (3, None)}, None, [1, 0]),
        ({"window": (5, None)}, None, [0, 0]),
        ({"window": (4, 0), "causal": False}, None, [1, 0]),
        ({"window": (0, None)}, None, [2, 0]),
        ({"window": (3, None), "q_len": 2}, None, [1, 0]),
        ({"window": (3, None), "q_len": 3}, None, [0, 0]),
        ({"window": (3, None), "q_len": 5, "ragged": True}, [2, 5], [1, 0]),
        ({"window": (3, None), "alignment": "top_left"}, None, [0, 0]),
        ({"window": (3, None), "alignment": "offsets"}, None, [1, 0]),
        ({"window": (3, None), "alignment": "offsets", "q_len": 5, "ragged": True}, [2, 5], [1, 0]),
        ({"alignment": "offsets"}, None, [0, 0]),
        ({}, None, [0, 0]),
    ],
)
def test_entries_before_a_window_are_ignored(changes, q_lens, first_pages):
    """The last query of sequence 0 is token 8, in page 2; of sequence 1, token 3.

    By offsets the first query of sequence 0 is token 7; of sequence 1, token 3.
    """
    spec = PAGED.replace(**changes)
    tensors = {**random_tensors(spec), "context_lens": np.array([9, 4], np.int32)}
    if spec.alignment == "offsets":
        tensors["offsets"] = np.array([7, 3], np.int32)
    if q_lens:
        tensors["q_lens"] = np.array(q_lens, np.int32)
    table = np.array([[3, 4, 5], [2, -1, -1]], np.int32)
    expected = np.array([[3, 4, 5], [2, 0, 0]])
    for row, first in enumerate(first_pages):
        table[row, :first], expected[row, :first] = -1, 0
    tensors["block_table"] = table
    names = [tensor.name for tensor in spec.inputs]
    checked = dict(zip(names, check_arguments(spec, tensors), strict=True))
    np.testing.assert_array_equal(checked["block_table"], expected)
    table[0, first_pages[0]] = -1
    assert f"block_table[0, {first_pages[0]}]: expected a block id" in message_for(spec, **tensors)


def test_arguments_in_call_order():
    kernel = irattn.load(SPEC)
    tensors = random_tensors(SPEC)
    query, key, value = tensors.values()
    expected = kernel(**tensors)
    np.testing.assert_array_equal(kernel(query, key, value), expected)
    np.testing.assert_array_equal(kernel(query, value=value, key=key), expected)
    np.testing.assert_array_equal(kernel.outputs(query, key, value)[0], expected)


@pytest.mark.parametrize(
    ("places", "names", "message"),
    [
        (4, (), "arguments: expected at most 3, got 4; attention takes query, key, value"),
        (1, (), "key, value: missing; attention takes query, key, value"),
        (0, (), "query, key, value: missing; attention takes query, key, value"),
        (
            2,
            ("key", "value"),
            "key: given twice, in call order and by name; attention takes query, key, value",
        ),
        (2, ("values",), "values: not an argument of attention; it takes query, key, value"),
        # What Python itself would take for a parameter of its own.
        (3, ("self",), "self: not an argument of attention; it takes query, key, value"),
    ],
)
def test_wrong_calls(places, names, message):
    kernel = irattn.load(SPEC)
    array = np.zeros((1, 4, 5, 8), np.float32)
    for call in (kernel, kernel.outputs):
        with pytest.raises(ArgumentError) as caught:
            call(*[array] * places, **dict.fromkeys(names, array))
        assert str(caught.value) == message


@pytest.mark.parametrize("io_dtype", ["f32", "f16", "bf16"])
def test_any_memory_layout_gives_the_same_result(io_dtype):
    spec = SPEC.replace(io_dtype=io_dtype)
    kernel = irattn.load(spec)
    tensors = random_tensors(spec)
    expected = kernel(**tensors)
    assert expected.dtype == (ml_dtypes.bfloat16 if io_dtype == "bf16" else expected.dtype)
    np.testing.assert_allclose(
        expected.astype(np.float64),
        reference(spec, tensors)[0],
        atol=2e-2 if io_dtype != "f32" else 1e-5,
    )

    def misaligned(array):
        memory = np.empty(array.nbytes + 80, np.uint8)
        start = -memory.ctypes.data % 64 + 16
        copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
        copy[...] = array
        return copy

    def read_only(array):
        copy = aligned_copy(array)
        copy.flags.writeable = False
        return copy

    def strided(array):
        return np.repeat(array, 2, axis=-1)[..., ::2]

    for change in (aligned_copy, misaligned, read_only, strided, np.asfortranarray):
        changed = {name: change(array) for name, array in tensors.items()}
        assert all(can_import(array) for array in changed.values()) == (change is aligned_copy)
        before = {name: array.copy() for name, array in changed.items()}
        np.testing.assert_array_equal(kernel(**changed), expected)
        for name, array in changed.items():
            np.testing.assert_array_equal(array, before[name])


def test_results_outlive_the_kernel_and_later_calls():
    kernel = irattn.load(SPEC)
    tensors = random_tensors(SPEC)
    first = kernel(**tensors)
    kept = first.copy()
    kernel(**{name: array + 1 for name, array in tensors.items()})
    del kernel
    np.testing.assert_array_equal(first, kept)


@pytest.mark.parametrize("is_in_place", [True, False])
@pytest.mark.parametrize("change", [np.copy, aligned_copy])
def test_large_caches_are_copied_once(change, is_in_place, monkeypatch):
    """Into memory that is the caller's from then on; a second time where code would not use it."""
    kernel = irattn.load("paged_update_decode_tiny")
    tensors = {name: change(array) for name, array in random_tensors(kernel.spec).items()}
    expected, before = kernel(**tensors), {name: array.copy() for name, array in tensors.items()}
    monkeypatch.setattr(staging, "_SMALL_BYTES", tensors["key_cache"].nbytes - 1)
    if not is_in_place:
        monkeypatch.setattr(Device, "lies_in", lambda *_: False)
    made = [kernel(**tensors) for _ in range(2)]
    copied = irattn.transfers()
    made.append(kernel(**tensors))
    assert (irattn.transfers() - copied).to_host == (1 if is_in_place else 3)
    for outputs in made:
        for output, wanted in zip(outputs, expected, strict=True):
            np.testing.assert_array_equal(output, wanted)
            output[...] = 7
    for name, array in tensors.items():
        np.testing.assert_array_equal(array, before[name])
    freed = weakref.ref(made[-1][1])
    del made, outputs, output
    assert freed() is None


def test_bounds_of_packed_sequences():
    for wrong in ([1, 5, 9], [0, 5, 4], [0, 5, 10]):
        message = message_for(PACKED, cu_seqlens_q=np.array(wrong, np.int32))
        assert message in (
            f"cu_seqlens_q: expected numbers that begin with 0 and never fall, got {wrong}",
            "cu_seqlens_q[2]: expected 0 to 9, got 10",
        )
    tensors = random_tensors(PACKED)
    wide = tensors["cu_seqlens_k"].astype(np.int64)
    checked = check_arguments(PACKED, {**tensors, "cu_seqlens_k": wide})
    assert checked[4].dtype == np.int32
