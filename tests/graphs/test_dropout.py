"""Dropout: which weights are kept, forward and backward, on CPUs and GPUs."""

import numpy as np
import pytest

import irattn
from irattn import AttentionBackwardSpec, AttentionSpec, PackedAttentionSpec, targets
from irattn.core.errors import RenderError, SpecError
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import CASES, cases_for, random_tensors
from irattn.lab.verification.accuracy import measured, strain
from irattn.reference import reference
from irattn.reference.expressions import evaluate
from irattn.reference.philox import kept_weights, philox
from irattn.rendering import GraphRequest, render
from irattn.runtime.kernel import Kernel
from irattn.specs.expressions import kept_by_dropout
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from support.joined import artifact_of

# Random123's known answers for ten rounds (kat_vectors): counters, keys, and what comes of them.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((2**32 - 1,) * 4, (2**32 - 1,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
SEED = np.array([20260101, -5, 7], np.int32)


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_the_reference_has_random123_s_words(counter, key, words):
    made = philox(np.array(counter, np.uint32), np.array(key, np.uint32))
    assert made.tolist() == list(words)


def test_kernels_compute_the_same_words():
    queries, keys = np.arange(90)[:, None], np.arange(130)
    kept = kept_weights(0.3, SEED, 6, queries, keys)
    names = {"batch": 1, "head": 2, "query": queries, "key": keys}
    found = evaluate(kept_by_dropout(0.3, 4), {"dropout_seed": SEED}, names)
    np.testing.assert_array_equal(found, kept)
    assert abs(kept.mean() - 0.7) < 0.02


PLAIN = AttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=37, kv_len=53, head_dim=64, io_dtype="f32",
    causal=True, dropout_p=0.25,
)  # fmt: skip
PACKED = PackedAttentionSpec(
    batch=3, num_q_heads=2, num_kv_heads=1, q_tokens=40, kv_tokens=50, head_dim=64,
    io_dtype="bf16", dropout_p=0.5,
)  # fmt: skip


def backward_of(spec, kind=AttentionBackwardSpec):
    names = set(kind.field_names()) & set(spec.field_names()) - {"return_lse"}
    return kind(**{name: getattr(spec, name) for name in names})


PACKED_BACKWARD = backward_of(PACKED, PackedAttentionBackwardSpec).replace(io_dtype="f32")


def assert_right(spec, outputs, tensors):
    for one, wanted, tensor in zip(outputs, reference(spec, tensors), spec.outputs, strict=True):
        assert strain(measured(np.asarray(one), wanted, tensor)) < 1, tensor.name


DROPS = [
    (PLAIN, "cpu"),
    (PLAIN.replace(q_len=1, return_lse=True, sinks=True), "cpu"),
    (PACKED, "cpu"),
    (backward_of(PLAIN), "cpu"),
    (PACKED_BACKWARD, "cpu"),
    (PLAIN.replace(io_dtype="f16", q_len=70), "gfx1100"),
    (PLAIN.replace(io_dtype="bf16", return_lse=True), "gfx942"),
    (PLAIN.replace(io_dtype="f16", q_len=1, return_lse=True), "gfx942"),
    (PLAIN.replace(io_dtype="f16", q_len=1, head_dim=40, kv_len=20), "gfx1201"),
    (PLAIN.replace(q_len=20, mask_mod=lambda b, h, q, k: (q + k) % 3 != 1), "gfx1100"),
    (PLAIN.replace(io_dtype="f16", head_dim=40, q_len=20), "gfx942"),
    (PACKED.replace(io_dtype="f32"), "gfx1201"),
    (PLAIN.replace(io_dtype="f16", q_len=3, num_q_heads=6), "gfx1100"),
    (backward_of(PLAIN).replace(io_dtype="f16", batch=1, num_q_heads=2), "gfx1201"),
    (backward_of(PLAIN).replace(head_dim=32, io_dtype="f16"), "gfx1100"),
]


