"""The cases that a spec is verified on: inputs, and what must come out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.core.progress import steps
from irattn.core.tensors import TensorType
from irattn.lab.inputs import Tensors, cases_for
from irattn.lab.verification.accuracy import Accuracy, measured, strain
from irattn.lab.verification.scales import scales_of
from irattn.reference import reference
from irattn.runtime.costs import check_verification
from irattn.specs import Spec


@dataclass(frozen=True)
class KnownCase:
    """Inputs of one case, and what must come out: the float64 reference of each output.

    `scales` are those of outputs whose terms may cancel, None of others.
    """

    name: str
    tensors: Tensors
    outputs: tuple[TensorType, ...]
    expected: tuple[np.ndarray, ...]
    scales: tuple[np.ndarray | None, ...]

    def measures(self, outputs: Sequence[np.ndarray]) -> list[tuple[Accuracy, float]]:
        """The error of each output, and what is allowed."""
        every = zip(outputs, self.expected, self.outputs, self.scales, strict=True)
        return [measured(*one) for one in every]

    def worst(self, outputs: Sequence[np.ndarray]) -> tuple[Accuracy, float]:
        """The measure of the output that comes closest to its tolerance or exceeds it most."""
        return max(self.measures(outputs), key=strain)


def known_case(name: str, call: Spec, tensors: Tensors) -> KnownCase:
    """A case of given inputs; sizes that a call may choose are those of the inputs."""
    expected = tuple(reference(call, tensors))
    return KnownCase(name, tensors, call.outputs, expected, scales_of(call, tensors))


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
        yield known_case(name, call, tensors)
