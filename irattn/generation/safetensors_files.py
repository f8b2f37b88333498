"""The tensors of a folder's safetensors files, from where these are mapped."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from irattn.core.errors import ModelError, printable
from irattn.core.strict_json import loads
from irattn.generation.folder import ModelFolder
from irattn.generation.packages import package
from irattn.generation.remedies import lacking

_INDEX = "model.safetensors.index.json"
_WEIGHT, _BIAS = ".weight", ".bias"
# What an index that is none, or names what no file can be called, ends in.
_NO_INDEX = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)


class SafetensorsFiles:
    """The tensors of a folder; ModelError where a file is missing or is none of safetensors'."""

    said_by = "config.json"
    remedy = ""

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder
        self._open = package("safetensors").safe_open
        self._files: dict[Path, Any] = {}
        # Where data begins, and what stands before.
        self._headers: dict[Path, tuple[int, Any]] = {}
        self._places = self._indexed() or self._by_files()

    @property
    def names(self) -> Collection[str]:
        """The tensors that there are."""
        return self._places.keys()

    def place(self, name: str) -> Path:
        """The file that has a tensor."""
        return self._places[name]

    def described(self, name: str, packed: bool = False) -> tuple[str, tuple[int, ...]] | None:
        """The type and the shape of a tensor; None where there is none of this name."""
        if name not in self._places:
            return None
        with self._readable(name) as file:
            tensor = file.get_slice(name)
            return tensor.get_dtype(), tuple(tensor.get_shape())

    def rows(
        self, name: str, first: int, end: int, columns: tuple[int, int] | None = None
    ) -> np.ndarray:
        """Some rows of a tensor, in its own type, whole or some of their columns."""
        with self._readable(name) as file:
            tensor = file.get_slice(name)
            rows: np.ndarray
            if not tensor.get_shape():
                # A single number, which has no rows.
                return self.whole(name).reshape(1)[first:end]
            rows = tensor[first:end, slice(*columns)] if columns else tensor[first:end]
            return rows

    def blocks(self, name: str, first: int, end: int) -> np.ndarray:
        """Some rows of a tensor, in its own type, fp8_e4m3 among others."""
        described = self.described(name)
        if described is None or described[0] != "F8_E4M3":
            return self.rows(name, first, end)
        # safetensors asks NumPy for the type, which has none.
        bits: np.ndarray = self._mapped(name).reshape(described[1])[first:end]
        return bits.view(ml_dtypes.float8_e4m3fn)

    def whole(self, name: str) -> np.ndarray:
        """A whole tensor, of any number of axes."""
        with self._readable(name) as file:
            array: np.ndarray = file.get_tensor(name)
            return array

    def _mapped(self, name: str) -> np.ndarray:
        """The bytes of a tensor, of a file that safetensors has checked."""
        path = self._places[name]
        if path not in self._headers:
            with path.open("rb") as file:
                size = int.from_bytes(file.read(8), "little")
                self._headers[path] = (8 + size, loads(file.read(size).decode()))
        begin, header = self._headers[path]
        first, end = header[name]["data_offsets"]
        return np.memmap(path, np.uint8, "r", begin + first, end - first)

    def check_rest(self, read: Collection[str]) -> None:
        """ModelError for the bias of a weight that is read where nothing reads it, unless it is 0.

        What else there is is taken: models have parts that are not run.
        """
        for name in sorted(self._places.keys() - read):
            is_bias = name.endswith(_BIAS) and name.removesuffix(_BIAS) + _WEIGHT in read
            if is_bias and self.whole(name).any():
                raise ModelError(
                    f"{name}: a bias of {self._places[name]} that {self.said_by} does not name"
                )

    @contextmanager
    def _readable(self, name: str) -> Iterator[Any]:
        path = self._places[name]
        try:
            yield self._file(path)
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
        except _NO_INDEX as error:
            raise ModelError(
                f"{index}: expected a JSON object with a weight_map from names of tensors to "
                f"files: {error!r}"
            ) from error

    def _by_files(self) -> dict[str, Path]:
        """The file of each tensor without an index, which would say whose counts."""
        paths = sorted(self._folder.path.glob("*.safetensors"))
        if not paths:
            raise ModelError(f"model folder: {lacking(self._folder.path, '*.safetensors')}")
        places: dict[str, Path] = {}
        for path in paths:
            for name in self._file(path).keys():  # noqa: SIM118
                if name in places:
                    raise ModelError(
                        f"{name}: is in {places[name].name} and in {path.name} of "
                        f"{self._folder.path}; leave one of the files there, or an {_INDEX}"
                    )
                places[name] = path
        return places

    def _file(self, path: Path) -> Any:
        """An open file; ModelError for what is none of safetensors'."""
        if path not in self._files:
            # A pipe would be waited for.
            if not path.is_file():
                raise ModelError(f"{path}: is no safetensors file")
            try:
                self._files[path] = self._open(path, framework="numpy")
            except (package("safetensors").SafetensorError, OSError) as error:
                raise ModelError(f"{path}: is no safetensors file: {printable(error)}") from error
        return self._files[path]
