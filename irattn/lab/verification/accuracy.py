"""The error of an output against its float64 reference, and how much is allowed."""

from dataclasses import asdict, dataclass

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType

# A single row may be off by this many tolerances: rounding errors average out over a whole output
# but not over one row. A row that is simply wrong is off by hundreds.
_ROW_FACTOR = 10
# The elements of a row of fewer, as of a hidden state of one, may all cancel to nearly 0: an error
# is then measured against the whole output only.
_LEAST_ROW = 8


@dataclass(frozen=True)
class Accuracy:
    """The error of one output: largest absolute, and relative to the reference's norm or scale.

    `worst_row` is the largest relative error of a single row. A row whose reference is all zeros
    must be all zeros.
    """

    max_abs: float
    relative: float
    worst_row: float

    @property
    def decisive(self) -> float:
        """The error that must not exceed the tolerance."""
        return max(self.relative, self.worst_row / _ROW_FACTOR)

    def to_dict(self) -> dict[str, float | None]:
        """JSON form. JSON has no infinity: null is an error without bound."""
        return {name: error if np.isfinite(error) else None for name, error in asdict(self).items()}


def measure(
    output: np.ndarray, expected: np.ndarray, tiniest: float, scale: np.ndarray | None = None
) -> Accuracy:
    """The error of `output` against a float64 reference; errors below `tiniest` count as none.

    Errors are relative to the reference's norm, or to that of `scale` where this is larger: the
    size of terms of which the reference is what cancelling has left.

    NaN counts as infinitely wrong, and so does an infinity that the reference does not have. Where
    the reference has one, the output must have it too.
    """
    with np.errstate(invalid="ignore"):
        actual = output.astype(np.float64)
    error = np.full(expected.shape, np.inf)
    error[actual == expected] = 0.0
    both = np.isfinite(actual) & np.isfinite(expected)
    error[both] = np.abs(actual[both] - expected[both])
    error[error < tiniest] = 0.0
    row_error = np.linalg.norm(error, axis=-1)
    row_norm = _row_norm(expected)
    norm = np.linalg.norm(row_norm)
    if scale is not None:
        of_scale = _row_norm(scale)
        norm, row_norm = max(norm, np.linalg.norm(of_scale)), np.maximum(row_norm, of_scale)
    return Accuracy(
        max_abs=float(error.max()),
        relative=_ratio(float(np.linalg.norm(row_error)), float(norm)),
        worst_row=max(map(_ratio, row_error.ravel().tolist(), row_norm.ravel().tolist())),
    )


def _row_norm(array: np.ndarray) -> np.ndarray:
    """The norms of rows; what is not finite has none."""
    return np.asarray(np.linalg.norm(np.where(np.isfinite(array), array, 0.0), axis=-1))


def measured(
    output: np.ndarray,
    expected: np.ndarray,
    tensor: TensorType,
    scale: np.ndarray | None = None,
) -> tuple[Accuracy, float]:
    """The error of an output against a float64 reference, and what is allowed.

    `scale` is what `scales_of` knows of the output.
    """
    element = dtype(tensor.dtype)
    if not tensor.by_row or output.shape[-1] < _LEAST_ROW:
        output, expected = output.reshape(1, -1), expected.reshape(1, -1)
        scale = None if scale is None else scale.reshape(1, -1)
    return measure(output, expected, element.tiniest, scale), tensor.tolerance


def strain(measured: tuple[Accuracy, float]) -> float:
    """The decisive error in units of what is allowed; more than 1 fails."""
    accuracy, tolerance = measured
    return _ratio(accuracy.decisive, tolerance)


def _ratio(error: float, norm: float) -> float:
    if error == 0:
        return 0.0
    return error / norm if norm > 0 else float("inf")
