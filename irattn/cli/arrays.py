"""Arrays in files: one as .npy, several by name as .npz.

These formats have no name for bf16 and keep its bits, as dtype V2, which stands for nothing else.
"""

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError, quoted
from irattn.core.folders import new_file

# What NumPy and the modules that it reads with raise for files that are damaged or something else.
_UNREADABLE = (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


def read_array(name: str, source: str) -> np.ndarray:
    """The array for the argument `name` out of `FILE.npy`, `FILE.npz` or `FILE.npz:ARRAY`.

    Of several arrays it is the one called ARRAY, or else `name`. ArgumentError where there is none.
    """
    file, _, chosen = source.rpartition(":")
    if not file.endswith(".npz"):
        file, chosen = source, name
    try:
        loaded = np.load(file, allow_pickle=False)
        array = loaded if isinstance(loaded, np.ndarray) else _member(name, file, chosen, loaded)
    except _UNREADABLE as error:
        kind = ".npz" if file.endswith(".npz") else ".npy"
        raise ArgumentError(
            f"{name}: {quoted(file)} is not a readable {kind} file: {_reason(error)}"
        ) from error
    bf16 = dtype("bf16")
    return array.view(bf16.numpy) if array.dtype == bf16.void else array


def write_arrays(file: Path, arrays: Mapping[str, Any]) -> None:
    """Write all of them to a .npz file, or the only one in the format of .npy."""
    with new_file(file) as opened:
        if file.suffix == ".npz":
            np.savez(opened, **arrays)
        else:
            (array,) = arrays.values()
            np.save(opened, array)


def _reason(error: Exception) -> str:
    """Why a file is not read; NumPy takes for pickled, and tells to unpickle, what it knows not."""
    if isinstance(error, OSError):
        return str(error.strerror or error)
    if "allow_pickle" in str(error):
        return "expected numbers as np.save or np.savez writes them, got objects or another format"
    return str(error)


def _member(name: str, file: str, chosen: str, archive: Any) -> np.ndarray:
    with archive:
        array = archive.get(chosen)
        if isinstance(array, np.ndarray):
            return array
        raise ArgumentError(
            f"{name}: {file} holds {', '.join(archive) or 'nothing'}, and no array "
            f"{quoted(chosen)}; choose one with --input {name}={file}:ARRAY"
        )
