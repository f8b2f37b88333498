"""The expected outputs of a call, element by element, and how far an outcome is from them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.certificates.executions import CallOutcome
from irattn.lab.inputs import Tensors
from irattn.lab.verification import Accuracy, KnownCase, measured, strain
from irattn.reference import reference
from irattn.specs import Spec


@dataclass(frozen=True)
class CallErrors:
    """The errors of one call.

    `share` is the largest error of an element in units of its bound, `error` and `bound` are those
    of that element; None where no bound is derived. `strain` is the house's measure for whole
    rows and outputs, in units of the tolerance. `elements` were looked at, `of` so many.
    """

    case: str
    max_abs: float
    error: float | None
    bound: float | None
    share: float | None
    strain: float
    elements: int
    of: int

    @property
    def holds(self) -> bool:
        """Whether nothing is beyond its bound, or the tolerance."""
        return self.strain <= 1 and (self.share is None or self.share <= 1)

    def to_dict(self) -> dict[str, Any]:
        """JSON form, to three digits: what more there is, other machines may have otherwise."""
        numbers = {
            "largest_error": self.max_abs,
            "share_of_bound": self.share,
            "error_there": self.error,
            "bound_there": self.bound,
            "share_of_tolerance": self.strain,
        }
        return {"case": self.case} | {name: _short(number) for name, number in numbers.items()}


# What the figures of a case are, for who reads a certificate.
LEGEND = {
    "largest_error": "the largest absolute error of an element",
    "share_of_bound": "error over bound, of the element for which this is largest; both follow",
    "bound_there": "as wide as the values where logits are so large that first order ends",
    "share_of_tolerance": "the error of whole outputs and rows, as `irattn verify` allows it",
}


@dataclass(frozen=True)
class Expectation:
    """A call with its reference, and the bounds of those elements that were computed.

    The code may take numbers of 16 bits below `lost` for 0.
    """

    spec: Spec
    known: KnownCase
    written: tuple[np.ndarray, ...]
    lost: float = 0.0

    @cached_property
    def bounds(self) -> tuple[np.ndarray, ...] | None:
        """The bound of each element; None where none is derived for the op."""
        with np.errstate(all="ignore"):
            return error_bounds(
                self.spec, self.known.tensors, self.known.expected, self.written, self.lost
            )

    def unchanged(self, tensors: Tensors) -> list[np.ndarray]:
        """Elements of each output that the reference leaves what they are, for other inputs."""
        with np.errstate(all="ignore"):
            return same_numbers(self.known.expected, reference(self.spec, tensors))

    def errors(self, outcome: CallOutcome) -> CallErrors:
        """How far an outcome is from what it must be; what it lacks is infinitely far."""
        computed = [
            np.where(there, output.astype(np.float64), np.nan)
            for output, there in zip(outcome.outputs, outcome.written, strict=True)
        ]
        right = self.known.beside(computed)
        errors = np.concatenate(
            [
                _error(output[wanted], expected[wanted])
                for output, expected, wanted in zip(computed, right, self.written, strict=True)
            ]
        )
        share, error, bound = self._nearest(errors)
        return CallErrors(
            self.known.name,
            float(errors.max(initial=0.0)),
            error,
            bound,
            share,
            max(map(strain, self._measured(computed, right)), default=0.0),
            len(errors),
            sum(wanted.size for wanted in self.written),
        )

    def _nearest(self, errors: np.ndarray) -> tuple[float | None, float | None, float | None]:
        """The element that comes nearest to its bound: its share of it, its error, its bound."""
        if self.bounds is None:
            return None, None, None
        if not errors.size:
            return 0.0, 0.0, 0.0
        pairs = zip(self.bounds, self.written, strict=True)
        bounds = np.concatenate([bound[written] for bound, written in pairs])
        with np.errstate(all="ignore"):
            shares = np.where(errors == 0, 0.0, errors / bounds)
        # What is no number is no proof.
        at = int(np.argmax(np.where(np.isnan(shares), np.inf, shares)))
        share = float(shares[at])
        return share if share == share else np.inf, float(errors[at]), float(bounds[at])

    def _measured(
        self, computed: Sequence[np.ndarray], right: Sequence[np.ndarray]
    ) -> Iterator[tuple[Accuracy, float]]:
        """The house's measures; what is not looked at counts as right."""
        known = self.known
        for output, expected, wanted, tensor, scale in zip(
            computed, right, self.written, known.outputs, known.scales, strict=True
        ):
            rows = wanted.any(axis=-1)
            if rows.any():
                arrays = (output, expected) if scale is None else (output, expected, scale)
                own, exact, *size = (np.where(wanted[rows], one[rows], 0.0) for one in arrays)
                yield measured(own, exact, tensor, *size)


def same_numbers(ones: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Where two references say the same; sums in another order may differ in their last bits."""
    pairs = zip(ones, others, strict=True)
    return [np.isclose(one, other, rtol=1e-9, atol=0, equal_nan=True) for one, other in pairs]


def worst(cases: Sequence[CallErrors]) -> CallErrors:
    """The case that comes nearest to what is allowed, or exceeds it most."""
    return max(cases, key=lambda case: max(case.share or 0.0, case.strain))


def _error(output: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Absolute errors; infinite where NaN or an infinity is not what is expected."""
    error = np.full(expected.shape, np.inf)
    error[output == expected] = 0.0
    both = np.isfinite(output) & np.isfinite(expected)
    error[both] = np.abs(output[both] - expected[both])
    return error


def _short(number: float | None) -> float | None:
    """Four digits. JSON has no infinity: null is an error without bound."""
    return float(f"{number:.3g}") if number is not None and np.isfinite(number) else None