@pytest.mark.parametrize(("spec", "target"), DROPS)
def test_weights_are_dropped(spec, target):
    tensors = random_tensors(spec)
    # What is for one target is compiled together.
    artifact = artifact_of(spec, [one for one, chip in DROPS if chip == target], target)
    is_cpu = target == "cpu"
    kernel = irattn.load(artifact) if is_cpu else Kernel(EmulatedSession(artifact, "emulator"))
    outputs = kernel.outputs(**tensors)
    assert_right(spec, outputs, tensors)
    # Other weights are dropped by another seed.
    others = reference(spec, {**tensors, "dropout_seed": SEED})
    assert strain(measured(np.asarray(outputs[0]), others[0], spec.outputs[0])) > 1
    if spec.io_dtype == "f16" and spec.op == "attention":
        # Of some rows all heavy weights are dropped: f16 has few digits of the light ones.
        tensors = CASES["large_logits"].tensors(spec)
        assert_right(spec, kernel.outputs(**tensors), tensors)


def test_the_gradient_by_finite_differences():
    spec = backward_of(PLAIN).replace(batch=1, q_len=7, kv_len=9, head_dim=4)
    tensors = {
        name: one if one.dtype.kind == "i" else one.astype(np.float64)
        for name, one in random_tensors(spec).items()
    }
    tensors["output"], tensors["lse"] = reference(spec.forward, tensors)
    rng = np.random.default_rng(1)
    for name, gradient in zip(("query", "key", "value"), reference(spec, tensors), strict=True):
        way = rng.standard_normal(gradient.shape)
        ahead, behind = (
            (reference(spec.forward, {**tensors, name: tensors[name] + step})[0]
             * tensors["output_gradient"]).sum()
            for step in (1e-5 * way, -1e-5 * way)
        )  # fmt: skip
        assert abs((ahead - behind) / 2e-5 - (gradient * way).sum()) < 1e-6, name


@pytest.mark.parametrize(
    ("spec", "target"),
    [
        (PLAIN.replace(io_dtype="f16", head_dim=512), "gfx1100"),
    ],
)
def test_no_kernel_leaves_dropout_out_in_silence(spec, target):
    with pytest.raises(RenderError, match="fused attention expected values of at most 256 columns"):
        render(GraphRequest(spec, targets.get(target)))


def test_what_is_refused():
    assert PLAIN.replace(dropout_p=0.0).dropout_p is None
    assert "dropout_p" not in PLAIN.replace(dropout_p=None).to_dict()
    with pytest.raises(SpecError, match="dropout_p: expected a number from 0 to"):
        PLAIN.replace(dropout_p=1)
    with pytest.raises(SpecError, match="dropout_p: paged_attention drops nothing; leave it out"):
        irattn.PagedAttentionSpec(
            num_q_heads=4, num_kv_heads=4, head_dim=64, num_blocks=4, max_blocks=2, q_len=1,
            dropout_p=0.1,
        )  # fmt: skip


def test_the_function_drops_by_a_seed():
    spec = PLAIN.replace(causal=False)
    tensors = random_tensors(spec)
    given = [tensors[name] for name in ("query", "key", "value")]
    output = irattn.attention(*given, enable_gqa=True, dropout_p=0.25, dropout_seed=SEED)
    (wanted,) = reference(spec, {**tensors, "dropout_seed": SEED})
    np.testing.assert_allclose(output, wanted, atol=1e-5)


def test_values_near_the_largest_are_no_case():
    """Weights that are kept are larger: of 60,000 they make more than f16 holds."""
    spec = AttentionSpec(num_q_heads=1, num_kv_heads=1, q_len=1, kv_len=5, head_dim=64)
    names = {dropped: {case.name for case in cases_for(spec.replace(dropout_p=dropped))}
             for dropped in (None, 0.5)}  # fmt: skip
    assert names[None] - names[0.5] == {"large_values"}
