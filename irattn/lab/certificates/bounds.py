"""First-order bounds of the errors of every op, element by element.

Each is derived from what the op's reference computes: the roundings of its operations, the number
of terms of its sums, and the element type that is stored. `rounding` beside this has the rules and
their sources.
"""

from collections.abc import Sequence

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.lab.certificates import attention_op_bounds, part_bounds, stage_bounds
from irattn.lab.certificates.bounded_call import Call, Tensors, is_quantised
from irattn.lab.certificates.rounding import (
    storage_unit,
)
from irattn.specs import Spec


def error_bounds(
    spec: Spec,
    tensors: Tensors,
    expected: Sequence[np.ndarray],
    wanted: Sequence[np.ndarray],
    lost: float = 0.0,
) -> tuple[np.ndarray, ...] | None:
    """By how much each element of each output may differ from its float64 reference, `expected`.

    Bounds of elements that are not `wanted` may be left out. Numbers of 16 bits below `lost` may be
    taken for 0. None where no bound is derived for the op.
    """
    if spec.op in _EXACT and not is_quantised(spec):
        return tuple(np.zeros(array.shape) for array in expected)
    bound = _BOUNDS.get(spec.op)
    # Of experts, layers' own inputs, learned residuals and sparse gates none is derived yet, nor
    # of activations that are rounded, of dropout in what is no gradient, of cascades, or of what is
    # written to quantised caches.
    others = any(getattr(spec, name, None) for name in _UNBOUNDED)
    drops = getattr(spec, "dropout_p", None) and spec.op not in _GRADIENTS
    if bound is None or others or drops or (is_quantised(spec) and spec.op not in _READING):
        return None
    errors = bound(Call(spec, tensors, spec.outputs, wanted, lost))
    return tuple(
        error if tensor.name in spec.updates and not error.any() else _stored(error, value, tensor)
        for error, value, tensor in zip(errors, expected, spec.outputs, strict=True)
    )


_UNBOUNDED = ("experts", "laurel_rank", "layer_input", "sparsity", "cascade", "is_cascade")
_GRADIENTS = ("attention_backward", "packed_attention_backward")

# Ops that only read a cache.
_READING = ("attention", "paged_attention", "packed_paged_attention")


def _stored(error: np.ndarray, expected: np.ndarray, tensor: TensorType) -> np.ndarray:
    """The error with what storing adds to it; infinite elements must be so exactly."""
    size = np.abs(np.where(np.isfinite(expected), expected, 0.0))
    return error + storage_unit(tensor.dtype) * size + dtype(tensor.dtype).tiniest


# What only moves, hides or compares numbers.
_EXACT = frozenset(
    (
        *("cache_write", "cache_append", "page_slots", "replicate_kv", "block_mask"),
        *("greedy_choice", "drawn_choice"),
        *("causal_mask", "window_mask", "mask_scores"),
    )
)

_BOUNDS = attention_op_bounds.BOUNDS | stage_bounds.BOUNDS | part_bounds.BOUNDS
