"""Other experts that a router may choose, where the numbers it chooses by are nearly equal."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, islice, permutations
from typing import TypeAlias

import numpy as np

from irattn.core.dtypes import dtype
from irattn.reference import reference
from irattn.reference.mixture_of_experts import Routing, Tensors, best_experts, chosen_by
from irattn.specs import Spec
from irattn.specs.experts import SPARSE_MIXER, Experts

# Twice the unit roundoff, as sums of matrix instructions may be cut off.
_UNIT = float(np.finfo(np.float32).eps)
# The units that a sigmoid or a softmax rounds, and the sum of two that is a group's score.
_FEW = 10
# The choices that are looked at for one token.
_MOST = 16

Choice: TypeAlias = tuple[int, ...]


def has_experts(spec: Spec) -> bool:
    """Whether a router chooses in it."""
    return isinstance(spec, Experts) or getattr(spec, "experts", None) is not None


def nearest_choice(
    spec: Spec, tensors: Tensors, expected: np.ndarray, output: np.ndarray
) -> np.ndarray:
    """The expected output, of each token with that choice of experts of which the output is.

    A choice between numbers that rounding may put in either order is no error, though all of the
    token's output changes with it. Nothing else is allowed: the output is then compared with what
    the other experts make.
    """
    choices: list[list[Choice]] = []

    def noted(routing: Routing) -> np.ndarray:
        choices.extend(_choices(routing, spec))
        return best_experts(routing)

    with chosen_by(noted):
        reference(spec, tensors)
    of_token = (len(choices), -1)
    nearest, actual = expected.reshape(of_token).copy(), output.reshape(of_token)
    for number in range(max(map(len, choices), default=0)):
        other = _reference_of(spec, tensors, [one[number : number + 1] for one in choices])
        other = other.reshape(of_token)
        is_nearer = _distance(actual, other) < _distance(actual, nearest)
        nearest[is_nearer] = other[is_nearer]
    return nearest.reshape(expected.shape)


def _reference_of(spec: Spec, tensors: Tensors, choices: list[list[Choice]]) -> np.ndarray:
    """The output with the experts that are given for some tokens, each at most one choice."""

    def choose(routing: Routing) -> np.ndarray:
        experts = best_experts(routing)
        for token, given in enumerate(choices):
            experts[token] = given[0] if given else experts[token]
        return experts

    with chosen_by(choose):
        return reference(spec, tensors)[0]


def _distance(actual: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """How far each row is from what is expected; what is no number is nearest to nothing."""
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.linalg.norm(actual.astype(np.float64) - expected, axis=-1)
    return np.where(np.isnan(distance), np.inf, distance)


def _choices(routing: Routing, spec: Spec) -> Iterator[list[Choice]]:
    """For each token, the choices that rounding may make; none where there is but one."""
    low, high = _between(routing, _off(routing, spec))
    for ends in zip(low, high, strict=True):
        found = list(islice(_possible(routing.spec, *ends), _MOST + 1))
        yield found[:_MOST] if len(found) > 1 else []


def _off(routing: Routing, spec: Spec) -> np.ndarray:
    """By how much each logit may be off.

    A sum of n products is off by at most n units of their magnitudes (Higham 2002, 4.2). In a
    layer, what the router reads is a result itself, of which each element may be off by a
    tolerance: these are independent, so that what they add up to is the root of a sum of squares.
    """
    weight = np.abs(routing.tensors["router_weight"].astype(np.float64)).T
    tokens = np.abs(routing.tokens)
    off = (tokens.shape[-1] + 1) * _UNIT * (tokens @ weight)
    if spec.op == routing.spec.op:
        return np.asarray(off)
    own = dtype(routing.spec.io_dtype).tolerance
    return np.asarray(off + own * np.sqrt(tokens**2 @ weight**2))


def _between(routing: Routing, off: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the most that the numbers may be that experts are chosen by."""
    spec, wanted = routing.spec, routing.wanted
    few = _FEW * _UNIT * np.abs(wanted)
    if spec.is_chosen_by_logits:
        return wanted - off - few, wanted + off + few
    scores = routing.scores
    if spec.scores == "sigmoid":
        less, more = (replace(routing, logits=routing.logits + by).scores for by in (-off, off))
    else:
        # A share grows with its own logit, and with what the sum of all shrinks by.
        most = off + off.max(axis=-1, keepdims=True)
        less, more = scores * np.exp(-most), scores * np.exp(most)
    return wanted + (less - scores) - few, wanted + (more - scores) + few


def _possible(spec: Experts, low: np.ndarray, high: np.ndarray) -> Iterator[Choice]:
    """The experts that may be the best of one token, by what their numbers lie between."""
    if np.isnan(low).any() or np.isnan(high).any():
        return
    for experts in _allowed(spec, low, high):
        inside = list(experts)
        for best in _best(low[inside], high[inside], spec.experts_per_token):
            chosen = tuple(inside[n] for n in best)
            yield from _in_order(chosen, low, high) if spec.scores == SPARSE_MIXER else (chosen,)


def _allowed(spec: Experts, low: np.ndarray, high: np.ndarray) -> Iterator[Iterable[int]]:
    """The experts that may be chosen from: all, or those of groups that may be the best."""
    size = spec.group_size
    if spec.num_groups == 1:
        yield range(spec.num_experts)
        return
    of_groups = (np.sort(end.reshape(spec.num_groups, size), axis=-1) for end in (low, high))
    least, most = (one[:, -spec.scored_of_group :].sum(axis=-1) for one in of_groups)
    for groups in _best(least, most, spec.chosen_groups):
        yield [group * size + n for group in sorted(groups) for n in range(size)]


def _best(low: np.ndarray, high: np.ndarray, count: int) -> Iterator[Choice]:
    """The sets of `count` numbers that may be the best; of equal ones the first is better."""
    places = np.arange(len(low))
    is_first = (low[:, None] == high) & (places[:, None] < places)
    # Whether the number of each row is better for sure than that of each column.
    is_better = (low[:, None] > high) | is_first
    is_possible = is_better.sum(axis=0) < count
    is_sure = (~is_better).sum(axis=1) - 1 < count
    sure, maybe = np.flatnonzero(is_sure), np.flatnonzero(is_possible & ~is_sure)
    for others in combinations(maybe, count - len(sure)):
        chosen = np.array([*sure, *others], int)
        left_out = np.delete(places, chosen)
        if not is_better[np.ix_(left_out, chosen)].any():
            yield tuple(map(int, chosen))


def _in_order(chosen: Choice, low: np.ndarray, high: np.ndarray) -> Iterator[Choice]:
    """The orders in which experts may be chosen one after the other, which their weights tell."""
    for order in permutations(chosen):
        if all(high[one] >= low[other] for one, other in combinations(order, 2)):
            yield order
