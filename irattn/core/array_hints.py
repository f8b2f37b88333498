"""Hints for errors: how what a user gave becomes an array that a call takes."""

import numpy as np

from irattn.core.dtypes import FLOAT_NAMES, dtype


def array_hint(name: str, given: object, wanted: str = "", *, shares: bool = True) -> str:
    """A hint how to make a NumPy array, or a device array where the call `shares` memory.

    `wanted` is the element type that is expected, if it is one.
    """
    if hasattr(given, "to_numpy"):
        return f"; give {name}.to_numpy()"
    if isinstance(given, np.generic):
        return ""
    # Integers of others are i64, which is not taken on a device; NumPy's are checked and converted.
    is_host_first = wanted not in ("", *FLOAT_NAMES) and hasattr(given, "__array__")
    if hasattr(given, "__dlpack__") and not is_host_first:
        # NumPy has no word for bf16, and torch none for NumPy's array of what has a gradient.
        own = f"{name}.detach()" if getattr(given, "requires_grad", False) else name
        home = "irattn.DeviceArray" if shares else "np"
        operator = "; irattn.integrations.torch takes tensors" if _is_torchs(given) else ""
        return f"; give {home}.from_dlpack({own}){operator if shares else ''}"
    if isinstance(given, list | tuple) or hasattr(given, "__array__"):
        # Of integers, which NumPy recognises, a type would cut what are none.
        spelling = f", {dtype(wanted).spelling}" if wanted in FLOAT_NAMES else ""
        return f"; give np.asarray({name}{spelling})"
    return ""


def _is_torchs(given: object) -> bool:
    return type(given).__module__.partition(".")[0] == "torch"
