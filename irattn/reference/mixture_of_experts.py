"""Experts that a router chooses for each token, in float64."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from irattn.reference.mlp import ACTIVATIONS
from irattn.reference.projections import linear, parameters_of
from irattn.reference.rounded_activations import multiplied
from irattn.specs.experts import CLAMPED_SWIGLU
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec

Tensors = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Routing:
    """The logits `[tokens, num_experts]` that a router makes of tokens `[tokens, hidden_size]`.

    `tensors` are those of the experts.
    """

    spec: MixtureOfExpertsSpec
    tokens: np.ndarray
    logits: np.ndarray
    tensors: Tensors

    @property
    def scores(self) -> np.ndarray:
        """The score of each expert, of which chosen ones get their weights."""
        return _sigmoid(self.logits) if self.spec.scores == "sigmoid" else _softmax(self.logits)

    @property
    def wanted(self) -> np.ndarray:
        """The numbers that experts are chosen by."""
        # In order logits are what scores are, and more exactly so.
        wanted = self.logits if self.spec.is_chosen_by_logits else self.scores
        if not self.spec.has_choice_bias:
            return wanted
        return np.asarray(wanted + self.tensors["choice_bias"].astype(np.float64))


# The experts of each token, best first: `[tokens, experts_per_token]`.
Choose: TypeAlias = Callable[[Routing], np.ndarray]


def best_experts(routing: Routing) -> np.ndarray:
    """The experts that are chosen: NaN is better than any number, of equals the first is best."""
    spec, wanted = routing.spec, routing.wanted
    if spec.num_groups > 1:
        wanted = np.where(_in_chosen_groups(spec, wanted), wanted, -np.inf)
    return _best(wanted, spec.experts_per_token)


_CHOOSE: ContextVar[Choose] = ContextVar("_CHOOSE", default=best_experts)


@contextmanager
def chosen_by(choose: Choose) -> Iterator[None]:
    """Within it, references of experts, and of layers that have some, choose otherwise."""
    token = _CHOOSE.set(choose)
    try:
        yield
    finally:
        _CHOOSE.reset(token)


def mixture_of_experts(spec: MixtureOfExpertsSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of MixtureOfExpertsSpec: token after token, expert after expert."""
    tokens = tensors["hidden"].reshape(-1, spec.hidden_size).astype(np.float64)
    routed = tensors["router_hidden"] if spec.has_router_input else tokens
    experts, weights = choose(spec, routed.reshape(tokens.shape).astype(np.float64), tensors)
    output = _shared(spec, tokens, tensors)
    for row, (token, ids, shares) in enumerate(zip(tokens, experts, weights, strict=True)):
        for expert, share in zip(ids, shares, strict=True):
            if spec.scales_input:
                output[row] += _expert(spec, share * token, expert, tensors)
            else:
                output[row] += share * _expert(spec, token, expert, tensors)
    return (output.reshape(tensors["hidden"].shape),)


def choose(
    spec: MixtureOfExpertsSpec, tokens: np.ndarray, tensors: Tensors
) -> tuple[np.ndarray, np.ndarray]:
    """The experts of each token and their weights: both `[tokens, experts_per_token]`."""
    logits = linear(tokens, parameters_of(tensors, "router"))
    routing = Routing(spec, tokens, logits, tensors)
    experts = _CHOOSE.get()(routing)
    weights = np.take_along_axis(routing.scores, experts, axis=1)
    if spec.jitter is not None:
        weights = _mixed(logits, experts, spec.jitter)
    elif spec.is_normalized:
        chosen = np.take_along_axis(logits, experts, axis=1)
        total = weights.sum(axis=1, keepdims=True)
        shares = weights / (total + spec.added_to_sum)
        weights = _softmax(chosen) if spec.scores == "softmax" else shares
    if spec.has_expert_scales:
        weights = weights * tensors["expert_scale"].astype(np.float64)[experts]
    return experts, weights * spec.routed_scale


