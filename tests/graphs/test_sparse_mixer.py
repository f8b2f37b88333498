"""Experts whose weights are apart, Phi-3.5-MoE's: by hand, compiled, and on GPUs."""

import numpy as np
import pytest

from irattn import MixtureOfExpertsSpec
from irattn.core.errors import SpecError
from irattn.reference.mixture_of_experts import choose
from support.emulated import failed_cases
from support.joined import artifacts_of, together

pytestmark = pytest.mark.slow

MIXED = MixtureOfExpertsSpec(
    batch=3, q_len=7, hidden_size=32, intermediate_size=20, num_experts=8, experts_per_token=2,
    io_dtype="f32", scores="sparse_mixer", jitter=0.4,
)  # fmt: skip
ONE = MIXED.replace(batch=1, q_len=1)
MADE = [MIXED, ONE, MIXED.replace(experts_per_token=3, shared_size=12, has_router_bias=True)]
COMPILED = {one.graph.spec: one for one in together(MADE)}


def weights_of(logits, **changes):
    """The experts and their weights of a token with these logits."""
    count = len(logits)
    spec = ONE.replace(hidden_size=count, num_experts=count, **changes)
    found = choose(spec, np.array([logits], float), {"router_weight": np.eye(count)})
    return [one[0].tolist() for one in found]


def test_what_is_near_counts_beside_a_choice():
    """Relative to the larger of the best and another's size; without what was chosen before."""
    experts, weights = weights_of([1.0, 2.0, -1.0, 1.9], jitter=0.1)
    assert experts == [1, 3]
    assert weights == pytest.approx([1 / (1 + np.exp(-0.1)), 1.0])
    # 1 is 0.9 from 1.9, which is less than half of it, and -1 is 2.9, no more than thrice its own.
    _, weights = weights_of([1.0, 2.0, -1.0, 1.9], jitter=0.25)
    assert weights[1] == pytest.approx(1 / (1 + np.exp(-0.9)))
    _, weights = weights_of([1.0, 2.0, -10.0, -9.0], jitter=0.6)
    assert weights == pytest.approx(
        [1 / (1 + np.exp(-1)), 1 / (1 + np.exp(-10) + np.exp(-11))], abs=1e-4
    )


def test_without_jitter_each_choice_has_its_whole_weight():
    experts, weights = weights_of([3.0, 1.0, 2.0], jitter=0)
    assert (experts, weights) == ([0, 2], [1.0, 1.0])


def test_equal_logits_share():
    _, weights = weights_of([0.0, 0.0, 0.0], jitter=0)
    assert weights == pytest.approx([1 / 3, 1 / 2])


@pytest.mark.parametrize("spec", MADE, ids=str)
def test_compiled_mixers(spec):
    verdict = COMPILED[spec].verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_mixers_on_a_gpu(target):
    for artifact in artifacts_of(MADE[:2], target).values():
        assert not failed_cases(artifact)


def test_mixers_compile_for_nvidia():
    """With a choice and what is near to it in one kernel, the compiler found no memory for it."""
    specs = [*MADE, MIXED.replace(io_dtype="bf16", dynamic=("batch", "q_len"))]
    assert len(artifacts_of(specs, "sm_89")) == len(specs)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"jitter": None}, "jitter: missing; scores of sparse_mixer have it"),
        ({"jitter": -1}, "jitter: expected"),
        ({"scores": "softmax"}, "jitter: only scores of sparse_mixer have it; leave it out"),
        ({"num_groups": 2}, "num_groups: scores of sparse_mixer have no such thing"),
        ({"has_choice_bias": True}, "has_choice_bias: scores of sparse_mixer have no such thing"),
        ({"is_normalized": False}, "is_normalized: scores of sparse_mixer have no such thing"),
    ],
)
def test_impossible_mixers_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        MIXED.replace(**changes)


def test_keys_of_other_experts_know_nothing_of_jitter():
    plain = MIXED.replace(scores="softmax", jitter=None)
    assert "jitter" not in plain.to_dict()
    assert MIXED.to_dict()["jitter"] == 0.4
