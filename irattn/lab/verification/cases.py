"""The cases that a spec is verified on: inputs, and what must come out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.core.progress import steps
from irattn.core.tensors import TensorType
from irattn.lab.inputs import Tensors, cases_for
from irattn.reference import reference
from irattn.runtime.costs import check_verification
from irattn.specs import Spec


@dataclass(frozen=True)
class KnownCase:
    """Inputs of one case, and what must come out: the float64 reference of each output."""

    name: str
    tensors: Tensors
    outputs: tuple[TensorType, ...]
    expected: tuple[np.ndarray, ...]


def known_cases(spec: Spec, seed: int) -> Iterator[KnownCase]:
    """Every case that makes sense for a spec, at every size that a call may choose.

    TooLargeError where this machine has not the memory.
    """
    check_verification(spec)
    pairs = [(call, case) for call in spec.calls for case in cases_for(call)]
    for call, case in steps(pairs, lambda pair: f"case {pair[1].name}"):
        sizes: Any = call
        at = ", ".join(f"{name} {sizes.size(name)}" for name in getattr(spec, "dynamic", ()))
        tensors = case.tensors(call, seed)
        name = f"{case.name} at {at}" if at else case.name
        yield KnownCase(name, tensors, call.outputs, tuple(reference(call, tensors)))
