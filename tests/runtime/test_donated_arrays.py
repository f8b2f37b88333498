"""Arrays that a call writes over, gives up or is told to fill, and copies of them."""

import copy
import pickle

import numpy as np
import pytest

from irattn import DeviceArray, Transfers, transfers
from irattn.core.errors import ArgumentError
from irattn.lab.inputs import random_tensors
from support.device_calls import SPEC, loaded, on_device, same


def test_a_donated_cache_is_written_in_place_and_used_up():
    kernel = loaded("cache_write_tiny")
    tensors = random_tensors(kernel.spec)
    expected = kernel.outputs(**tensors)
    given = on_device(kernel, tensors)
    before = transfers()
    outputs = kernel.outputs(**given, donate=["key_cache", "value_cache"])
    assert transfers() - before == Transfers()
    same(outputs, expected)
    message = (
        "key_cache: expected an array that is still there, got one that was donated to "
        "cache_write_tiny: use its updated_key_cache"
    )
    with pytest.raises(ArgumentError) as caught:
        kernel(**given)
    assert str(caught.value) == message
    for use in (given["key_cache"].to_numpy, given["key_cache"].synchronize):
        with pytest.raises(ArgumentError, match=r"^array: expected an array that is still there"):
            use()
    assert "donated" in repr(given["key_cache"])
    # The next step goes on with what the last one gave.
    given |= dict(zip(("key_cache", "value_cache"), outputs, strict=True))
    same(kernel.outputs(**given, donate=["key_cache"]), kernel.outputs(**tensors))


def test_a_cache_that_is_not_donated_stays_as_it_is():
    kernel = loaded("cache_write_tiny")
    tensors = random_tensors(kernel.spec)
    given = on_device(kernel, tensors)
    before = transfers()
    same(kernel.outputs(**given), kernel.outputs(**tensors))
    assert (transfers() - before).on_device == 2
    np.testing.assert_array_equal(given["key_cache"].to_numpy(), tensors["key_cache"])


def test_wrong_donations_use_nothing_up():
    kernel = loaded("cache_write_tiny")
    tensors = random_tensors(kernel.spec)
    given = on_device(kernel, tensors)
    for changes, donate, message in (
        ({}, ["key"], r"^donate: expected inputs that cache_write updates \(key_cache, value_c"),
        ({}, ["nothing"], r"^donate: expected inputs that .*got 'nothing'"),
        ({}, "key_cache", r"^donate: expected a list of names of inputs, got 'key_cache'"),
        ({}, True, r"^donate: expected a list of names of inputs, got True"),
        ({}, [["key"]], r"^donate: expected a list of names of inputs, got \[\['key'\]\]"),
        ({"key_cache": tensors["key_cache"]}, ["key_cache"], "^key_cache: expected a DeviceArray "),
        ({"value_cache": given["key_cache"]}, ["key_cache"], "^key_cache: .* that value_cache is"),
    ):
        with pytest.raises(ArgumentError, match=message):
            kernel(**{**given, **changes}, donate=donate)
    with pytest.raises(ArgumentError, match=r"^donate: expected inputs that attention updates \(n"):
        loaded()(**random_tensors(SPEC), donate=["query"])
    same(kernel.outputs(**given), kernel.outputs(**tensors))


def test_outputs_go_where_the_caller_wants_them():
    kernel = loaded()
    tensors = random_tensors(SPEC)
    given = on_device(kernel, tensors)
    out = DeviceArray.zeros((1, 4, 5, 8), "f32", kernel.device)
    shared = np.from_dlpack(out)
    before = transfers()
    assert kernel(**given, out=out) is out
    assert transfers() - before == Transfers(on_device=1, bytes_on_device=shared.nbytes)
    np.testing.assert_array_equal(shared, kernel(**tensors))
    assert kernel(**tensors, out=[out]) is out
    write = loaded("cache_write_tiny")
    tensors = random_tensors(write.spec)
    given = on_device(write, tensors)
    target = DeviceArray.empty(given["value_cache"].shape, "f32", write.device)
    first, second = write.outputs(**given, out=(None, target))
    assert first is not target
    assert second is target
    same([first, second], write.outputs(**tensors))


def test_an_out_that_does_not_fit_is_refused():
    kernel = loaded()
    tensors = random_tensors(SPEC)
    small = DeviceArray.zeros((1, 4, 5, 4), "f32")
    for out, message in (
        (
            np.zeros((1, 4, 5, 8), np.float32),
            "out: expected a DeviceArray, or one or None for each",
        ),
        ((small, small), "out: expected a DeviceArray, or one or None for each of output"),
        (("no",), "out: expected a DeviceArray on device local-sync for output, got str"),
        (small, r"out: expected f32 \[1, 4, 5, 8\] for output, got f32 \[1, 4, 5, 4\]"),
        (DeviceArray.zeros((1, 4, 5, 8), "f16"), r"for output, got f16"),
    ):
        with pytest.raises(ArgumentError, match=message):
            kernel(**tensors, out=out)


def test_no_output_goes_where_another_goes_or_into_what_is_given_up():
    kernel = loaded("cache_write_tiny")
    tensors = random_tensors(kernel.spec)
    given = on_device(kernel, tensors)
    one = DeviceArray.empty(given["key_cache"].shape, "f32", kernel.device)
    with pytest.raises(ArgumentError, match=r"^out: .* for updated_v.*, got one that is for upda"):
        kernel(**given, out=(one, one))
    donated = given["key_cache"]
    with pytest.raises(ArgumentError, match=r"^out: .* for updated_v.* is donated as key_cache"):
        kernel(**given, out=(None, donated), donate=["key_cache"])
    # Nothing was used up, and an input that is not donated may be written to.
    outputs = kernel.outputs(**given, out=(donated, None))
    assert outputs[0] is donated
    same(outputs, kernel.outputs(**tensors))


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps])
def test_no_second_array_has_the_memory_of_one_that_may_be_donated(make):
    with pytest.raises(TypeError, match=r"a device array is not copied .*; to_numpy\(\) copies"):
        make(DeviceArray.zeros((2,), "f32"))


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_kernel_stays_in_its_process(make):
    with pytest.raises(TypeError, match=r"a kernel is not copied .*; load its artifact there"):
        make(loaded("layer_decode_tiny"))
