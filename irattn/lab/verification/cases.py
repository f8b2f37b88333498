"""The cases that a spec is verified on: inputs, and what must come out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.core.progress import steps
from irattn.core.tensors import TensorType
from irattn.lab.inputs import Tensors, cases_for
from irattn.lab.verification.accuracy import Accuracy, measured, strain
from irattn.lab.verification.choices import has_experts, nearest_choice
from irattn.lab.verification.scales import scales_of
from irattn.lab.verification.tiny_inputs import changes_by_tiny_inputs, nearest
from irattn.reference import reference
from irattn.runtime.costs import check_verification
from irattn.specs import Spec


@dataclass(frozen=True)
class KnownCase:
    """Inputs of one case, and what must come out: the float64 reference of each output.

    `scales` are those of outputs whose terms may cancel, None of others.
    """

    name: str
    spec: Spec
    tensors: Tensors
    expected: tuple[np.ndarray, ...]
    scales: tuple[np.ndarray | None, ...]

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        """The outputs of the call."""
        return self.spec.outputs

    def measures(self, outputs: Sequence[np.ndarray]) -> list[tuple[Accuracy, float]]:
        """The error of each output, and what is allowed."""
        expected = self.beside(outputs)
        measures = self._measures(outputs, expected)
        if max(map(strain, measures)) <= 1:
            return measures
        changes = changes_by_tiny_inputs(self.spec, self.tensors, self.expected)
        if changes is None:
            return measures
        return self._measures(outputs, nearest(outputs, expected, changes))

    def _measures(
        self, outputs: Sequence[np.ndarray], expected: Iterable[np.ndarray]
    ) -> list[tuple[Accuracy, float]]:
        every = zip(outputs, expected, self.outputs, self.scales, strict=True)
        return [measured(*one) for one in every]

    def beside(self, outputs: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
        """The expected outputs, with the experts that were chosen for these, where two tie."""
        output, expected = outputs[0], self.expected[0]
        is_near = strain(measured(output, expected, self.outputs[0])) <= 1
        if is_near or not has_experts(self.spec):
            return self.expected
        return nearest_choice(self.spec, self.tensors, expected, output), *self.expected[1:]

    def worst(self, outputs: Sequence[np.ndarray]) -> tuple[Accuracy, float]:
        """The measure of the output that comes closest to its tolerance or exceeds it most."""
        return max(self.measures(outputs), key=strain)


def known_case(name: str, call: Spec, tensors: Tensors) -> KnownCase:
    """A case of given inputs; sizes that a call may choose are those of the inputs."""
    expected = tuple(reference(call, tensors))
    return KnownCase(name, call, tensors, expected, scales_of(call, tensors, expected))


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
