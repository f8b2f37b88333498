"""Numbers with a first-order bound of their rounding errors.

Every operation of a kernel gives (a op b)(1 + d) with |d| <= UNIT (Higham 2002, "Accuracy and
Stability of Numerical Algorithms", 2.4), and a sum of n terms in whatever order is off by at most
n UNIT times the sum of their magnitudes (section 4.2). What the operands are off by goes through
with its derivative. Products of two errors are left out: that is what first order means.
"""

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from irattn.core.dtypes import dtype

# Twice the unit roundoff of f32: sums of matrix instructions may be cut off instead of rounded, and
# hardware's exponential and reciprocal are good to one unit in the last place.
UNIT = 2.0**-23

# Units for a function that takes several operations: a quotient, a root, a hyperbolic tangent.
FEW_UNITS = 8 * UNIT

# What rounding to whole numbers of 16 bits loses at most, relative to the largest number, which
# becomes 32767.
HALF_A_WHOLE = 0.5 / 32767


@dataclass(frozen=True)
class Rounded:
    """Exact numbers, in float64, and by how much the computed ones may differ from them."""

    value: np.ndarray
    error: np.ndarray

    def reshape(self, *shape: int) -> "Rounded":
        """The numbers and their errors in another shape."""
        return Rounded(self.value.reshape(shape), self.error.reshape(shape))

    def swapped(self, one: int, other: int) -> "Rounded":
        """The numbers and their errors with two axes in each other's place."""
        return Rounded(self.value.swapaxes(one, other), self.error.swapaxes(one, other))

    def take(self, place: Any) -> "Rounded":
        """A part of it."""
        return Rounded(self.value[place], self.error[place])


def given(array: np.ndarray, lost: float = 0.0) -> Rounded:
    """Inputs are exact; whole numbers and bools stay what they are.

    Of numbers of 16 bits, those below `lost` may be taken for 0: matrix instructions of gfx90a do.
    """
    if array.dtype.kind in "iub":
        return Rounded(array, np.zeros(array.shape))
    value = array.astype(np.float64)
    if not lost or array.dtype.itemsize != 2:
        # Weights are many: one zero for all.
        return Rounded(value, np.broadcast_to(0.0, array.shape))
    return Rounded(value, np.where(np.abs(value) < lost, np.abs(value), 0.0))


def storage_unit(name: str) -> float:
    """The most that storing a number as an element type adds, relative to the number."""
    # What is computed in f32 is stored as f32 as it is, and whole numbers are.
    if name not in ("f16", "bf16"):
        return 0.0
    return float(ml_dtypes.finfo(dtype(name).numpy).eps) / 2  # type: ignore[no-untyped-call]


def stored(number: Rounded, name: str) -> Rounded:
    """Rounded to an element type; what is smaller than its `tiniest` may become 0."""
    added = storage_unit(name) * np.abs(number.value) + dtype(name).tiniest
    return Rounded(number.value, number.error + added)


def sum_of(*terms: Rounded) -> Rounded:
    """Terms added up in whatever order."""
    value = sum(term.value for term in terms)
    magnitude = sum(np.abs(term.value) for term in terms)
    error = sum(term.error for term in terms)
    return Rounded(np.asarray(value), np.asarray(error + (len(terms) - 1) * UNIT * magnitude))


def product(one: Rounded, other: Rounded) -> Rounded:
    """Element by element."""
    value = one.value * other.value
    error = np.abs(one.value) * other.error + one.error * np.abs(other.value)
    return Rounded(value, error + UNIT * np.abs(value))


def scaled(number: Rounded, factor: float) -> Rounded:
    """Times a constant, which is rounded to f32, too."""
    value = number.value * factor
    own = 0.0 if factor == 1 else 2 * UNIT
    return Rounded(value, abs(factor) * number.error + own * np.abs(value))


def dot(one: Rounded, other: Rounded) -> Rounded:
    """The matrix product, summed in f32."""
    left, right = np.abs(one.value), np.abs(other.value)
    error = one.value.shape[-1] * UNIT * (left @ right)
    if one.error.any():
        error += one.error @ right
    if other.error.any():
        error += left @ other.error
    return Rounded(one.value @ other.value, error)


def capped(logits: Rounded, cap: float) -> Rounded:
    """cap * tanh(logits / cap)."""
    share = np.tanh(logits.value / cap)
    slope = 1 - share**2
    # A tanh made of exponentials has an error relative to 1.
    return Rounded(
        cap * share, slope * (logits.error + 4 * UNIT * np.abs(logits.value)) + FEW_UNITS * cap
    )


def relative_of_exp(exponents: Rounded, terms: int) -> np.ndarray:
    """The most that exp(exponents) may be off by, relatively, in a step by step softmax.

    The exponent is a difference from a maximum, in powers of 2: a difference and a product with
    log2(e) round. Each of up to `terms` steps whose maximum grows multiplies by one more such
    factor; the exponents of all of them add up to this one (Blanchard, Higham and Higham 2021,
    "Accurately computing the log-sum-exp and softmax functions", section 4; Dao et al. 2022).
    """
    size = np.abs(np.where(np.isfinite(exponents.value), exponents.value, 0.0))
    first = exponents.error + 3 * UNIT * size + 3 * terms * UNIT
    # Beyond first order where logits are huge: an error of the exponent is a factor.
    grown: np.ndarray = np.expm1(np.minimum(first, 20))
    return grown
