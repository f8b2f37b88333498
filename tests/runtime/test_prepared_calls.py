"""Calls of shapes and types that were there before take no step that can be left out."""

import sys

import iree.runtime
import numpy as np
import pytest

import irattn
from irattn import DeviceArray
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError
from irattn.lab.inputs import random_tensors
from irattn.runtime import arguments
from irattn.runtime.arguments import Signature
from irattn.runtime.block_tables import BlockTables, few_contents
from irattn.runtime.device_calls import DeviceCalls
from irattn.runtime.devices import CPU_DRIVERS
from irattn.runtime.padding import Padding
from irattn.runtime.resizing import in_shape
from irattn.runtime.session import Session

PAGED = catalog.get("gqa_paged_decode_tiny")


def refuse(*arguments, **named):
    raise AssertionError("is done again")


def on_device(kernel, tensors):
    return {n: DeviceArray.from_numpy(array, kernel.device) for n, array in tensors.items()}


@pytest.fixture(scope="module")
def paged():
    """A kernel, its arguments on the device, and what it gives for them, called twice."""
    kernel = irattn.load(PAGED, device="local-sync")
    tensors = random_tensors(PAGED)
    tensors["block_table"] = tensors["block_table"].clip(0)
    given = on_device(kernel, tensors)
    kernel(**given)
    return kernel, given, kernel(**given).to_numpy()


def test_it_is_nothing_but_a_call(paged, monkeypatch):
    kernel, given, expected = paged
    for owner, name in ((arguments, "check_values"), (Signature, "values"), (DeviceCalls, "run")):
        monkeypatch.setattr(owner, name, refuse)
    for output in (kernel(**given), kernel(*given.values()), *kernel.outputs(**given)):
        np.testing.assert_array_equal(output.to_numpy(), expected)


def test_what_is_done_on_return_makes_no_fence():
    sessions = {driver: irattn.load(PAGED, device=driver)._session for driver in CPU_DRIVERS}
    taken = {driver: one._function is one._queued for driver, one in sessions.items()}
    assert taken == {"local-sync": True, "local-task": False}


def test_neither_do_copies_that_are_done_on_return(monkeypatch):
    source = DeviceArray.from_numpy(np.arange(6.0, dtype=np.float32).reshape(2, 3), "local-sync")

    def refuse(*_):
        raise AssertionError("a fence")

    monkeypatch.setattr(iree.runtime, "HalFence", refuse)
    # One is filled with zeros, and both are copied to.
    larger, smaller = in_shape(source, (3, 4)), in_shape(source, (1, 2))
    np.testing.assert_array_equal(larger.to_numpy(), np.pad(source.to_numpy(), [(0, 1), (0, 1)]))
    np.testing.assert_array_equal(smaller.to_numpy(), source.to_numpy()[:1, :2])


@pytest.mark.parametrize("entry", ["gqa_paged_decode_tiny", "dynamic_paged_decode_tiny"])
def test_a_table_is_cleaned_once_and_lengths_are_there(entry, monkeypatch):
    kernel = irattn.load(entry, device="local-sync")
    tensors = random_tensors(kernel.spec)
    assert tensors["block_table"].min() < 0
    given = on_device(kernel, tensors)
    expected = kernel(**tensors)
    kernel(**given)
    kernel(**given)
    for owner, name in ((BlockTables, "_cleaned"), (DeviceCalls, "run"), (Padding, "__init__")):
        monkeypatch.setattr(owner, name, refuse)
    before = irattn.transfers()
    output = kernel(**given)
    assert irattn.transfers() == before
    np.testing.assert_array_equal(output.to_numpy(), expected)


@pytest.mark.parametrize(
    ("entry", "most"), [("replicate_kv_tiny", 8), ("gqa_paged_decode_tiny", 9)]
)
def test_it_takes_few_functions(entry, most):
    """Each takes a tenth of what the smallest call may take besides IREE's part."""
    kernel = irattn.load(entry, device="local-sync")
    given = on_device(kernel, random_tensors(kernel.spec))
    for _ in range(3):
        kernel(**given)
    called = []
    sys.setprofile(lambda frame, event, _: event == "call" and called.append(frame.f_code.co_name))
    try:
        kernel(**given)
    finally:
        sys.setprofile(None)
    assert called[0] == "__call__"
    assert len(called) <= most, called


def test_donating_and_copying_take_no_other_way(monkeypatch):
    kernel = irattn.load("paged_update_decode_tiny", device="local-sync")
    tensors = random_tensors(kernel.spec)
    expected = kernel(**tensors)
    donate = ("key_cache", "value_cache")
    for names in ((), donate):
        given = on_device(kernel, tensors)
        kernel(**given, donate=names)
        kernel(**on_device(kernel, tensors), donate=names)
    monkeypatch.setattr(DeviceCalls, "run", refuse)
    for names in ((), donate):
        given = on_device(kernel, tensors)
        for output, array in zip(kernel(**given, donate=names), expected, strict=True):
            np.testing.assert_array_equal(output.to_numpy(), array)
        assert [n for n in given if "donated" in repr(given[n])] == list(names)
    given = on_device(kernel, tensors)
    for names in (donate, donate[:1]):
        with pytest.raises(ArgumentError, match=r"^key_cache: .* of its own to donate, got .* val"):
            kernel(**{**given, "value_cache": given["key_cache"]}, donate=names)
        monkeypatch.undo()
    kernel(**given, donate=donate)


