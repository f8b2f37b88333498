"""The gated delta rule: by hand, in other words, and what compiled code keeps of a state."""

import numpy as np
import pytest

import irattn
from irattn import GatedDeltaRuleSpec, targets
from irattn.binary.inspection import inspect_artifact
from irattn.core.errors import SpecError
from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.rendering.delta_rule_cpu import CpuDeltaRule
from irattn.runtime.kernel import Kernel
from support.emulated import failed_cases

SPEC = GatedDeltaRuleSpec(
    batch=3,
    num_k_heads=1,
    num_v_heads=2,
    q_len=7,
    key_dim=20,
    value_dim=24,
    io_dtype="f32",
    qk_l2_norm=True,
    ragged=True,
)
CHUNKS = SPEC.replace(
    num_k_heads=None, num_v_heads=1, q_len=40, key_dim=32, value_dim=16, io_dtype="f16"
)
PACKED_CHUNKS = CHUNKS.replace(
    ragged=False,
    packed=True,
    layout="NHD",
    num_k_heads=2,
    num_v_heads=4,
    q_len=90,
    io_dtype="bf16",
    qk_l2_norm=False,
    dynamic=("batch", "q_len"),
)
PACKED = SPEC.replace(ragged=False, packed=True, layout="NHD", gate="channel", q_len=14)
# Odd sizes, and keys that are not made short: without corrections nothing grows on its own.
UNCORRECTED = SPEC.replace(uncorrected=True, qk_l2_norm=False, value_dim=33)
UNCORRECTED_PACKED = PACKED.replace(uncorrected=True)


def test_the_reference_by_hand():
    spec = GatedDeltaRuleSpec(
        num_v_heads=1, q_len=2, key_dim=2, value_dim=1, scale=1.0, io_dtype="f32"
    )
    tensors = {
        "query": np.array([[[[1, 1], [1, 0]]]], np.float32),
        "key": np.array([[[[1, 0], [0, 1]]]], np.float32),
        "value": np.array([[[[6], [4]]]], np.float32),
        "g": np.log(np.array([[[0.5, 0.25]]], np.float32)),
        "beta": np.array([[[0.5, 1]]], np.float32),
        "initial_state": np.array([[[[4], [8]]]], np.float32),
    }
    # (4, 8) is halved, and half of 6 - 2 written: (4, 4). A quarter is kept, 4 - 1 written: (1, 4).
    output, state = reference(spec, tensors)
    np.testing.assert_allclose(output.ravel(), [8, 1], rtol=1e-7)
    np.testing.assert_allclose(state.ravel(), [1, 4], rtol=1e-7)


def test_a_state_that_is_not_corrected_by_hand():
    spec = GatedDeltaRuleSpec(
        num_v_heads=1, q_len=2, key_dim=2, value_dim=1, scale=1.0, io_dtype="f32", uncorrected=True
    )
    tensors = {
        "query": np.array([[[[1, 1], [1, 0]]]], np.float32),
        "key": np.array([[[[1, 0], [2, 1]]]], np.float32),
        "value": np.array([[[[6], [4]]]], np.float32),
        "g": np.log(np.array([[[0.5, 0.25]]], np.float32)),
        "beta": np.array([[[0.5, 1]]], np.float32),
        "initial_state": np.array([[[[4], [8]]]], np.float32),
    }
    # (4, 8) is halved, and half of 6 added: (5, 4). A quarter is kept, (8, 4) added: (9.25, 5).
    output, state = reference(spec, tensors)
    np.testing.assert_allclose(output.ravel(), [9, 9.25], rtol=1e-7)
    np.testing.assert_allclose(state.ravel(), [9.25, 5], rtol=1e-7)


def test_no_key_moves_of_a_state_that_is_corrected():
    """The field came late, so that what was compiled before is found."""
    assert "uncorrected" not in SPEC.to_json()
    assert UNCORRECTED.to_dict()["uncorrected"] is True


