"""The tensors of a folder's safetensors files, from where these are mapped."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from irattn.core.errors import ModelError, printable
from irattn.core.strict_json import loads
from irattn.generation.folder import ModelFolder
from irattn.generation.packages import package
from irattn.generation.remedies import lacking

_INDEX = "model.safetensors.index.json"


class SafetensorsFiles:
    """The tensors of a folder; ModelError where a file is missing or is none of safetensors'."""

    said_by = "config.json"
    remedy = ""

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder
        self._open = package("safetensors").safe_open
        self._files: dict[Path, Any] = {}
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
            rows = tensor[first:end, slice(*columns)] if columns else tensor[first:end]
            return rows

    def blocks(self, name: str) -> np.ndarray:
        """The bytes of a tensor's rows."""
        with self._readable(name) as file:
            rows: np.ndarray = file.get_tensor(name)
            return rows

    def check_rest(self, read: Collection[str]) -> None:
        """Take what else there is: models have parts that are not run."""

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