def test_sizes_that_need_no_padding_are_called_as_they_are():
    kernel = irattn.load("dynamic_paged_decode_tiny", device="local-sync")
    given = on_device(kernel, random_tensors(kernel.spec))
    kernel(**given)
    plans = [*kernel._on_device._plans.values()]
    assert [plan.padding for plan in plans] == [None]


def test_it_goes_where_the_caller_wants_it(paged):
    kernel, given, expected = paged
    out = DeviceArray.zeros(expected.shape, "f32", kernel.device)
    assert kernel(**given, out=out) is out
    np.testing.assert_array_equal(out.to_numpy(), expected)


def test_an_array_that_was_given_up_is_refused(paged):
    kernel, given, _ = paged
    query = DeviceArray.from_numpy(given["query"].to_numpy(), kernel.device)
    query._take("query", " to another")
    with pytest.raises(ArgumentError, match=r"^query: expected .* donated to another"):
        kernel(**{**given, "query": query})


def test_integers_are_checked_again_when_they_are_others(paged):
    kernel, given, _ = paged
    table = DeviceArray.from_numpy(given["block_table"].to_numpy(), kernel.device)
    given = {**given, "block_table": table}
    kernel(**given)
    kernel(**given)
    wrong = DeviceArray.from_numpy(np.full((2, 4), 99, np.int32), kernel.device)
    table._copy_parts(wrong, [(0, 0, wrong._live().byte_length)])
    with pytest.raises(ArgumentError, match=r"^block_table\[0, 0\]: .* got 99"):
        kernel(**given)


def test_a_kernel_with_all_inputs_bound_gives_numpy_arrays(paged):
    kernel, given, expected = paged
    bound = kernel.bind(**given)
    for _ in range(3):
        output = bound()
        assert isinstance(output, np.ndarray)
        np.testing.assert_array_equal(output, expected)


def test_a_table_that_names_blocks_only_is_taken_as_it_is():
    tensors = random_tensors(PAGED)
    names = [tensor.name for tensor in PAGED.inputs]
    at = names.index("block_table")
    tables = BlockTables(PAGED.inputs[at], PAGED, PAGED.inputs, is_kept=False)
    arrays = [tensors[name] for name in names]
    full = tensors["block_table"].clip(0)
    assert tables.checked(full, arrays) is full
    assert tables.checked(tensors["block_table"], arrays).min() == 0


INTEGERS = {"block_table": 99, "context_lens": 65, "slot_mapping": 1}


@pytest.mark.parametrize("name", INTEGERS)
def test_numpys_integers_are_checked_once_for_the_same_contents(name, monkeypatch):
    kernel = irattn.load("paged_update_prefill_tiny", device="local-sync")
    tensors = random_tensors(kernel.spec)
    expected = kernel(**tensors)
    with monkeypatch.context() as patched:
        for owner, what in ((arguments, "check_values"), (BlockTables, "_cleaned")):
            patched.setattr(owner, what, refuse)
        again = kernel(**{n: array.copy() for n, array in tensors.items()})
    for output, array in zip(again, expected, strict=True):
        np.testing.assert_array_equal(output, array)
    # The same array with other contents, and what was right before is right after an error.
    before = tensors[name].copy()
    tensors[name].flat[:2] = INTEGERS[name]
    with pytest.raises(ArgumentError, match=rf"^{name}\["):
        kernel(**tensors)
    tensors[name][...] = before
    np.testing.assert_array_equal(kernel(**tensors)[0], expected[0])


def test_a_table_of_numpys_follows_its_lengths():
    kernel = irattn.load(PAGED, device="local-sync")
    tensors = random_tensors(PAGED)
    kernel(**tensors)
    tensors["block_table"][0, 1:] = -1
    for length in (1, 16):
        tensors["context_lens"][0] = length
        kernel(**tensors)
    tensors["context_lens"][0] = 17
    with pytest.raises(ArgumentError, match=r"^block_table\[0, 1\]: expected a block id"):
        kernel(**tensors)


def test_contents_that_would_take_much_to_keep_are_equal_to_nothing():
    small, large = np.zeros(1024, np.int32), np.zeros(1025, np.int32)
    assert few_contents(small) == few_contents(small.copy())
    assert few_contents(large) != few_contents(large)


def test_arrays_of_the_same_sizes_are_listed_once(monkeypatch):
    kernel = irattn.load("gqa_decode_tiny", device="local-sync")
    tensors = random_tensors(kernel.spec)
    expected = kernel(**tensors)
    monkeypatch.setattr(Session, "listed", refuse)
    np.testing.assert_array_equal(kernel(**tensors), expected)
    twice = kernel(**{**tensors, "value": tensors["value"] * 2})
    np.testing.assert_allclose(twice, expected * 2, rtol=1e-6)


def test_sizes_are_padded_alike_once_they_are_known(monkeypatch):
    kernel = irattn.load(catalog.get("dynamic_paged_decode_tiny"), device="local-sync")
    tensors = random_tensors(kernel.spec)
    expected = kernel(**tensors)
    monkeypatch.setattr(Padding, "__init__", refuse)
    np.testing.assert_array_equal(kernel(**tensors), expected)