def test_a_state_that_is_not_corrected_is_attention_without_a_softmax():
    """All tokens at once: weights of queries and keys before them, times what is kept between."""
    spec = UNCORRECTED.replace(batch=1, num_k_heads=None, num_v_heads=1, ragged=False)
    tensors = {**random_tensors(spec)}
    tensors["g"] = np.minimum(np.maximum(tensors["g"], -3), 0)
    query, key, value, g, beta, state = (
        tensors[tensor.name][0, 0].astype(np.float64) for tensor in spec.inputs
    )
    kept = np.exp(np.cumsum(g))[:, None]
    weights = np.tril(query @ key.T * kept / kept.T)
    output, final = reference(spec, tensors)
    read = kept * (query @ state) + weights @ (beta[:, None] * value)
    left = kept[-1] * state + (key * kept[-1] / kept).T @ (beta[:, None] * value)
    np.testing.assert_allclose(output[0, 0], read * spec.query_scale, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(final[0, 0], left, rtol=1e-9, atol=1e-12)


def test_the_chunked_form_says_the_same():
    """The WY form of a whole sequence, as Yang et al. 2024 write it in section 3.3."""
    spec = SPEC.replace(batch=1, num_k_heads=None, num_v_heads=1, ragged=False, qk_l2_norm=False)
    tensors = {**random_tensors(spec)}
    tensors["g"] = np.minimum(np.maximum(tensors["g"], -3), 0)
    query, key, value, g, beta, state = (
        tensors[tensor.name][0, 0].astype(np.float64) for tensor in spec.inputs
    )
    total = np.cumsum(g)
    decay = np.tril(np.exp(total[:, None] - total))
    written = np.linalg.solve(
        np.eye(len(g)) + np.tril(beta[:, None] * (key @ key.T) * decay, -1),
        beta[:, None] * (value - np.exp(total)[:, None] * (key @ state)),
    )
    read = np.exp(total)[:, None] * (query @ state) + ((query @ key.T) * decay) @ written
    left = np.exp(total[-1]) * state + (key * decay[-1][:, None]).T @ written
    output, final = reference(spec, tensors)
    np.testing.assert_allclose(output[0, 0], read * spec.query_scale, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(final[0, 0], left, rtol=1e-9, atol=1e-12)


ON_CPUS = {
    "ragged": SPEC,
    "packed": PACKED,
    "uncorrected": UNCORRECTED,
    "uncorrected packed": UNCORRECTED_PACKED,
}


@pytest.fixture(scope="module")
def kernels():
    return {spec: irattn.load(irattn.compile(spec, target="cpu")) for spec in ON_CPUS.values()}


@pytest.mark.parametrize("spec", ON_CPUS.values(), ids=ON_CPUS)
def test_what_is_not_real_changes_nothing_and_gives_zeros(kernels, spec):
    tensors = random_tensors(spec)
    lengths = "cu_seqlens_q" if spec.packed else "q_lens"
    tensors[lengths] = np.array([0, 5, 5, 11] if spec.packed else [5, 0, 6], np.int32)
    expected = reference(spec, tensors)
    real = np.zeros((3, 7), bool)
    for row, count in zip(real, (5, 0, 6), strict=True):
        row[:count] = True
    beyond = np.arange(14) >= 11 if spec.packed else ~real
    for name in ("query", "key", "value", "g", "beta"):
        by_token = tensors[name] if spec.packed else tensors[name].swapaxes(1, 2)
        by_token[beyond] = np.nan
    output, state = kernels[spec](*tensors.values())
    for one, wanted in zip((output, state), expected, strict=True):
        np.testing.assert_allclose(one, wanted, rtol=1e-4, atol=1e-5)
    tokens = output if spec.packed else output.swapaxes(1, 2)
    np.testing.assert_array_equal(tokens[beyond], 0)
    np.testing.assert_array_equal(state[1], tensors["initial_state"][1])


@pytest.mark.parametrize("spec", [SPEC, UNCORRECTED], ids=["corrected", "uncorrected"])
def test_tokens_one_by_one_are_tokens_together(kernels, spec):
    """A state goes on where the call before left it."""
    tensors = random_tensors(spec)
    tensors["q_lens"][...] = 7
    together, final = kernels[spec](*tensors.values())
    state, tokens = tensors["initial_state"], ("query", "key", "value", "g", "beta")
    for token in range(7):
        one = {n: np.roll(tensors[n], -token, axis=2) for n in tokens}
        call = {**tensors, **one, "initial_state": state, "q_lens": np.ones(3, np.int32)}
        output, state = kernels[spec](*call.values())
        np.testing.assert_allclose(output[:, :, 0], together[:, :, token], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(state, final, rtol=1e-4, atol=1e-5)


def test_a_step_reads_longer_runs_of_its_state():
    """A turn of many tokens has as many sums of a run half as long."""
    prompt = SPEC.replace(q_len=64, value_dim=128)
    columns = [
        CpuDeltaRule(spec, targets.get("x86-64-v4")).columns
        for spec in (prompt, prompt.replace(q_len=1))
    ]
    assert columns == [32, 64]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"num_k_heads": 3}, r"num_k_heads: expected a divisor of num_v_heads = 2, got 3"),
        ({"gate": "row"}, r"gate: expected head or channel, got 'row'"),
        ({"packed": True, "ragged": False}, r"layout: packed tokens lie before heads, NHD, got"),
        ({"key_dim": 300}, r"key_dim: expected at most 256, got 300"),
        ({"uncorrected": 1}, r"uncorrected: expected true or false, got 1"),
    ],
)
def test_specs_that_are_none(fields, error):
    with pytest.raises(SpecError, match=error):
        SPEC.replace(**fields)