def _mixed(logits: np.ndarray, experts: np.ndarray, jitter: float) -> np.ndarray:
    """The share of each choice in what is near to it, of what was not chosen before."""
    left, shares = logits.copy(), np.empty(experts.shape)
    for place, chosen in enumerate(experts.T):
        best = np.take_along_axis(logits, chosen[:, None], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            is_far = (best - logits) / np.maximum(np.abs(logits), best) > 2 * jitter
        shares[:, place] = 1 / np.exp(np.where(is_far, -np.inf, left) - best).sum(axis=1)
        np.put_along_axis(left, chosen[:, None], -np.inf, axis=1)
    return shares


def _in_chosen_groups(spec: MixtureOfExpertsSpec, wanted: np.ndarray) -> np.ndarray:
    groups = wanted.reshape(len(wanted), spec.num_groups, spec.group_size)
    best = np.take_along_axis(groups, _best(groups, spec.scored_of_group), axis=-1).sum(axis=-1)
    is_chosen = np.zeros(best.shape, np.bool_)
    np.put_along_axis(is_chosen, _best(best, spec.chosen_groups), True, axis=1)
    return np.repeat(is_chosen, spec.group_size, axis=1)


def _best(numbers: np.ndarray, count: int) -> np.ndarray:
    """Where the largest numbers of the last axis are, the largest first."""
    in_order = np.where(np.isnan(numbers), -np.inf, -numbers)
    # NaN comes before infinity.
    order = np.lexsort((in_order, ~np.isnan(numbers)), axis=-1)
    return order[..., :count]


def _expert(
    spec: MixtureOfExpertsSpec, token: np.ndarray, expert: int, tensors: Tensors
) -> np.ndarray:
    first = "up" if spec.is_plain else "gate_up"
    own = {name: tensors[name][expert] for name in tensors if name.startswith((first, "down"))}
    made = linear(multiplied(spec, token), parameters_of(own, first))
    return linear(multiplied(spec, _opened(spec, made)), parameters_of(own, "down"))


def _opened(spec: MixtureOfExpertsSpec, made: np.ndarray) -> np.ndarray:
    """The activation of what the first product made: of gates and ups, or of ups alone."""
    if not spec.is_plain:
        return _open(spec, *np.split(made, 2, axis=-1))
    activated: np.ndarray = ACTIVATIONS[spec.activation](made)
    return activated


def _open(spec: MixtureOfExpertsSpec, gate: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Ups through activated gates."""
    if spec.activation != CLAMPED_SWIGLU:
        opened: np.ndarray = ACTIVATIONS[spec.activation](gate) * up
        return opened
    gate = np.minimum(gate, spec.swiglu_limit)
    up = np.clip(up, -spec.swiglu_limit, spec.swiglu_limit)
    clamped: np.ndarray = gate * _sigmoid(spec.swiglu_alpha * gate) * (up + 1)
    return clamped


def _shared(spec: MixtureOfExpertsSpec, tokens: np.ndarray, tensors: Tensors) -> np.ndarray:
    """The output of the shared MLP; zeros where there is none."""
    if spec.shared_size is None:
        return np.zeros_like(tokens)
    first = "shared_up" if spec.is_plain else "shared_gate_up"
    given = linear(multiplied(spec.shared, tokens), parameters_of(tensors, first))
    opened = multiplied(spec.shared, _opened(spec, given))
    made = linear(opened, parameters_of(tensors, "shared_down"))
    if not spec.has_shared_gate:
        return made
    gates = _sigmoid(linear(tokens, parameters_of(tensors, "shared_gate")))
    return np.asarray(made * gates)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    shares: np.ndarray = 1 / (1 + np.exp(np.minimum(-x, 700)))
    return shares


def _softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: np.ndarray = powers / powers.sum(axis=-1, keepdims=True)
    return shares
