"""A call that bounds of errors are made for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.tensors import TensorType
from irattn.lab.certificates.rounding import (
    Rounded,
    given,
    storage_unit,
)
from irattn.reference.packed_weights import with_weights
from irattn.specs import Spec

Tensors = Mapping[str, np.ndarray]
Exact = Mapping[str, Rounded]


@dataclass(frozen=True)
class Call:
    """A call that bounds are made for; `wanted` are the elements of each output that need one.

    Numbers of 16 bits below `lost` may be taken for 0.
    """

    spec: Any
    tensors: Tensors
    outputs: Sequence[TensorType]
    wanted: Sequence[np.ndarray]
    lost: float

    @cached_property
    def exact(self) -> Exact:
        """The inputs. Weights that were quantised may be stored as tokens are."""
        tensors = with_weights(self.spec, self.tensors)
        made = {name: given(array, self.lost) for name, array in tensors.items()}
        rounded = {name for name in made if tensors[name] is not self.tensors.get(name)}
        return made | {name: _as_stored(made[name], self.spec.io_dtype) for name in rounded}


def is_quantised(spec: Spec) -> bool:
    """Whether a cache, or what products are given, is quantised."""
    attention = getattr(spec, "attention", spec)
    formats = (getattr(attention, "cache_dtype", None), getattr(spec, "activation_format", None))
    return any(formats)


def _as_stored(numbers: Rounded, kind: str) -> Rounded:
    """Numbers that may be rounded to a type."""
    size = np.abs(np.where(np.isfinite(numbers.value), numbers.value, 0.0))
    return Rounded(numbers.value, numbers.error + storage_unit(kind) * size + dtype(kind).tiniest)


# The bound of each element of each output, but for what storing adds.
Bound: TypeAlias = Callable[[Call], list[np.ndarray]]
