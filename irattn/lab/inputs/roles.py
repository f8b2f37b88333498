"""Inputs whose role says what they hold: masks, slots, weights, scales and so on."""

from dataclasses import replace

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import Role, TensorType
from irattn.lab.inputs.distributions import Sampler, normal, uniform
from irattn.lab.inputs.packed import packed_weight, weight_scale

# Scales of quantised caches are about one part of so many.
_OF_SCALE = 32


def quantised(rng: np.random.Generator, tensor: TensorType, sample: Sampler) -> np.ndarray:
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
    return normal(rng, tensor)


def _slopes(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    return rng.uniform(0.002, 1, tensor.largest_shape)


def _bias(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Some keys are hidden, as by the float masks of other libraries."""
    return np.where(rng.random(tensor.largest_shape) < 0.05, -np.inf, normal(rng, tensor))


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
    lse = rng.choice([-20.0, 20.0], tensor.largest_shape) + 2 * normal(rng, tensor)
    return np.where(rng.random(tensor.largest_shape) < 0.3, -np.inf, lse)


def _masked_scores(rng: np.random.Generator, tensor: TensorType) -> np.ndarray:
    """Some keys are hidden, and from query 0 all of them where there are other queries."""
    values = np.where(rng.random(tensor.largest_shape) < 0.2, -np.inf, 8 * normal(rng, tensor))
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
    return normal(rng, tensor) * np.float32(tensor.largest_shape[-1] ** -0.5)


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
    values = normal(rng, tensor)
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


# How inputs of a role are drawn, whatever floats are drawn from.
ROLE_SAMPLERS: dict[Role, Sampler] = {
    Role.KEY_SCALE: _scales,
    Role.VALUE_SCALE: _scales,
    Role.BIAS: _bias,
    Role.KEEP_MASK: _keep_mask,
    Role.LIKELIHOOD: _likelihood,
    Role.LOG_DECAY: _log_decay,
    Role.LSE: _partial_lse,
    Role.MASKED_SCORES: _masked_scores,
    Role.POSITIONS: _positions,
    Role.ROTATION: uniform,
    Role.SEEDS: _seeds,
    Role.SHARE: _share,
    Role.SINKS: normal,
    Role.SLOPES: _slopes,
    Role.BLOCK_COUNTS: _block_counts,
    Role.BLOCK_COLUMNS: _block_columns,
    Role.CAPTURED: _captured,
    Role.SLOTS: _slots,
    Role.SOFTMAX_WEIGHTS: _weights,
    Role.STATE: normal,
    Role.TEMPERATURE: _temperature,
    Role.TOKEN_IDS: _positions,
    Role.TOP_K: _top_k,
    Role.UNIT_KEY: _unit_rows,
    Role.WEIGHT: _linear_weight,
    Role.WEIGHT_BIAS: normal,
    Role.WEIGHT_SCALE: lambda rng, tensor: weight_scale(rng, tensor.largest_shape),
}
