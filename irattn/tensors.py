"""The type of a tensor argument and the check of an array against it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.dtypes import dtype, dtype_name
from irattn.errors import ArgumentError


@dataclass(frozen=True)
class TensorType:
    """Name, shape and element type of one tensor.

    `also_accepts` are dtypes that convert safely; `limits` are the least and the largest value
    that compiled code can take, which trusts what it is given. `by_row` is false where the elements
    of a row may all cancel to nearly 0: an error is then measured against the whole tensor only.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    also_accepts: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None
    by_row: bool = True

    def __str__(self) -> str:
        return f"{self.dtype} [{', '.join(map(str, self.shape))}]"

    def check(self, array: np.ndarray) -> None:
        """Raise ArgumentError unless `array` has this rank, shape and dtype."""
        if not isinstance(array, np.ndarray):
            raise ArgumentError(
                f"{self.name}: expected a NumPy array {self}, got {type(array).__name__}; "
                "wrap it in np.asarray(...)"
            )
        got = dtype_name(array.dtype)
        if array.shape != self.shape or got not in (self.dtype, *self.also_accepts):
            shape = ", ".join(map(str, array.shape))
            hint = "" if got in (self.dtype, *self.also_accepts) else self._dtype_hint()
            raise ArgumentError(f"{self.name}: expected {self}, got {got} [{shape}]{hint}")
        if self.limits:
            self._check_limits(array, *self.limits)

    def _check_limits(self, array: np.ndarray, least: int, most: int) -> None:
        bad = np.argwhere((array < least) | (array > most))
        if bad.size:
            index = tuple(bad[0])
            where = ", ".join(map(str, index))
            raise ArgumentError(
                f"{self.name}[{where}]: expected {least} to {most}, got {array[index]}"
            )

    def _dtype_hint(self) -> str:
        spelling = {"bf16": "ml_dtypes.bfloat16"}.get(
            self.dtype, f"np.{dtype(self.dtype).numpy.name}"
        )
        return f"; convert with {self.name}.astype({spelling})"

    def to_dict(self) -> dict[str, Any]:
        """JSON form, as stored in a manifest."""
        return {"name": self.name, "shape": list(self.shape), "dtype": self.dtype}


def lengths(name: str, batch: int, most: int) -> TensorType:
    """How many tokens of each sequence are real: int32 (int64 accepted) `[batch]`, 0 to `most`."""
    return TensorType(name, (batch,), "i32", ("i64",), (0, most))
