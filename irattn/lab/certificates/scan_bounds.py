"""Bounds of the errors of the selective scan, a number of the state at a time.

A number is multiplied by what is kept of it, at most 1, and so is its error; each token adds what
its own operations round. What is kept is off by what its exponent is, relative to itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from irattn.lab.certificates.rounding import FEW_UNITS, UNIT, Rounded, product, sum_of
from irattn.specs.selective_scan import SelectiveScanSpec


@dataclass(frozen=True)
class _Exact:
    """A call's tensors, in float64."""

    x: np.ndarray
    steps: np.ndarray
    key: np.ndarray
    query: np.ndarray
    gate: np.ndarray
    decay_log: np.ndarray
    time_bias: np.ndarray
    skip_weight: np.ndarray
    initial_state: np.ndarray

    @property
    def time(self) -> Rounded:
        """The time steps: a sum, and of it a power of e, a logarithm and another sum."""
        z = self.steps + self.time_bias
        value = np.logaddexp(0, z)
        slope = np.exp(z - value)
        return Rounded(value, 2 * UNIT * np.abs(z) * slope + 2 * FEW_UNITS * value)

    @property
    def speed(self) -> Rounded:
        """How fast columns forget: powers of 2, whose exponents are products."""
        value = np.exp(self.decay_log)
        return Rounded(value, value * (UNIT * np.abs(self.decay_log) + FEW_UNITS))

    @property
    def opened(self) -> Rounded:
        """The gates behind silu."""
        value = self.gate / (1 + np.exp(-self.gate))
        return Rounded(value, np.abs(value) * (UNIT * np.abs(self.gate) + 2 * FEW_UNITS))


def scan_errors(spec: SelectiveScanSpec, tensors: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """Errors of the output and the final state, before they are stored."""
    bounds = tensors["cu_seqlens_q"].tolist()
    wide = {name: array.astype(np.float64) for name, array in tensors.items()}
    exact = _Exact(**{tensor.name: wide[tensor.name] for tensor in spec.inputs[:-1]})
    time, speed, opened = exact.time, exact.speed, exact.opened
    written = product(time, _given(exact.x))
    output, left = np.zeros(exact.x.shape), np.zeros(exact.initial_state.shape)
    for b, (first, end) in enumerate(pairwise(bounds)):
        state = _given(exact.initial_state[b])
        for t in range(first, end):
            state = sum_of(
                product(_kept(time.take(t), speed), state),
                product(_given(exact.key[t][:, None]), written.take(t)),
            )
            read = _read(exact.query[t], state)
            around = sum_of(read, product(_given(exact.skip_weight), _given(exact.x[t])))
            output[t] = product(around, opened.take(t)).error
        left[b] = state.error
    return [output, left]


def _given(array: np.ndarray) -> Rounded:
    return Rounded(array, np.zeros(array.shape))


def _kept(time: Rounded, speed: Rounded) -> Rounded:
    """The share of a state that is kept: a power of 2, whose exponent is a product."""
    exponent = product(time, speed)
    off = exponent.error + 2 * UNIT * exponent.value
    value = np.exp(-exponent.value)
    return Rounded(value, value * (np.expm1(np.minimum(off, 20)) + FEW_UNITS))


def _read(query: np.ndarray, state: Rounded) -> Rounded:
    """The sum of a channel's columns, each times its number of the query."""
    size = np.abs(query)
    rounded = len(query) * UNIT * (size @ np.abs(state.value))
    return Rounded(query @ state.value, size @ state.error + rounded)
