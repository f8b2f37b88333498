"""The selective scan: by hand, in other words, and what compiled code keeps of a state."""

import numpy as np
import pytest

import irattn
from irattn import SelectiveScanSpec
from irattn.binary.inspection import inspect_artifact
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import spec_from_dict
from support.emulated import failed_cases
from support.joined import Graph, joined_graphs

SCAN = SelectiveScanSpec(
    batch=3, q_tokens=14, channels=37, state_size=5, io_dtype="f32", dynamic=("q_tokens",)
)
SCANS = joined_graphs(
    [
        Graph(SCAN),
        Graph(SCAN.replace(channels=64, state_size=16, dynamic=(), io_dtype="f16")),
        Graph(SCAN.replace(batch=1, channels=1, state_size=1, q_tokens=1, dynamic=())),
        Graph(SCAN.replace(state_size=32, q_tokens=40, io_dtype="bf16")),
    ]
)


def test_the_reference_by_hand():
    spec = SCAN.replace(batch=1, q_tokens=2, channels=1, state_size=2, dynamic=())
    tensors = {
        "x": [[2], [4]],
        # softplus(0) is log(2), which halves a state that forgets by e to it.
        "steps": [[1], [1]],
        "key": [[1, 0], [0, 1 / np.log(2)]],
        "query": [[0, 1], [1, 2]],
        "gate": [[0], [50]],
        "decay_log": [[0], [np.log(2)]],
        "time_bias": [-1],
        "skip_weight": [3],
        "initial_state": [[[8], [16]]],
    }
    tensors = {name: np.array(array, np.float64) for name, array in tensors.items()}
    tensors["cu_seqlens_q"] = np.array([0, 2], np.int32)
    # (8, 16) becomes (4 + 2 log(2), 4), and then (2 + log(2), 1 + 4): a gate of 0 lets nothing out.
    output, state = reference(spec, tensors)
    half = np.log(2)
    np.testing.assert_allclose(state.ravel(), [2 + half, 5], rtol=1e-12)
    np.testing.assert_allclose(output.ravel(), [0, 50 * (2 + half + 10 + 12)], rtol=1e-12)


def test_all_tokens_at_once_say_the_same():
    """Weights of queries and keys of a channel, times what is kept between their tokens."""
    spec = SCAN.replace(batch=1, dynamic=())
    tensors = {**random_tensors(spec)}
    tensors["decay_log"] = np.minimum(tensors["decay_log"], 0)
    tensors["cu_seqlens_q"] = np.array([0, spec.q_tokens], np.int32)
    exact = {name: array.astype(np.float64) for name, array in tensors.items()}
    output, state = reference(spec, tensors)
    time = np.log1p(np.exp(exact["steps"] + exact["time_bias"]))
    for c in range(spec.channels):
        # Columns n, tokens t.
        logs = -np.exp(exact["decay_log"][:, c, None]) * np.cumsum(time[:, c])
        written = exact["key"].T * (time * exact["x"])[:, c]
        between = np.exp(logs[:, :, None] - logs[:, None, :]) * np.tri(spec.q_tokens)
        before = np.exp(logs) * exact["initial_state"][0, :, c, None]
        states = np.einsum("nts,ns->nt", between, written) + before
        read = np.sum(exact["query"].T * states, axis=0)
        gate = exact["gate"][:, c]
        around = read + exact["skip_weight"][c] * exact["x"][:, c]
        np.testing.assert_allclose(output[:, c], around * gate / (1 + np.exp(-gate)), rtol=1e-9)
        np.testing.assert_allclose(state[0, :, c], states[:, -1], rtol=1e-9, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("one", SCANS, ids=str)
def test_scans_meet_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


@pytest.mark.slow
def test_a_sequence_goes_on_where_its_state_is():
    """In two calls, in which another has no tokens once: what one call gives, by both."""
    tensors = random_tensors(SCAN)
    at_once = _parts(tensors, [(0, 6), (6, 7), (7, 14)])
    first, second = [(0, 4), (6, 6), (7, 9)], [(4, 6), (6, 7), (9, 14)]
    for run in (SCANS[0].load(), lambda **given: reference(SCAN, given)):
        expected, at_the_end = run(**at_once)
        begun, state = run(**_parts(tensors, first))
        np.testing.assert_array_equal(state[1], tensors["initial_state"][1])
        done, end = run(**_parts(tensors | {"initial_state": np.float32(state)}, second))
        together = np.concatenate([begun[:4], done[:2], done[2:3], begun[4:], done[3:]])
        np.testing.assert_allclose(together, expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(end, at_the_end, rtol=1e-4, atol=1e-5)


@pytest.mark.slow
def test_padding_is_in_no_state_and_gives_zeros():
    tensors = random_tensors(SCAN) | {"cu_seqlens_q": np.array([0, 5, 5, 9], np.int32)}
    output, state = SCANS[0].load()(**tensors)
    for name in ("x", "steps", "key", "query", "gate"):
        tensors[name][9:] = np.nan
    again, kept = SCANS[0].load()(**tensors)
    assert not output[9:].any()
    np.testing.assert_array_equal(again, output)
    np.testing.assert_array_equal(kept, state)


@pytest.mark.slow
def test_what_overflows_is_kept_or_forgotten_as_it_should_be():
    """Time steps of 0 keep a state, long ones forget all of it: no NaN is made of either."""
    tensors = random_tensors(SCAN) | {"cu_seqlens_q": np.array([0, 4, 8, 14], np.int32)}
    tensors["steps"][:4], tensors["steps"][4:8] = -1e4, 1e4
    tensors["gate"][::3] = -400
    tensors["decay_log"][0] = 30
    output, state = SCANS[0].load()(**tensors)
    expected, end = reference(SCAN, tensors)
    np.testing.assert_array_equal(state[0], tensors["initial_state"][0])
    np.testing.assert_allclose(state, end, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
@pytest.mark.parametrize(
    "spec", [SCAN, SCAN.replace(channels=64, state_size=16, io_dtype="f16", dynamic=())]
)
def test_amd_code_is_right(spec, target):
    assert not failed_cases(irattn.compile(spec, target=target))


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942", "gfx90a"])
def test_states_of_amd_code_are_in_registers(target):
    # Falcon Mamba's, and the longest.
    for size in (16, 32):
        spec = SCAN.replace(q_tokens=512, channels=8192, state_size=size, io_dtype="bf16")
        (kernel,) = inspect_artifact(irattn.compile(spec, target=target)).module.kernels
        assert (kernel.spills, kernel.scratch_bytes) == (0, 0), kernel


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"state_size": 33}, "state_size: expected at most 32, got 33"),
        ({"state_size": 0}, "state_size: expected a whole number of at least 1, got 0"),
        ({"channels": 0}, "channels: expected a whole number of at least 1, got 0"),
        ({"io_dtype": "f64"}, "io_dtype: expected"),
        ({"dynamic": ("batch",)}, "dynamic: selective_scan takes q_tokens, got 'batch'"),
    ],
)
def test_impossible_scans_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        SCAN.replace(**changes)


def test_a_scan_is_what_its_json_says():
    assert spec_from_dict(SCAN.to_dict()) == SCAN


def _parts(tensors, bounds):
    """A call with the tokens of some bounds, which are those of all sequences one by one."""
    rows = np.concatenate([np.arange(*ends) for ends in bounds])
    counts = [end - start for start, end in bounds]
    of_tokens = ("x", "steps", "key", "query", "gate")
    return {
        **tensors,
        **{name: tensors[name][rows] for name in of_tokens},
        "cu_seqlens_q": np.cumsum([0, *counts], dtype=np.int32),
    }
