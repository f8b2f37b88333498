"""Calls of shapes and types that were there before take no step that can be left out."""

import numpy as np
import pytest

import irattn
from irattn import DeviceArray, catalog
from irattn.errors import ArgumentError
from irattn.inputs import random_tensors
from irattn.runtime import arguments
from irattn.runtime.arguments import Signature
from irattn.runtime.block_tables import BlockTables
from irattn.runtime.device_calls import DeviceCalls
from irattn.runtime.padding import Padding

PAGED = catalog.get("gqa_paged_decode_tiny")


def refuse(*arguments, **named):
    raise AssertionError("is done again")


@pytest.fixture(scope="module")
def paged():
    """A kernel, its arguments on the device, and what it gives for them, called twice."""
    kernel = irattn.load(PAGED, device="local-sync")
    tensors = random_tensors(PAGED)
    tensors["block_table"] = tensors["block_table"].clip(0)
    given = {n: DeviceArray.from_numpy(array, kernel.device) for n, array in tensors.items()}
    kernel(**given)
    return kernel, given, kernel(**given).to_numpy()


def test_it_is_nothing_but_a_call(paged, monkeypatch):
    kernel, given, expected = paged
    for owner, name in ((arguments, "check_values"), (Signature, "values"), (DeviceCalls, "run")):
        monkeypatch.setattr(owner, name, refuse)
    for output in (kernel(**given), kernel(*given.values()), *kernel.outputs(**given)):
        np.testing.assert_array_equal(output.to_numpy(), expected)


@pytest.mark.parametrize("entry", ["gqa_paged_decode_tiny", "dynamic_paged_decode_tiny"])
def test_a_table_is_cleaned_once_and_lengths_are_there(entry, monkeypatch):
    kernel = irattn.load(entry, device="local-sync")
    tensors = random_tensors(kernel.spec)
    assert tensors["block_table"].min() < 0
    given = {n: DeviceArray.from_numpy(array, kernel.device) for n, array in tensors.items()}
    expected = kernel(**tensors)
    kernel(**given)
    kernel(**given)
    for owner, name in ((BlockTables, "_cleaned"), (DeviceCalls, "run"), (Padding, "__init__")):
        monkeypatch.setattr(owner, name, refuse)
    before = irattn.transfers()
    output = kernel(**given)
    assert irattn.transfers() == before
    np.testing.assert_array_equal(output.to_numpy(), expected)


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


def test_sizes_are_padded_alike_once_they_are_known(monkeypatch):
    kernel = irattn.load(catalog.get("dynamic_paged_decode_tiny"), device="local-sync")
    tensors = random_tensors(kernel.spec)
    expected = kernel(**tensors)
    monkeypatch.setattr(Padding, "__init__", refuse)
    np.testing.assert_array_equal(kernel(**tensors), expected)
