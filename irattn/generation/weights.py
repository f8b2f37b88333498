"""The tensors of a model's safetensors files, by name."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from irattn.core.dtypes import any_name
from irattn.core.errors import ModelError, printable
from irattn.core.strict_json import loads
from irattn.generation.folder import ModelFolder
from irattn.generation.packages import package
from irattn.generation.remedies import lacking

_INDEX = "model.safetensors.index.json"

# Element types by the names that the files have for them.
_TYPES = {"F32": "f32", "F16": "f16", "BF16": "bf16"}


# Of a tensor that is read at once: a file's type is converted piece by piece.
_BYTES_AT_ONCE = 2**24


class Weights:
    """Reads tensors from where their files are mapped, a few rows at once."""

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder
        self._open = package("safetensors").safe_open
        self._files: dict[Path, Any] = {}
        self._places = self._indexed() or self._by_files()

    @property
    def names(self) -> Collection[str]:
        """The tensors that there are."""
        return self._places.keys()

    def check(self, name: str, shape: tuple[int, ...]) -> None:
        """ModelError unless there is a tensor of this name and shape, in a type that we take."""
        if name not in self._places:
            raise ModelError(
                f"{name}: expected a tensor {_shown(shape)} in {self._folder.path}, got none "
                f"among its {len(self._places)}"
            )
        path = self._places[name]
        with self._readable(name, path):
            tensor = self._file(path).get_slice(name)
            stored, got = tensor.get_dtype(), tuple(tensor.get_shape())
        if got != shape or stored not in _TYPES:
            raise ModelError(
                f"{name}: expected {_shown(shape)} of {', '.join(_TYPES)}, as config.json says, "
                f"got {_shown(got)} of {stored} in {path.name}"
            )

    def read_into(self, rows: np.ndarray, name: str) -> None:
        """Fill an array with a tensor that was checked, in the array's type.

        ModelError for NaN, infinity and overflow.
        """
        path = self._places[name]
        with self._readable(name, path):
            tensor = self._file(path).get_slice(name)
            at_once = max(_BYTES_AT_ONCE * len(rows) // max(rows.nbytes, 1), 1)
            for first in range(0, len(rows), at_once):
                end = min(first + at_once, len(rows))
                with np.errstate(over="ignore"):
                    converted = tensor[first:end].astype(rows.dtype, copy=False)
                if not _is_finite(converted):
                    whole = self._file(path).get_tensor(name)
                    raise ModelError(f"{name}: {_not_finite(whole, rows.dtype)} in {path}")
                rows[first:end] = converted

    @contextmanager
    def _readable(self, name: str, path: Path) -> Iterator[None]:
        try:
            yield
        except package("safetensors").SafetensorError as error:
            raise ModelError(f"{name}: cannot be read from {path}: {printable(error)}") from error

    def _indexed(self) -> dict[str, Path]:
        """The file of each tensor, as the index of several files says it."""
        index = self._folder.path / _INDEX
        if not index.is_file():
            return {}
        try:
            places = loads(index.read_text(encoding="utf-8"))["weight_map"]
            return {str(name): self._folder.file(str(file)) for name, file in places.items()}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ModelError(
                f"{index}: expected a JSON object with a weight_map from names of tensors to "
                f"files: {error!r}"
            ) from error

    def _by_files(self) -> dict[str, Path]:
        paths = sorted(self._folder.path.glob("*.safetensors"))
        if not paths:
            raise ModelError(f"model folder: {lacking(self._folder.path, '*.safetensors')}")
        return {name: path for path in paths for name in self._file(path).keys()}  # noqa: SIM118

    def _file(self, path: Path) -> Any:
        """An open file; ModelError for what is none of safetensors'."""
        if path not in self._files:
            try:
                self._files[path] = self._open(path, framework="numpy")
            except (package("safetensors").SafetensorError, OSError) as error:
                raise ModelError(f"{path}: is no safetensors file: {printable(error)}") from error
        return self._files[path]


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
