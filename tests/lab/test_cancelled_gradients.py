"""Gradients whose terms cancel: an error is measured by these terms, and is still found."""

from types import SimpleNamespace

import numpy as np
import pytest

from irattn import AttentionBackwardSpec
from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.certificates.executed import Evidence, numbers
from irattn.lab.certificates.executions import CallOutcome
from irattn.lab.inputs import CASES, random_tensors
from irattn.lab.tool_calls import thresholds, tool_call
from irattn.lab.verification import known_case, strain, verify_artifact
from irattn.reference import reference
from irattn.runtime import load_artifact
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from support.joined import artifact_of

SPEC = AttentionBackwardSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=33, kv_len=40, head_dim=16, io_dtype="f32"
)
ONE_KEY = SPEC.replace(kv_len=1, batch=1)
FLAT = SPEC.replace(
    batch=1, q_len=9, kv_len=12, head_dim=64, window=(3, None), logits_soft_cap=30.0
)
SPECS = {
    "bias of heads and queries": SPEC.replace(bias="hq", batch=1),
    "bias of sequences": SPEC.replace(bias="b", io_dtype="f16"),
    "one key": ONE_KEY,
    "one key of f16": ONE_KEY.replace(io_dtype="f16"),
    "one key of bf16, and a bias": ONE_KEY.replace(io_dtype="bf16", bias="hqk"),
    "its own key alone": SPEC.replace(batch=1, q_len=40, window=(0, 0)),
    "rows that see nothing": ONE_KEY.replace(q_len=7, keep_mask="q", sinks=True),
    "large logits": SPEC.replace(softmax_scale=30.0, batch=1),
    # A sum of many products is rounded more often.
    "wide heads": SPEC.replace(
        batch=1,
        num_q_heads=2,
        num_kv_heads=1,
        kv_len=5,
        head_dim=256,
        softmax_scale=1.0,
        causal=True,
    ),
    # Of a dominant token the cap is flat.
    "a flat cap": FLAT,
    "a flat cap in bf16": FLAT.replace(io_dtype="bf16"),
    "dropout": ONE_KEY.replace(dropout_p=0.5, logits_soft_cap=2.0),
    "packed": PackedAttentionBackwardSpec(
        batch=3, num_q_heads=2, num_kv_heads=1, q_tokens=20, kv_tokens=3, head_dim=16
    ),
}


def artifact(name):
    return artifact_of(SPECS[name], SPECS.values(), "cpu")


@pytest.mark.parametrize("name", SPECS)
def test_what_is_left_where_terms_cancel_is_no_error(name):
    verdict = verify_artifact(artifact(name), device="cpu")
    assert verdict.passed, (verdict.failed, verdict.accuracy)


def test_terms_below_the_smallest_normal_number_are_rounded_as_one_of_its_size():
    """Of a flat cap in f16, gradients of logits are a few units of the smallest number."""
    sizes = {"q_len": 70, "kv_len": 5, "num_q_heads": 2, "head_dim": 20, "value_dim": 12}
    seen = {"window": (3, 0), "alignment": "top_left", "dropout_p": 0.4, "sinks": True}
    spec = FLAT.replace(io_dtype="f16", **sizes, **seen)
    tensors = CASES["one_token"].tensors(spec, 0)
    known = known_case("one_token", spec, tensors)
    emulated = load_artifact(artifact_of(spec, [spec], "gfx1100"), "emulator")
    outputs = emulated.outputs(**tensors)
    assert np.abs(outputs[0]).max() < np.finfo(np.float16).smallest_normal
    assert strain(known.worst(outputs)) < 1
    outputs[0][...] += np.float16(1e-5)
    assert strain(known.worst(outputs)) > 1


def without_delta(spec, tensors, share):
    """Gradients with a share of what the output takes from them left out: a wrong delta."""
    return reference(spec, {**tensors, "output": tensors["output"] * (1 - share)})


# In the others some rows do not see a delta, or too little cancels for 1% of it to be wrong.
OTHERS = {"rows that see nothing", "large logits", "wide heads", "a flat cap", "a flat cap in bf16"}
WITH_DELTA = sorted(SPECS.keys() - OTHERS)


@pytest.mark.parametrize("name", WITH_DELTA)
def test_what_is_wrong_where_terms_cancel_is_found(name):
    spec = SPECS[name]
    tensors = random_tensors(spec)
    known = known_case("normal", spec, tensors)
    assert strain(known.worst(known.expected)) == 0
    strains = [strain(known.worst(without_delta(spec, tensors, n))) for n in (1.0, 0.01)]
    assert strains[0] > 50 * strains[1]
    assert strains[1] > 5, strains


def test_the_scale_is_the_gradient_s_own_where_nothing_cancels():
    """An error that is found without a scale is found with one."""
    for element in ("f32", "f16", "bf16"):
        spec = SPEC.replace(io_dtype=element, bias="hqk", sinks=True)
        known = known_case("uniform", spec, CASES["uniform"].tensors(spec))
        for tensor, expected, scale in zip(
            known.outputs, known.expected, known.scales, strict=True
        ):
            assert np.linalg.norm(scale) < 1.5 * np.linalg.norm(expected), (element, tensor.name)


def test_a_scale_that_is_no_number_hides_nothing():
    spec = ONE_KEY.replace(q_len=2)
    tensors = random_tensors(spec)
    tensors["value"][...] = np.inf
    with np.errstate(invalid="ignore"):
        known = known_case("infinite", spec, tensors)
    right = [np.zeros(tensor.shape) for tensor in spec.outputs]
    assert not strain(known.worst(right)) <= 1


@pytest.mark.parametrize("name", ["one key of f16", "bias of heads and queries"])
def test_certificates_hold_where_terms_cancel(name):
    made = artifact(name)
    kernel = load_artifact(made, "cpu")

    def claim(share):
        def run(tensors, **_):
            outputs = kernel.outputs(**{**tensors, "output": tensors["output"] * (1 - share)})
            outputs = tuple(np.asarray(one) for one in outputs)
            return CallOutcome(outputs, tuple(np.ones(one.shape, bool) for one in outputs))

        execution = SimpleNamespace(run=run, lost=0.0, how="on this CPU", cut=())
        return numbers(Evidence(execution, made.spec, 0))

    assert claim(0).status == "proved", claim(0).why
    assert claim(np.float16(0.01)).status == "refuted"


def test_a_tool_s_threshold_knows_the_scale():
    spec = ONE_KEY.replace(q_len=1)
    call = tool_call(spec)
    assert max(np.abs(one).max() for one in call.expected[:2]) < 1e-9
    (allowed,) = thresholds(call).values()
    assert allowed >= max(1e-5 * one.max() for one in call.known.scales)


def test_weights_that_f32_takes_for_0_are_in_the_bound():
    """Each row's share of a bias's gradient may be lost, and is as large as its values make it."""
    spec = SPEC.replace(batch=1, bias="hk", num_q_heads=1, num_kv_heads=1)
    tensors = random_tensors(spec)
    tensors["bias"][...] = 0
    tensors["bias"][..., 7] = -91
    tensors["value"] *= np.float32(1e6)
    for name, one in zip(("output", "lse"), reference(spec.forward, tensors), strict=True):
        tensors[name] = one.astype(np.float32)
    expected = reference(spec, tensors)
    bounds = error_bounds(spec, tensors, expected, [np.ones(one.shape, bool) for one in expected])
    lost = np.abs(expected[3][..., 7])
    assert lost.max() > 1e-36
    assert (lost <= bounds[3][..., 7]).all()
