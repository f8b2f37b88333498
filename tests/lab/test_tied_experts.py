"""Experts of which two are nearly as good: either choice is right, and nothing else is."""

import numpy as np
import pytest

from irattn import DecoderLayerSpec, MixtureOfExpertsSpec, PagedAttentionSpec
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import known_case, strain
from irattn.reference import reference
from irattn.reference.mixture_of_experts import best_experts, chosen_by
from irattn.specs.experts import Experts

SPEC = MixtureOfExpertsSpec(
    q_len=5, hidden_size=64, intermediate_size=24, num_experts=8, experts_per_token=2
)
SPECS = {
    "softmax": SPEC,
    "sigmoid, with a bias": SPEC.replace(scores="sigmoid", has_choice_bias=True),
    "softmax, with a bias": SPEC.replace(has_choice_bias=True),
    "sparse mixer": SPEC.replace(scores="sparse_mixer", jitter=0.5),
    "one of a layer": DecoderLayerSpec(
        attention=PagedAttentionSpec(
            num_q_heads=2, num_kv_heads=1, q_len=5, head_dim=16, num_blocks=4, max_blocks=2
        ),
        hidden_size=64, max_positions=64,
        experts=Experts(num_experts=8, experts_per_token=2, intermediate_size=24),
    ),
}  # fmt: skip


def routing_of(spec, tensors):
    seen = []

    def choose(routing):
        seen.append(routing)
        return best_experts(routing)

    with chosen_by(choose):
        reference(spec, tensors)
    return seen[0]


def tied(spec, gap):
    """Inputs of which token 2 has two experts that are a gap apart, at the end of what is chosen.

    The logit of the first that is left out is put next to that of the last that is chosen.
    """
    tensors = random_tensors(spec)
    tensors = {n: x.astype(np.float64) if x.dtype.kind == "f" else x for n, x in tensors.items()}
    if "choice_bias" in tensors:
        tensors["choice_bias"][...] = 0
    routing = routing_of(spec, tensors)
    token = routing.tokens[2]
    last, left = np.argsort(-routing.wanted[2])[1:3]
    weight = tensors["router_weight"]
    change = routing.logits[2][last] - gap - routing.logits[2][left]
    weight[left] += change * token / (token @ token)
    return tensors


def swapped(spec, tensors, token=2):
    """The outputs with the next best expert in the place of the last that is chosen."""

    def choose(routing):
        experts = best_experts(routing)
        wanted = routing.wanted[token].copy()
        wanted[experts[token]] = -np.inf
        experts[token, -1] = np.argmax(wanted)
        return experts

    with chosen_by(choose):
        return reference(spec, tensors)


@pytest.mark.parametrize("name", SPECS)
def test_either_choice_is_right_where_rounding_decides(name):
    spec = SPECS[name]
    tensors = tied(spec, 1e-6)
    other = swapped(spec, tensors)
    known = known_case("tied", spec, tensors)
    assert np.abs(other[0] - known.expected[0]).max() > 0.1 * np.abs(known.expected[0]).max()
    assert strain(known.worst(other)) < 1e-6
    assert strain(known.worst(known.expected)) == 0


@pytest.mark.parametrize("name", SPECS)
def test_a_choice_that_rounding_does_not_make_is_wrong(name):
    spec = SPECS[name]
    tensors = tied(spec, 0.5)
    known = known_case("apart", spec, tensors)
    assert strain(known.worst(swapped(spec, tensors))) > 1


def test_a_tied_token_does_not_excuse_its_output():
    tensors = tied(SPEC, 1e-6)
    known = known_case("tied", SPEC, tensors)
    other = swapped(SPEC, tensors)[0]
    other[0, 2] *= 1.5
    assert strain(known.worst([other])) > 1


def test_a_tie_of_one_token_does_not_excuse_another():
    tensors = tied(SPEC, 1e-6)
    known = known_case("tied", SPEC, tensors)
    assert strain(known.worst(swapped(SPEC, tensors, token=3))) > 1


def test_the_choice_of_a_group_may_be_tied():
    spec = SPEC.replace(
        q_len=1, num_experts=8, num_groups=2, chosen_groups=1, experts_per_token=1, scores="sigmoid"
    )
    tensors = {name: one.astype(np.float64) for name, one in random_tensors(spec).items()}
    # Both groups have the same scores, but for what rounding may change.
    tensors["router_weight"][4:] = tensors["router_weight"][:4] * (1 - 1e-9)
    known = known_case("tied", spec, tensors)
    with chosen_by(lambda routing: (best_experts(routing) + 4) % 8):
        other = reference(spec, tensors)
    assert np.abs(other[0] - known.expected[0]).max() > 0.1
    assert strain(known.worst(other)) < 1e-3
    with chosen_by(lambda routing: (best_experts(routing) + 1) % 4):
        wrong = reference(spec, tensors)
    assert strain(known.worst(wrong)) > 1
