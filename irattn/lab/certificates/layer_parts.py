"""First-order bounds of what a layer is made of: products, norms, rotations, MLPs."""

from collections.abc import Mapping

import numpy as np

from irattn.lab.certificates.rounding import (
    FEW_UNITS,
    UNIT,
    Rounded,
    dot,
    product,
    stored,
    sum_of,
)
from irattn.reference.rope_frequencies import attention_factor, frequencies
from irattn.specs.layer_norm import LayerNormSpec
from irattn.specs.mlp import XIELU, MlpSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.rope import RopeSpec

Tensors = Mapping[str, Rounded]
Values = Mapping[str, np.ndarray]

# What a cosine or sine is off by: an angle of up to half a turn in 2**-32 turns, which f32 rounds
# twice, and the function itself.
_ANGLE = 2 * np.pi * 2.0**-32 + 2 * UNIT * np.pi + FEW_UNITS


def linear(x: Rounded, weight: Rounded, bias: Rounded | None) -> Rounded:
    """x · weightᵀ + bias."""
    together = dot(x, weight.swapped(-1, -2))
    return together if bias is None else sum_of(together, bias)


def linear_of(x: Rounded, tensors: Tensors, prefix: str = "") -> Rounded:
    """A product with weight and bias of a part of a layer, found by their prefix."""
    return linear(x, tensors[f"{prefix}weight"], tensors.get(f"{prefix}bias"))


def normed(spec: RmsNormSpec, x: Rounded, weight: Rounded) -> Rounded:
    """x / sqrt(mean(x²) + eps) * (offset + weight)."""
    columns = x.value.shape[-1]
    mean = np.mean(np.square(x.value), axis=-1, keepdims=True) + spec.eps
    size = np.sqrt(mean)
    unit = x.value / size
    # The root halves what its argument is off by, relative to it.
    drift = np.mean(np.abs(x.value) * x.error, axis=-1, keepdims=True) / mean
    own = (columns / 2 + 1) * UNIT + FEW_UNITS
    of_unit = x.error / size + np.abs(unit) * (drift + own)
    factor = Rounded(spec.offset + weight.value, weight.error)
    factor = Rounded(factor.value, factor.error + UNIT * np.abs(factor.value))
    return product(Rounded(unit, of_unit), factor)


def layer_normed(spec: LayerNormSpec, x: Rounded, weight: Rounded, bias: Rounded | None) -> Rounded:
    """(x - mean(x)) / sqrt(var(x) + eps) * (offset + weight) + bias."""
    columns = x.value.shape[-1]
    mean = np.mean(x.value, axis=-1, keepdims=True)
    of_mean = np.mean(x.error + (columns + 1) * UNIT * np.abs(x.value), axis=-1, keepdims=True)
    centred = x.value - mean
    of_centred = x.error + of_mean + UNIT * np.abs(centred)
    plain = RmsNormSpec(
        rows=spec.rows, columns=columns, eps=spec.eps, offset=spec.offset, io_dtype=spec.io_dtype
    )
    unshifted = normed(plain, Rounded(centred, of_centred), weight)
    return unshifted if bias is None else sum_of(unshifted, bias)


def turned(spec: RopeSpec, x: Rounded, tensors: Tensors) -> Rounded:
    """Pairs of columns turned by the angle of their position; other columns are copied."""
    cos, sin, off = _tables(spec, tensors)
    first, second = _columns(spec)
    value, error = x.value.copy(), x.error.copy()
    one, other = x.take((..., first)), x.take((..., second))
    value[..., first] = one.value * cos - other.value * sin
    value[..., second] = other.value * cos + one.value * sin
    both = np.abs(one.value) + np.abs(other.value)
    size = np.hypot(cos, sin)
    added = both * (off + 2 * UNIT * size)
    error[..., first] = one.error * np.abs(cos) + other.error * np.abs(sin) + added
    error[..., second] = other.error * np.abs(cos) + one.error * np.abs(sin) + added
    return Rounded(value, error)


def _tables(spec: RopeSpec, tensors: Tensors) -> tuple[np.ndarray, np.ndarray, float]:
    """Cosines and sines `[batch, 1, q_len, pairs]`, and by how much they may be off."""
    positions = tensors["positions"].value[:, None]
    if spec.given_tables:
        return tensors["cos"].value[positions], tensors["sin"].value[positions], 0.0
    angles = positions[..., None] * frequencies(spec)
    factor = attention_factor(spec)
    return factor * np.cos(angles), factor * np.sin(angles), abs(factor) * (_ANGLE + 2 * UNIT)


def _columns(spec: RopeSpec) -> tuple[slice, slice]:
    d = spec.rotary_columns
    if spec.rope_style == "interleaved":
        return slice(0, d, 2), slice(1, d, 2)
    return slice(0, d // 2), slice(d // 2, d)


def activated(activation: str, x: Rounded) -> Rounded:
    """An activation: none has a slope above 1.13, and all are made of an exponential or a tanh."""
    size = np.abs(x.value)
    if activation == "relu":
        return Rounded(np.maximum(x.value, 0), x.error)
    if activation == "relu_squared":
        above = np.maximum(x.value, 0)
        off = (2 * above + x.error) * x.error
        return Rounded(above**2, off + FEW_UNITS * (above + x.error) ** 2)
    # What it is multiplied with needs its size only, for which gelu and its tanh are the same.
    with np.errstate(over="ignore"):
        slope = 1 / (1 + np.exp(-x.value)) if activation == "silu" else _gelu_slope(x.value)
    # With a sum that cancels, the error is relative to x.
    return Rounded(x.value * slope, 1.13 * x.error + 2 * FEW_UNITS * size)


def _gelu_slope(x: np.ndarray) -> np.ndarray:
    return np.asarray((1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2)


def _bent(x: Rounded, weight: Rounded) -> Rounded:
    """xIELU, whose slope is at most |b| and the larger of 2 * |p * x| and |n|."""
    above, below, slope, edge = weight.value
    size = np.abs(x.value) + x.error
    raised = np.expm1(np.minimum(np.minimum(x.value, 0), edge)) - x.value
    value = np.where(x.value > 0, above * x.value**2, below * raised) + slope * x.value
    steepest = np.maximum(2 * abs(above) * size, abs(below)) + abs(slope)
    parts = abs(above) * size**2 + abs(below) * (1 + size) + abs(slope) * size
    return Rounded(value, steepest * x.error + FEW_UNITS * parts)


def mlp_error(spec: MlpSpec, tensors: Tensors) -> Rounded:
    """down(activation(gate) * up), rounded to the element type on the way."""

    def active(x: Rounded) -> Rounded:
        if spec.activation == XIELU:
            return _bent(x, tensors["activation_weight"])
        return activated(spec.activation, x)

    made = linear_of(tensors["hidden"], tensors, f"{spec.up_name}_")
    if spec.gated:
        half = made.value.shape[-1] // 2
        gate, up = made.take((..., slice(half))), made.take((..., slice(half, None)))
        made = product(stored(active(gate), spec.io_dtype), up)
    else:
        made = active(made)
    return linear_of(stored(made, spec.io_dtype), tensors, "down_")


def sigmoid(x: Rounded) -> Rounded:
    """1 / (1 + exp(-x)), whose slope is at most its value."""
    value = 1 / (1 + np.exp(-x.value))
    return Rounded(value, value * (x.error + FEW_UNITS))
