"""The tensors of a model's files, by name."""

import math
from collections.abc import Collection
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from irattn.core.dtypes import any_name
from irattn.core.errors import ModelError
from irattn.generation.folder import ModelFolder
from irattn.generation.gguf_model import GgufModel
from irattn.generation.gguf_tensors import GgufTensors
from irattn.generation.quantised_files import QuantisedFiles
from irattn.generation.safetensors_files import SafetensorsFiles
from irattn.generation.word_files import WordFiles

# Element types that the files have, by their names.
_TYPES = ("F32", "F16", "BF16")
# Those of quantised weights, by our names.
_PACKED = {"u8": "U8", "int8": "I8", "fp8_e4m3": "F8_E4M3"}

# Of a tensor that is read at once: a file's type is converted piece by piece.
_BYTES_AT_ONCE = 2**24


class TensorFiles(Protocol):
    """The tensors that files have; ModelError where one cannot be read.

    `said_by` names what says how large they are, `remedy` what to do with types that are not taken.
    """

    said_by: str
    remedy: str

    @property
    def names(self) -> Collection[str]:
        """The tensors that there are."""

    def place(self, name: str) -> Path:
        """The file that has a tensor."""

    def described(self, name: str, packed: bool = False) -> tuple[str, tuple[int, ...]] | None:
        """The type and the shape of a tensor, or of its bytes; None where there is none."""

    def rows(
        self, name: str, first: int, end: int, columns: tuple[int, int] | None = None
    ) -> np.ndarray:
        """Some rows of a tensor, in its own type, whole or some of their columns."""

    def blocks(self, name: str, first: int, end: int) -> np.ndarray:
        """Some rows of a tensor as they are stored, where they are blocks or of 8 bits."""

    def check_rest(self, read: Collection[str]) -> None:
        """Refuse tensors that are none of those that are read, where each counts."""


class Weights:
    """Reads tensors from where their files are mapped, a few rows at once."""

    def __init__(self, folder: ModelFolder) -> None:
        self._path = folder.path
        self._files: TensorFiles
        if isinstance(folder, GgufModel):
            self._files = GgufTensors(folder)
        elif folder.quantised and folder.quantised.words:
            self._files = WordFiles(SafetensorsFiles(folder), folder.quantised.words)
        elif folder.quantised:
            self._files = QuantisedFiles(SafetensorsFiles(folder), folder.quantised)
        else:
            self._files = SafetensorsFiles(folder)
        self._checked: set[str] = set()

    @property
    def names(self) -> Collection[str]:
        """The tensors that there are."""
        return self._files.names

    def shape_of(self, name: str) -> tuple[int, ...] | None:
        """The shape of a tensor; None where there is none of this name."""
        described = self._files.described(name)
        return described[1] if described else None

    def check(self, name: str, shape: tuple[int, ...], packed: str | None = None) -> None:
        """ModelError unless there is a tensor of this name and shape, in a type that we take.

        One that is `packed` is taken as it is stored, in bytes of blocks or numbers of that type.
        """
        wanted = (_PACKED[packed],) if packed else _TYPES
        described = self._files.described(name, packed is not None)
        if described is None:
            raise ModelError(
                f"{name}: expected a tensor {_shown(shape)} in {self._path}, got none "
                f"among its {len(self.names)}"
            )
        stored, got = described
        if got != shape or stored not in wanted:
            shown = _TYPES if packed == "u8" else wanted
            remedy = "" if stored in wanted else self._files.remedy
            raise ModelError(
                f"{name}: expected {_shown(shape)} of {', '.join(shown)}, as "
                f"{self._files.said_by} says, got {_shown(got)} of {stored} in "
                f"{self._files.place(name).name}{remedy}"
            )
        self._checked.add(name)

    def are_same(self, one: str, other: str) -> bool:
        """Whether there are two tensors with the same numbers, in the same type."""
        described, rows = self._files.described(one), self._files.rows
        if described is None or described != self._files.described(other):
            return False
        count, *columns = described[1]
        at_once = max(_BYTES_AT_ONCE // (4 * math.prod(columns)), 1)
        parts = [(first, min(first + at_once, count)) for first in range(0, count, at_once)]
        return all(np.array_equal(rows(one, *part), rows(other, *part)) for part in parts)

    def check_rest(self) -> None:
        """ModelError for what a file has besides and should not; all others are checked before."""
        self._files.check_rest(self._checked)

    def read_into(
        self,
        rows: np.ndarray,
        name: str,
        begin: int = 0,
        columns: tuple[int, int] | None = None,
    ) -> None:
        """Fill an array with a tensor that was checked, from its row `begin` on, in its own type.

        ModelError for NaN, infinity and overflow.
        """
        at_once = max(_BYTES_AT_ONCE * len(rows) // max(rows.nbytes, 1), 1)
        for first in range(0, len(rows), at_once):
            end = min(first + at_once, len(rows))
            if rows.dtype.itemsize == 1:
                rows[first:end] = self._files.blocks(name, begin + first, begin + end)
                continue
            with np.errstate(over="ignore"):
                converted = self._files.rows(name, begin + first, begin + end, columns).astype(
                    rows.dtype, copy=False
                )
            if not _is_finite(converted):
                whole = self._files.rows(name, begin, begin + len(rows), columns)
                path = self._files.place(name)
                raise ModelError(f"{name}: {_not_finite(whole, rows.dtype)} in {path}")
            rows[first:end] = converted


def _is_finite(array: np.ndarray) -> bool:
    """Whether there is neither NaN nor infinity in an array of floats.

    As integers, infinity is the least that is not finite, of either sign: two passes without a
    copy, while NumPy's own test takes five times as long for f16 and bf16.
    """
    size = array.dtype.itemsize
    least = int(np.array(np.inf, array.dtype).view(f"u{size}"))
    bits = 1 << (8 * size - 1)
    return not array.size or bool(
        array.view(f"i{size}").max() < least and array.view(f"u{size}").max() < (least | bits)
    )


def _not_finite(tensor: np.ndarray, wanted: np.dtype[Any]) -> str:
    """The message for numbers that are not finite, or that another type cannot hold."""
    wide = tensor.astype(np.float32, copy=False)
    nans, infinite = np.isnan(wide).sum(), np.isinf(wide).sum()
    if nans or infinite:
        return (
            f"expected finite numbers, got NaN {nans} times and infinity {infinite} times among "
            f"{tensor.size}"
        )
    return (
        f"expected numbers that {any_name(wanted)} can hold, got up to {abs(wide).max():.3g}; give "
        "io_dtype bf16 or f32"
    )


def _shown(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"