def test_the_bound_follows_the_roundings_of_a_chunk():
    """One token by hand: its key reads a rounded state, and what is new is rounded."""
    spec = GatedDeltaRuleSpec(num_v_heads=1, q_len=1, key_dim=2, value_dim=1, scale=1.0)
    _, state = bounds_of_a_token(spec)
    # The state's length is 5; 2 - 5 is new, and written; between them 1 is rounded.
    np.testing.assert_allclose(state, 2.0**-11 * (5 + 3 + 3 + 3), rtol=0.01)
    # Without a correction 2 is written, which is all that is rounded; the query reads 5 besides,
    # and its weight is 0.6.
    output, state = bounds_of_a_token(spec.replace(uncorrected=True))
    np.testing.assert_allclose(state, 2.0**-11 * 2, rtol=0.05)
    np.testing.assert_allclose(output, 2.0**-11 * (2 + 5 + 2 * 0.6 * 2 + 4.2), rtol=0.05)


def bounds_of_a_token(spec):
    """Bounds of the errors of one token's output and state; the output is stored in f16."""
    one = np.ones((1, 1, 1), np.float16)
    tensors = {
        "query": np.array([[[[1, 0]]]], np.float16),
        "key": np.array([[[[0.6, 0.8]]]], np.float16),
        "value": 2 * one[..., None],
        "g": np.zeros((1, 1, 1), np.float32),
        "beta": one,
        "initial_state": np.array([[[[3], [4]]]], np.float32),
    }
    expected = reference(spec, tensors)
    wanted = [np.ones(array.shape, bool) for array in expected]
    return error_bounds(spec, tensors, expected, wanted)


CHUNKED = {
    "ragged": (CHUNKS, "gfx1100"),
    "packed": (PACKED_CHUNKS, "gfx942"),
    "uncorrected": (CHUNKS.replace(uncorrected=True), "gfx942"),
    "uncorrected packed": (PACKED_CHUNKS.replace(uncorrected=True), "gfx1100"),
}
BY_TOKEN = {
    "ragged": (SPEC, "gfx1100"),
    "packed": (PACKED, "gfx942"),
    "uncorrected": (UNCORRECTED, "gfx942"),
    "uncorrected packed": (UNCORRECTED_PACKED, "gfx1100"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "target"), BY_TOKEN.values(), ids=BY_TOKEN)
def test_amd_code(spec, target):
    assert failed_cases(irattn.compile(spec, target=target)) == []


