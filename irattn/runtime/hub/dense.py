"""Tensors as kernels take them: whole rows one after the other, at addresses that can be loaded."""

import math
from importlib import import_module
from typing import Any, TypeAlias

from irattn.runtime.direct.addresses import ALIGNMENT
from irattn.runtime.hub.shaped import Shaped

torch: Any = import_module("torch")

Tensor: TypeAlias = Any


def tokens_of(q: Tensor, k: Tensor, v: Tensor) -> dict[str, Any]:
    """Packed queries, and keys and values in blocks of one token."""
    blocks = {"key_cache": tokens_by_row(k), "value_cache": tokens_by_row(v)}
    in_blocks = {
        name: one.reshaped(one.shape[0], 1, *one.shape[1:]) for name, one in blocks.items()
    }
    return {"query": tokens_by_row(q), **in_blocks}


def tokens_by_row(tensor: Tensor) -> Shaped:
    """Tokens one after the other, `[tokens, heads, head_dim]`, of however many sequences."""
    *tokens, heads, head_dim = tensor.shape
    return Shaped(dense(tensor), (math.prod(tokens), heads, head_dim))


def sinks_of(s_aux: Tensor | None) -> dict[str, Tensor]:
    """The input for sinks, if there are any."""
    return {} if s_aux is None else {"sinks": dense(s_aux.float())}


def integers(tensor: Tensor) -> Tensor:
    """Lengths, bounds or ids as kernels take them: int32."""
    return dense(tensor.to(torch.int32))


def dense(tensor: Tensor) -> Tensor:
    """The tensor as kernels take it: copied where rows lie apart, or begin where none can load."""
    rows = tensor.contiguous()
    return rows.clone() if rows.data_ptr() % ALIGNMENT else rows
