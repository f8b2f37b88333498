"""NumPy's arrays as tensors of PyTorch, which is an extra."""

from typing import Any

import numpy as np

from irattn.core.dtypes import dtype, dtype_name

_DTYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}


def torch_type(torch: Any, name: str) -> Any:
    """PyTorch's element type of irattn's name."""
    return getattr(torch, _DTYPES[name])


def tensor_of(torch: Any, array: np.ndarray) -> Any:
    """A copy in PyTorch's own memory; bf16, which NumPy's door does not take, by its bits."""
    name = dtype_name(array.dtype)
    if name != "bf16":
        return torch.from_numpy(array).clone()
    bits = array.view(dtype(name).carrier).view(np.int16)
    return torch.from_numpy(bits).clone().view(torch_type(torch, name))