@pytest.mark.parametrize(("spec", "target"), BY_TOKEN.values(), ids=BY_TOKEN)
def test_heads_of_any_length_know_no_states_of_others(spec, target):
    """The lanes have more rows than a head of 20: the next one's are not its own."""
    run = Kernel(EmulatedSession(irattn.compile(spec, target=target), "emulator")).outputs
    tensors = random_tensors(spec)
    _, expected = run(**tensors)
    others = tensors["initial_state"].copy()
    others[:, 1:] = np.nan
    output, state = run(**{**tensors, "initial_state": others})
    np.testing.assert_array_equal(state[:, 0], expected[:, 0])
    assert np.isfinite(output.take(0, 1)).all()


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "target"), CHUNKED.values(), ids=CHUNKED)
def test_chunks_of_a_sequence_know_nothing_of_others(spec, target):
    """Each as alone, and within its bound; what is not real is NaN."""
    run = Kernel(EmulatedSession(irattn.compile(spec, target=target), "emulator")).outputs
    tensors = random_tensors(spec)
    if spec.qk_l2_norm:
        # What brings them back to 1 is less than the smallest normal f16.
        tensors["key"] *= np.float16(8192)
    counts = (33, 0, 17) if spec.packed else (40, 0, 17)
    bounds = np.cumsum([0, *counts]).astype(np.int32)
    lengths = {"cu_seqlens_q": bounds} if spec.packed else {"q_lens": np.diff(bounds)}
    tensors |= lengths
    expected = reference(spec, tensors)
    wanted = [np.ones(array.shape, bool) for array in expected]
    errors = error_bounds(spec, tensors, expected, wanted)
    places = [
        (slice(*bounds[row : row + 2]),) if spec.packed else (row, slice(None), slice(count))
        for row, count in enumerate(counts)
    ]
    together = None
    for alone in (None, 0, 2):
        call = {name: tensor.copy() for name, tensor in tensors.items()}
        for name in ("query", "key", "value", "g", "beta"):
            real = np.zeros(call[name].shape, bool)
            for row, place in enumerate(places):
                if alone in (None, row):
                    real[place] = True
            call[name][~real] = np.nan
        output, state = run(**call)
        if alone is None:
            together = output, state
            for one, exact, error in zip(together, expected, errors, strict=True):
                assert (np.abs(one.astype(np.float64) - exact) <= error).all()
            np.testing.assert_array_equal(state[1], tensors["initial_state"][1])
        else:
            np.testing.assert_array_equal(output[places[alone]], together[0][places[alone]])
            np.testing.assert_array_equal(state[alone], together[1][alone])


# Two heads of values with the same keys.
TWO_HEADS = GatedDeltaRuleSpec(
    num_k_heads=1, num_v_heads=2, q_len=200, key_dim=128, value_dim=128, qk_l2_norm=True
)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize(("uncorrected", "more"), [(False, 1 / 8), (True, 3 / 32)])
def test_chunks_are_products_of_matrices(target, uncorrected, more):
    """Of two heads of 128 with the same keys a chunk costs 1/8 more than the recurrence.

    Where nothing is corrected keys are multiplied neither with keys nor with the state, and there
    is no solution: 140 instructions, of which 128 are the recurrence's.
    """
    spec = TWO_HEADS.replace(q_len=128, io_dtype="bf16", uncorrected=uncorrected)
    artifact = irattn.compile(spec, target=target)
    for kernel in inspect_artifact(artifact).module.kernels:
        assert kernel.vgpr_spills == kernel.sgpr_spills == kernel.scratch_bytes == 0
    session = EmulatedSession(artifact, "emulator", measure=True)
    Kernel(session).outputs(**random_tensors(spec))
    executed = sum(counts.matrix_flops for counts in session.counts)
    assert executed / spec.flops == pytest.approx(1 + more)


@pytest.mark.slow
def test_chunks_of_cut_sequences_spill_nothing():
    """Where the most is in registers: f16, whose columns are brought near 1, with a last chunk."""
    kernels = inspect_artifact(irattn.compile(TWO_HEADS, target="gfx1201")).module.kernels
    assert [kernel.vgpr_spills for kernel in kernels] == [0, 0]
