"""Check values of a call's arrays that the host has, or is asked to look at, and take those up."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError
from irattn.runtime.arguments import Signature
from irattn.runtime.block_tables import DECIDING, TABLES
from irattn.runtime.direct.arrays import Library
from irattn.specs import Spec


def first_device_array(arrays: Sequence[Any]) -> Any:
    """The first array that is not NumPy's; ArgumentError where there is none."""
    for array in arrays:
        if not isinstance(array, np.ndarray):
            return array
    raise ArgumentError("arrays: expected one on a device at least, got NumPy's only")


def has_host_arrays(arrays: Sequence[Any]) -> bool:
    """Whether any is NumPy's."""
    return any(isinstance(array, np.ndarray) for array in arrays)


class HostValues:
    """The checks of a spec's calls on what the host knows of them.

    A block table is checked where lengths and offsets, on which it depends what is used of it, are
    known too.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._signature = Signature(spec)

    def taken(
        self,
        arrays: Sequence[Any],
        library: Library,
        upload: Callable[[np.ndarray], Any],
        download: Callable[[Any], np.ndarray] | None,
    ) -> list[Any]:
        """The arrays with those of NumPy checked, converted and uploaded.

        With `download`, the integers of others are checked as well. ArgumentError for a wrong one.
        """
        inputs = self._spec.inputs
        known = [
            isinstance(array, np.ndarray)
            or (download is not None and tensor.dtype not in ("f32", "f16", "bf16"))
            for tensor, array in zip(inputs, arrays, strict=True)
        ]
        hosts = [
            _on_host(array, tensor.name, library, download if is_known else None)
            for tensor, array, is_known in zip(inputs, arrays, known, strict=True)
        ]
        self._check(hosts, known)
        return [
            upload(_converted(hosts[i], inputs[i].dtype))
            if isinstance(array, np.ndarray)
            else array
            for i, array in enumerate(arrays)
        ]

    def _check(self, hosts: list[np.ndarray], known: Sequence[bool]) -> None:
        form = self._signature.form(hosts)
        decides = [tensor.role in DECIDING for tensor in form.inputs]
        tables_known = all(is_known for is_known, one in zip(known, decides, strict=True) if one)
        for i, check in form.trusted:
            if known[i] and (tables_known or form.inputs[i].role not in TABLES):
                # The table that comes back has other ids where nothing looks.
                hosts[i] = check(hosts[i], hosts)


def _on_host(
    array: Any, name: str, library: Library, download: Callable[[Any], np.ndarray] | None
) -> np.ndarray:
    if isinstance(array, np.ndarray):
        return array
    return download(array) if download else library.describe(name, array).stand_in


def _converted(array: np.ndarray, element: str) -> np.ndarray:
    """An array in the type of the compiled code, which holds its values."""
    wanted = dtype(element).numpy
    if array.dtype.kind == "i" and array.dtype != wanted:
        held = np.iinfo(wanted)
        array = np.clip(array, held.min, held.max)
    return array.astype(wanted, copy=False)
