"""`irattn.gated_delta_rule` and `irattn.short_convolution`: what they compute, and refuse."""

import numpy as np
import pytest

import irattn
from irattn import DeviceArray, GatedDeltaRuleSpec, ShortConvolutionSpec
from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference

RULE = GatedDeltaRuleSpec(
    io_dtype="f32", batch=2, num_k_heads=1, num_v_heads=2, q_len=5, key_dim=16, value_dim=8,
    qk_l2_norm=True, ragged=True,
)  # fmt: skip
CONVOLUTION = ShortConvolutionSpec(
    io_dtype="f32", batch=2, q_len=5, channels=8, kernel=3, use_bias=True, silu=True, ragged=True
)
TOKENS = ("query", "key", "value", "g", "beta")


def assert_is(found, spec, tensors):
    for one, expected in zip(found, reference(spec, tensors), strict=True):
        error = np.linalg.norm(np.asarray(one).astype(np.float64) - expected)
        assert error <= dtype(spec.io_dtype).tolerance * np.linalg.norm(expected)


@pytest.mark.slow
def test_the_rule_of_heads_and_of_channels():
    tensors = random_tensors(RULE)
    before = tensors["initial_state"].copy()
    found = irattn.gated_delta_rule(**tensors, qk_l2_norm=True)
    assert_is(found, RULE, tensors)
    np.testing.assert_array_equal(tensors["initial_state"], before)
    spec = RULE.replace(gate="channel", layout="NHD", ragged=False, qk_l2_norm=False)
    tensors = random_tensors(spec)
    there = [DeviceArray.from_numpy(tensors[name]) for name in TOKENS]
    found = irattn.gated_delta_rule(*there, layout="NHD")
    assert all(isinstance(array, DeviceArray) for array in found)
    assert_is(found, spec, tensors | {"initial_state": np.zeros_like(before)})
    spec = RULE.replace(uncorrected=True)
    tensors = random_tensors(spec)
    assert_is(irattn.gated_delta_rule(**tensors, qk_l2_norm=True, uncorrected=True), spec, tensors)


@pytest.mark.slow
def test_the_convolution_goes_on_from_its_state():
    tensors = random_tensors(CONVOLUTION)
    assert_is(irattn.short_convolution(**tensors, silu=True), CONVOLUTION, tensors)
    x, weight = tensors["x"], tensors["weight"]
    whole, last = irattn.short_convolution(x, weight)
    first, state = irattn.short_convolution(x[:, :2], weight)
    second, final = irattn.short_convolution(x[:, 2:], weight, initial_state=state)
    np.testing.assert_allclose(np.concatenate([first, second], axis=1), whole, atol=1e-6)
    np.testing.assert_array_equal(final, last)


GIVEN = random_tensors(RULE)
SHORT = random_tensors(CONVOLUTION)
REFUSED = {
    "query: expected [batch, num_k_heads, q_len, key_dim], got [1, 5, 16]": (
        {"query": GIVEN["query"][0]}, {}),
    "key: expected [2, 1, 5, 16], got [2, 1, 4, 16]": ({"key": GIVEN["key"][:, :, :4]}, {}),
    "beta: expected f32 as query, got f16": ({"beta": GIVEN["beta"].astype(np.float16)}, {}),
    "g: expected [batch, num_v_heads, q_len], got [2, 5]": ({"g": GIVEN["g"][:, 0]}, {}),
    "initial_state: expected [2, 2, 16, 8], got [2, 16, 8]": (
        {"initial_state": GIVEN["initial_state"][:, 0]}, {}),
    "q_lens: expected an array": ({"q_lens": 3}, {}),
    "layout: expected": ({}, {"layout": "DHN"}),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_is_refused(message):
    changed, options = REFUSED[message]
    with pytest.raises((ArgumentError, SpecError)) as caught:
        irattn.gated_delta_rule(**{**GIVEN, **changed}, **options)
    assert str(caught.value).startswith(message)


def test_a_kernel_of_one_token_is_refused():
    with pytest.raises(SpecError, match="kernel: expected a whole number of at least 2, got 1"):
        irattn.short_convolution(SHORT["x"], SHORT["weight"][:, :1])


@pytest.mark.parametrize("tokens", [np.s_[:, :, :0], np.s_[:0]])
def test_without_tokens_a_state_stays(tokens):
    given = {name: GIVEN[name][tokens] for name in TOKENS}
    batch = len(given["query"])
    state = GIVEN["initial_state"][:batch]
    output, final = irattn.gated_delta_rule(**given, initial_state=state)
    assert output.shape == given["value"].shape
    np.testing.assert_array_equal(final, state)
    assert not np.shares_memory(final, state)
    assert not irattn.gated_delta_rule(**given)[1].any()
    x, before = SHORT["x"][:batch, :0], SHORT["initial_state"][:batch]
    output, final = irattn.short_convolution(x, SHORT["weight"], initial_state=before)
    assert output.shape == x.shape
    np.testing.assert_array_equal(final, before)
    with pytest.raises(ArgumentError, match=r"initial_state: expected f32 .*, got "):
        irattn.gated_delta_rule(**given, initial_state=GIVEN["initial_state"][:, :1])
