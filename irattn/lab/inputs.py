"""Seeded inputs for a spec: random distributions and adversarial cases."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError
from irattn.core.numbers import whole
from irattn.core.tensors import Role, TensorType, largest
from irattn.lab.packed_inputs import packed_weight, weight_scale
from irattn.reference import reference
from irattn.runtime.costs import check_call
from irattn.specs import Spec
from irattn.specs.cache_elements import CACHE_DTYPES

Tensors = dict[str, np.ndarray]
ByRole = dict[Role, np.ndarray]
Sampler = Callable[[np.random.Generator, TensorType], np.ndarray]

_KEYS = {Role.KEY, Role.KEY_CACHE}
_VALUES = {Role.VALUE, Role.VALUE_CACHE}
_LENGTHS = {Role.QUERY_LENGTHS, Role.KEY_LENGTHS, Role.SHARED_LENGTHS}
_BOUNDS = {Role.QUERY_BOUNDS, Role.KEY_BOUNDS, Role.GROUP_BOUNDS}
# The blocks of sequences, and of what groups of them share, and what tells how many these are.
_TABLES = {Role.BLOCK_IDS: Role.KEY_LENGTHS, Role.SHARED_IDS: Role.SHARED_LENGTHS}
# Scales of quantised caches are about one part of so many.
_OF_SCALE = 32
# Beside logits of a million, f32 has no room for these.
_NEAR_ONE = {Role.BIAS, Role.SLOPES, Role.HIDDEN}


@dataclass(frozen=True)
class Case:
    """One way to fill the inputs of a spec: how floats are drawn, and how long contexts are."""

    name: str
    sample: Sampler
    context: str = "mixed"

    def tensors(self, spec: Spec, seed: int = 0) -> Tensors:
        """The inputs of `spec`; equal seeds give equal inputs. TooLargeError beyond memory."""
        check_call(spec)
        whole("seed", seed, least=0, error=ArgumentError)
        rng = np.random.default_rng(seed)
        # A layer's pages and positions are those of its attention.
        attention = getattr(spec, "attention", spec)
        tensors: Tensors = {}
        for tensor in spec.inputs:
            if tensor.role in _LENGTHS:
                values = _lengths(rng, tensor, self.context)
            elif tensor.role in _BOUNDS:
                values = _bounds(rng, tensor, self.context)
            elif tensor.role == Role.OFFSETS:
                values = _offsets(rng, attention, tensor)
            elif tensor.role in _TABLES:
                values = _block_table(rng, attention, tensor)
            elif tensor.dtype in CACHE_DTYPES:
                values = _quantised(rng, tensor, self.sample)
            else:
                values = _SAMPLERS.get(tensor.role, self.sample)(rng, tensor)
            tensors[tensor.name] = values.astype(dtype(tensor.dtype).numpy)
        by_role = {tensor.role: tensors[tensor.name] for tensor in spec.inputs}
        _forget_unused_blocks(attention, by_role)
        if {Role.BLOCK_IDS, Role.SLOTS} <= by_role.keys():
            by_role[Role.SLOTS][...] = slots_of_queries(attention, by_role)
        if Role.ATTENDED in by_role:
            _attend(spec, tensors, by_role)
        return tensors


def random_tensors(spec: Spec, seed: int = 0) -> Tensors:
    """Standard normal inputs with contexts of mixed lengths."""
    return CASES["normal"].tensors(spec, seed)


def cases_for(spec: Spec) -> list[Case]:
    """The cases that make sense for a spec."""
    roles = {tensor.role for tensor in spec.inputs}
    has_lengths = not roles.isdisjoint(_LENGTHS | _BOUNDS)
    is_gradient = Role.ATTENDED in roles
    left_out = {
        # The derivative of |score| jumps at 0, for which f32 takes a score that float64 does not.
        "subnormals": is_gradient and _has_score_mod(spec),
        "negative_logits": Role.LOGITS not in roles,
        # GPUs round keys of int4, times their scales, to the queries' type.
        "huge_scale": not roles.isdisjoint(_NEAR_ONE | {Role.ATTENDED})
        or _has_score_mod(spec)
        or any(tensor.dtype == "int4" for tensor in spec.inputs),
        # Values near the largest f16, of which queries, and gradients, would make more than it
        # holds.
        "large_values": is_gradient or getattr(spec, "outgrows_values", False),
    }
    return [
        case
        for case in CASES.values()
        if (has_lengths or case.context == "mixed") and not left_out.get(case.name)
    ]


def _has_score_mod(spec: Spec) -> bool:
    """Whether a function makes other scores, of which it may make anything."""
    return getattr(spec, "score_mod", None) is not None


def _normal(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.standard_normal(tensor.largest_shape, dtype=np.float32)


def _uniform(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.uniform(-1, 1, tensor.largest_shape).astype(np.float32)


def _negative_logits(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Numbers below 0, of which none is as large as the 0 that a maximum may begin with."""
    return -1 - rng.random(tensor.largest_shape, dtype=np.float32)


