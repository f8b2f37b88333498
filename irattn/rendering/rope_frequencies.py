"""The frequencies of a rotary graph: turns per token, and the factor on cos and sin."""

import math

from irattn.specs.rope import RopeSpec
from irattn.specs.rope_scaling import (
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeScaling,
    YarnScaling,
)


def inverse_frequencies(spec: RopeSpec) -> list[float]:
    """Radians per token of every pair."""
    pairs, scaling = spec.rotary_columns // 2, spec.scaling
    theta = spec.theta
    if isinstance(scaling, NtkScaling):
        theta *= scaling.factor ** (pairs / (pairs - 1))
    plain = [theta ** (-i / pairs) for i in range(pairs)]
    if isinstance(scaling, LinearScaling):
        return [radians / scaling.factor for radians in plain]
    if isinstance(scaling, Llama3Scaling):
        return [_llama3(scaling, radians) for radians in plain]
    if isinstance(scaling, YarnScaling):
        return _yarn(scaling, plain, theta)
    if isinstance(scaling, LongRopeScaling):
        return [radians / by for radians, by in zip(plain, scaling.factors, strict=True)]
    if isinstance(scaling, ProportionalScaling):
        turned = plain[: scaling.rotated_pairs]
        still = pairs - scaling.rotated_pairs
        return [*(radians / scaling.factor for radians in turned), *[0.0] * still]
    return plain


def attention_factor(scaling: RopeScaling | None) -> float:
    """The factor on cos and sin."""
    given = getattr(scaling, "attention_factor", None)
    if given is not None:
        return float(given)
    if isinstance(scaling, YarnScaling):
        return 1.0 + 0.1 * math.log(scaling.factor)
    if isinstance(scaling, LongRopeScaling):
        return math.sqrt(1.0 + math.log(scaling.factor, scaling.original_max_position))
    return 1.0


def turns_per_token(radians: float) -> int:
    """The fraction of a turn per token in units of 2**-64 turns, as a signed 64-bit integer.

    Multiplied with a position in 64-bit integers that wrap around, it loses whole turns and
    nothing else.
    """
    fraction = int(math.fmod(radians / math.tau, 1.0) * 2.0**64)
    return fraction - 2**64 if fraction >= 2**63 else fraction


def _llama3(scaling: Llama3Scaling, radians: float) -> float:
    wavelength, tokens = math.tau / radians, scaling.original_max_position
    if wavelength < tokens / scaling.high_freq_factor:
        return radians
    if wavelength >= tokens / scaling.low_freq_factor:
        return radians / scaling.factor
    range_ = scaling.high_freq_factor - scaling.low_freq_factor
    smooth = (tokens / wavelength - scaling.low_freq_factor) / range_
    return (1 - smooth) * radians / scaling.factor + smooth * radians


def _yarn(scaling: YarnScaling, plain: list[float], theta: float) -> list[float]:
    low, high = _yarn_range(scaling, len(plain), theta)
    scaled = []
    for i, radians in enumerate(plain):
        ramp = min(max((i - low) / (high - low), 0.0), 1.0)
        scaled.append(radians / scaling.factor * ramp + radians * (1 - ramp))
    return scaled


def _yarn_range(scaling: YarnScaling, pairs: int, theta: float) -> tuple[float, float]:
    """From which pair on frequencies are changed, and from which on they are divided."""

    def pair(rotations: float) -> float:
        wavelength = scaling.original_max_position / rotations
        return pairs * math.log(wavelength / math.tau, theta)

    low, high = pair(scaling.beta_fast), pair(scaling.beta_slow)
    if scaling.truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, 2 * pairs - 1)
    # Equal ends would be a division by zero.
    return low, high if high != low else high + 0.001
