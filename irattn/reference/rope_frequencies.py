"""The frequencies of rotary embeddings and what multiplies cos and sin, in float64."""

import numpy as np

from irattn.specs.rope import RopeSpec
from irattn.specs.rope_scaling import (
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    YarnScaling,
)


def frequencies(spec: RopeSpec) -> np.ndarray:
    """Radians per token of every pair, `[rotary_dim / 2]`."""
    d, theta, scaling = spec.rotary_columns, spec.theta, spec.scaling
    if isinstance(scaling, NtkScaling):
        theta = theta * scaling.factor ** (d / (d - 2))
    radians = np.array([theta ** (-2 * i / d) for i in range(d // 2)])
    if scaling is None or isinstance(scaling, NtkScaling):
        return radians
    if isinstance(scaling, ProportionalScaling):
        return np.where(np.arange(d // 2) < scaling.rotated_pairs, radians / scaling.factor, 0.0)
    kept, divisors = np.zeros(d // 2), np.full(d // 2, scaling.factor)
    if isinstance(scaling, LongRopeScaling):
        divisors = np.array(scaling.factors)
    elif isinstance(scaling, YarnScaling | Llama3Scaling):
        kept = np.clip(_share_kept(scaling, radians, d, theta), 0, 1)
    return np.asarray(kept * radians + (1 - kept) * radians / divisors)


def attention_factor(spec: RopeSpec) -> float:
    """The factor that cos and sin are multiplied with."""
    scaling = spec.scaling
    if not isinstance(scaling, YarnScaling | LongRopeScaling):
        return 1.0
    if scaling.attention_factor is not None:
        return scaling.attention_factor
    if isinstance(scaling, YarnScaling):
        return float(0.1 * np.log(scaling.factor) + 1)
    growth = np.log(scaling.factor) / np.log(scaling.original_max_position)
    return float(np.sqrt(1 + growth))


def _share_kept(
    scaling: YarnScaling | Llama3Scaling, radians: np.ndarray, d: int, theta: float
) -> np.ndarray:
    """The share of every frequency that is left as it is; 0 to 1, once clipped."""
    tokens = scaling.original_max_position
    if isinstance(scaling, Llama3Scaling):
        turns = tokens * radians / (2 * np.pi)
        low, high = scaling.low_freq_factor, scaling.high_freq_factor
        if low == high:
            return (turns > high).astype(np.float64)
        return np.asarray((turns - low) / (high - low))
    fastest = _pair_that_turns(scaling.beta_fast, tokens, d, theta)
    slowest = _pair_that_turns(scaling.beta_slow, tokens, d, theta)
    if scaling.truncate:
        fastest, slowest = np.floor(fastest), np.ceil(slowest)
    # The bounds are those of the authors' code, d - 1 for a number of d / 2 pairs included.
    fastest, slowest = max(fastest, 0.0), min(slowest, d - 1.0)
    return np.asarray(1 - (np.arange(d // 2) - fastest) / (slowest - fastest or 0.001))


def _pair_that_turns(times: float, tokens: int, d: int, theta: float) -> float:
    """The pair, a real number, that turns so many times in so many tokens."""
    return float(d / 2 * np.log(tokens / (2 * np.pi * times)) / np.log(theta))