def _large_logits(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return _normal(rng, tensor) * np.float32(4 if tensor.role in {Role.QUERY, *_KEYS} else 1)


def _large_values(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Values near the largest f16, so that a sum before the division would overflow it."""
    return _uniform(rng, tensor) * np.float32(60000 if tensor.role in _VALUES else 1)


def _subnormals(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Half of the numbers below the smallest normal one of the storage type."""
    tiny = dtype(tensor.dtype).smallest_normal / 2
    values = _normal(rng, tensor)
    values[rng.random(tensor.largest_shape) < 0.5] *= np.float32(tiny)
    return values


def _equal_keys(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    values = _normal(rng, tensor)
    if tensor.role in _KEYS:
        values[...] = values[(0,) * (values.ndim - 1)]
    return values


def _one_token(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Token 0 of each sequence or block takes nearly all weight."""
    values = _normal(rng, tensor)
    if tensor.role == Role.QUERY:
        values = np.abs(values) + np.float32(1)
    elif tensor.role in _KEYS:
        values[..., 1:, :] = -20
        values[..., 0, :] = 20
    return values


def _huge_scale(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Logits beyond a million, where a softmax without a maximum overflows.

    Keys are whole multiples of one vector of signs, queries are plus or minus 64 times that vector:
    different keys then differ by far more than rounding at this scale, and equal keys are equal.
    """
    signs = np.where(np.arange(tensor.largest_shape[-1]) % 3 == 0, -1, 1)
    rows = tensor.largest_shape[:-1]
    if tensor.role == Role.QUERY:
        return (rng.choice([-64.0, 64.0], rows)[..., None] * signs).astype(np.float32)
    if tensor.role in _KEYS:
        return (rng.integers(-2048, 2049, rows)[..., None] * signs).astype(np.float32)
    return _normal(rng, tensor)


def _quantised(rng: np.random.Generator, tensor: TensorType, sample: Sampler) -> np.ndarray:
    """Numbers of a quantised cache, of which scales make what `sample` draws, or nearly that."""
    if tensor.dtype == "int4":
        return _pairs(rng, tensor, sample)
    most = dtype(tensor.dtype).largest
    numbers = sample(rng, replace(tensor, dtype="f32")) * np.float32(_OF_SCALE)
    return np.clip(np.rint(numbers) if tensor.dtype == "int8" else numbers, -most, most)


def _pairs(rng: np.random.Generator, tensor: TensorType, sample: Sampler) -> np.ndarray:
    """Bytes of two numbers of int4, with fewer values than scales are parts of."""
    shape = (*tensor.largest_shape[:-1], 2 * tensor.largest_shape[-1])
    numbers = 3 * sample(rng, replace(tensor, dtype="f32", shape=shape))
    numbers = np.clip(np.rint(numbers), -7, 7).astype(np.int32) + 8
    return np.asarray(numbers[..., ::2] + 16 * numbers[..., 1::2])


def _scales(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.uniform(0.5, 1.5, tensor.largest_shape) / _OF_SCALE


def _block_counts(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Kinds of blocks: in most rows few or none are seen."""
    columns = tensor.limits[1] if tensor.limits else 0
    partial = rng.integers(0, columns // 2 + 1, tensor.largest_shape[:-1])
    return np.stack([partial, rng.integers(0, columns - partial + 1) // 2], axis=-1)


def _block_columns(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """All blocks of each row, in any order."""
    columns = np.broadcast_to(np.arange(tensor.largest_shape[-1]), tensor.largest_shape)
    return rng.permuted(columns, axis=-1)


def _captured(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Arrays for functions of scores: bools, floats, or a few whole numbers as of documents."""
    if tensor.dtype == "bool":
        return rng.random(tensor.largest_shape) < 0.5
    if tensor.dtype == "i32":
        return np.sort(rng.integers(0, 4, tensor.largest_shape), axis=-1)
    return _normal(rng, tensor)


def _slopes(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.uniform(0.002, 1, tensor.largest_shape)


def _bias(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Some keys are hidden, as by the float masks of other libraries."""
    return np.where(rng.random(tensor.largest_shape) < 0.05, -np.inf, _normal(rng, tensor))


def _keep_mask(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Query 0 sees nothing, where the mask tells queries apart."""
    values = rng.random(tensor.largest_shape) < 0.8
    if tensor.largest_shape[-2] > 1:
        values[..., 0, :] = False
    return values


def _positions(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Any positions or tokens, the first and the last possible one among them."""
    least, most = tensor.limits or (0, 0)
    values = rng.integers(least, most + 1, tensor.largest_shape)
    values.flat[0], values.flat[-1] = least, most
    return values


def _slots(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Distinct slots, the first of the cache among them; some tokens are skipped."""
    last = tensor.limits[1] if tensor.limits else 0
    slots = np.full(tensor.largest_shape, -1)
    chosen = np.append(0, 1 + rng.permutation(last))[: slots.size]
    chosen[(rng.random(chosen.size) < 0.2) & (chosen > 0)] = -1
    slots.flat[: chosen.size] = rng.permutation(chosen)
    return slots


def _partial_lse(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Some states saw nothing; half of the pairs are near each other, the others far apart.

    None is near 0, where a relative error means nothing.
    """
    lse = rng.choice([-20.0, 20.0], tensor.largest_shape) + 2 * _normal(rng, tensor)
    return np.where(rng.random(tensor.largest_shape) < 0.3, -np.inf, lse)


def _masked_scores(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Some keys are hidden, and from query 0 all of them where there are other queries."""
    values = np.where(rng.random(tensor.largest_shape) < 0.2, -np.inf, 8 * _normal(rng, tensor))
    if tensor.largest_shape[-2] > 1:
        values[..., 0, :] = -np.inf
    return values


def _weights(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Rows with a sum of 1, as a softmax gives them."""
    values = rng.exponential(size=tensor.largest_shape)
    rows: np.ndarray = values / values.sum(axis=-1, keepdims=True)
    return rows


def _linear_weight(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Products with numbers of order one are of order one."""
    if tensor.weight_format:
        return packed_weight(rng, tensor.weight_format, tensor.largest_shape)
    return _normal(rng, tensor) * np.float32(tensor.largest_shape[-1] ** -0.5)


def _log_decay(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Most of a state is kept, or all of it; now and then nearly nothing is, or nothing."""
    kinds = rng.random(tensor.largest_shape)
    values = -0.2 * rng.exponential(size=tensor.largest_shape)
    values[kinds < 0.1] = 0
    values[kinds > 0.97] *= 200
    values[kinds > 0.995] = -np.inf
    return values


def _share(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Shares of 1, nothing and all of it among them."""
    return np.clip(rng.uniform(-0.1, 1.1, tensor.largest_shape), 0, 1)


def _unit_rows(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    values = _normal(rng, tensor)
    return np.asarray(values / np.linalg.norm(values, axis=-1, keepdims=True))


def _temperature(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Temperatures that people use; at 0 the likeliest token is taken."""
    return rng.choice([0.0, 0.3, 0.7, 1.0, 2.0], tensor.largest_shape)


def _top_k(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """A few tokens, or all."""
    return rng.choice([0, 1, 5, 40, 2**31 - 1], tensor.largest_shape)


def _likelihood(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Shares, nothing and all among them."""
    return rng.choice([0.0, 0.1, 0.5, 0.9, 1.0], tensor.largest_shape)


def _seeds(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.integers(-(2**31), 2**31, tensor.largest_shape)


_SAMPLERS: dict[Role, Sampler] = {
    Role.KEY_SCALE: _scales,
    Role.VALUE_SCALE: _scales,
    Role.BIAS: _bias,
    Role.KEEP_MASK: _keep_mask,
    Role.LIKELIHOOD: _likelihood,
    Role.LOG_DECAY: _log_decay,
    Role.LSE: _partial_lse,
    Role.MASKED_SCORES: _masked_scores,
    Role.POSITIONS: _positions,
    Role.ROTATION: _uniform,
    Role.SEEDS: _seeds,
    Role.SHARE: _share,
    Role.SINKS: _normal,
    Role.SLOPES: _slopes,
    Role.BLOCK_COUNTS: _block_counts,
    Role.BLOCK_COLUMNS: _block_columns,
    Role.CAPTURED: _captured,
    Role.SLOTS: _slots,
    Role.SOFTMAX_WEIGHTS: _weights,
    Role.STATE: _normal,
    Role.TEMPERATURE: _temperature,
    Role.TOKEN_IDS: _positions,
    Role.TOP_K: _top_k,
    Role.UNIT_KEY: _unit_rows,
    Role.WEIGHT: _linear_weight,
    Role.WEIGHT_BIAS: _normal,
    Role.WEIGHT_SCALE: lambda rng, tensor: weight_scale(rng, tensor.largest_shape),
}

CASES = {
    case.name: case
    for case in (
        Case("normal", _normal),
        Case("uniform", _uniform),
        Case("negative_logits", _negative_logits),
        Case("large_logits", _large_logits),
        Case("large_values", _large_values),
        Case("subnormals", _subnormals),
        Case("equal_keys", _equal_keys),
        Case("one_token", _one_token),
        Case("huge_scale", _huge_scale),
        Case("full_context", _normal, "full"),
        Case("context_of_one", _normal, "one"),
        Case("masked_rows", _normal, "short"),
    )
}


def _lengths(rng: np.random.Generator, tensor: TensorType, context: str) -> np.ndarray:
    """Lengths of a batch; the last sequence is full where they are mixed."""
    most = tensor.limits[1] if tensor.limits else 0
    if context == "full":
        return np.full(tensor.largest_shape, most)
    if context == "one":
        return np.ones(tensor.largest_shape)
    if context == "short" and tensor.role == Role.KEY_LENGTHS:
        # Fewer tokens than query rows, one sequence with none at all.
        lens = rng.integers(0, min(8, most + 1), tensor.largest_shape)
        lens[0] = 0
        return lens
    lens = rng.integers(min(1, most), most + 1, tensor.largest_shape)
    lens[-1] = most
    return lens


def _bounds(rng: np.random.Generator, tensor: TensorType, context: str) -> np.ndarray:
    """Where packed sequences begin and end; some are empty, and some tokens are padding."""
    most = tensor.limits[1] if tensor.limits else 0
    ends = np.sort(rng.integers(0, most + 1, tensor.largest_shape[0] - 1))
    if context == "full":
        ends[-1] = most
    elif context == "one":
        ends = np.minimum(np.arange(1, tensor.largest_shape[0]), most)
    elif context == "short" and tensor.role == Role.KEY_BOUNDS:
        ends = np.minimum(ends, 8)
    return np.concatenate([[0], ends])


def _offsets(rng: np.random.Generator, spec: Any, tensor: TensorType) -> np.ndarray:
    """First queries anywhere among the keys, and one past all of them."""
    values = rng.integers(0, largest(spec.num_keys), tensor.largest_shape)
    values[0] = largest(spec.num_keys) if len(values) > 1 else values[0]
    return values


def _block_table(rng: np.random.Generator, spec: Any, tensor: TensorType) -> np.ndarray:
    wanted = tensor.largest_shape[0] * tensor.largest_shape[1]
    if wanted <= spec.num_blocks:
        return rng.permutation(spec.num_blocks)[:wanted].reshape(tensor.largest_shape)
    # Not enough blocks for all: sequences share some, as with a common prefix.
    return rng.integers(0, spec.num_blocks, tensor.largest_shape)


def _forget_unused_blocks(spec: Any, tensors: ByRole) -> None:
    """Put -1 past each context, as many engines do: entries there are the engine's business."""
    for ids, lengths in _TABLES.items():
        if ids in tensors:
            used, table = -(-tensors[lengths] // spec.block_size), tensors[ids]
            table[np.arange(table.shape[1]) >= used[:, None]] = -1


def _attend(spec: Any, tensors: Tensors, by_role: ByRole) -> None:
    """Put what attention gives where its gradient wants it."""
    output, lse = reference(spec.forward, tensors)
    by_role[Role.ATTENDED][...] = output
    by_role[Role.LSE][...] = lse


def slots_of_queries(spec: Any, tensors: ByRole) -> np.ndarray:
    """Where the block table puts the last tokens of each context, which are the current queries.

    Not written are padding queries, queries before the first token of a short context, and those
    whose slot an earlier sequence shares and writes.
    """
    slots = np.full_like(tensors[Role.SLOTS], -1)
    flat, taken = slots.reshape(-1), set()
    for b, (first, count) in enumerate(_queries_of(spec, tensors)):
        for query in range(count):
            token = int(tensors[Role.KEY_LENGTHS][b]) - count + query
            if token < 0:
                continue
            page, offset = divmod(token, spec.block_size)
            slot = int(tensors[Role.BLOCK_IDS][b, page]) * spec.block_size + offset
            if slot not in taken:
                taken.add(slot)
                flat[first + query] = slot
    return slots


def _queries_of(spec: Any, tensors: ByRole) -> list[tuple[int, int]]:
    """The first query of each sequence among all tokens, and how many are real."""
    if Role.QUERY_BOUNDS in tensors:
        bounds = tensors[Role.QUERY_BOUNDS].tolist()
        return [(first, end - first) for first, end in pairwise(bounds)]
    q_lens = tensors.get(Role.QUERY_LENGTHS, np.full(spec.batch, spec.q_len)).tolist()
    return [(b * spec.q_len, count) for b, count in enumerate(q_lens)]
