"""Attention taken apart: its stages run one after the other, each compared with the reference.

A stage is given what the stage before it really computed. Its own error is measured against the
reference of that stage on the same inputs, and so tells which stage is wrong; the accumulated error
is measured against the float64 pipeline from the start, and tells what the errors add up to.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.compiling.store import Store
from irattn.core.progress import steps
from irattn.core.tensors import TensorType
from irattn.lab.inputs import cases_for
from irattn.lab.verification.accuracy import Accuracy, measured
from irattn.lab.verification.kernels import ChosenKernel, kernel_for
from irattn.reference import reference
from irattn.rendering import GraphRequest
from irattn.runtime.costs import check_verification
from irattn.specs import Spec
from irattn.specs.pipeline import stages_of

Tensors = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class StageVerdict:
    """The worst of all cases for one stage, or for the whole kernel, which has only one error."""

    stage: str
    output: TensorType
    own: Accuracy
    accumulated: Accuracy
    tolerance: float
    executed: str

    @property
    def is_wrong(self) -> bool:
        """Whether the stage itself computes something else than its reference."""
        return not self.own.decisive <= self.tolerance

    @property
    def passed(self) -> bool:
        """Whether neither its own error nor what it was given leaves the tolerance."""
        return not self.is_wrong and self.accumulated.decisive <= self.tolerance

    def to_dict(self) -> dict[str, Any]:
        """JSON form; null is an error without bound."""
        return {
            "stage": self.stage,
            "output": self.output.to_dict(),
            "own": self.own.to_dict(),
            "accumulated": self.accumulated.to_dict(),
            "tolerance": self.tolerance,
            "executed": self.executed,
            "passed": self.passed,
        }


@dataclass(frozen=True)
class StagesVerdict:
    """The stages of one spec in order, and the whole kernel as the last row."""

    name: str
    rows: tuple[StageVerdict, ...]
    cases: int
    ran: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether every row met its tolerance."""
        return all(row.passed for row in self.rows)

    @property
    def first_difference(self) -> str | None:
        """The first stage that is wrong by itself, else the first row whose errors add up."""
        wrong = [row.stage for row in self.rows if row.is_wrong]
        inherited = [row.stage for row in self.rows if not row.passed]
        return next(iter(wrong + inherited), None)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "name": self.name,
            "cases": self.cases,
            "stages": [row.to_dict() for row in self.rows],
            "first_difference": self.first_difference,
            "passed": self.passed,
            "ran": list(self.ran),
        }


def arguments_of(stage: Spec, before: np.ndarray | None, tensors: Tensors) -> dict[str, Any]:
    """The inputs of a stage: attention's own by their names, the rest is what came before."""
    names = [tensor.name for tensor in stage.inputs]
    return {name: tensors.get(name, before) for name in names}


def verify_stages(
    request: GraphRequest,
    *,
    name: str | None = None,
    device: str = "auto",
    seed: int = 0,
    store: Store | None = None,
) -> StagesVerdict:
    """Run the stages of an attention spec and the whole kernel on every case; compare each.

    The request is that of the whole kernel: stages have only one graph. Devices are chosen as
    `verify_spec` chooses them. UsageError for a spec that the stages cannot say.
    """
    spec, store = request.spec, store or Store()
    stages = stages_of(spec, name)
    for one in (*stages, spec):
        check_verification(one)
    requests = [GraphRequest(stage, request.target) for stage in stages]
    made = [kernel_for(stage, None, device, store) for stage in requests]
    made.append(kernel_for(request, name, device, store))
    cases = cases_for(spec)
    runs = [
        list(_run(made, case.tensors(spec, seed)))
        for case in steps(cases, lambda case: f"case {case.name}")
    ]
    return StagesVerdict(
        name=name or f"{spec.op}-{spec.digest}",
        rows=tuple(_worst(rows) for rows in zip(*runs, strict=True)),
        cases=len(cases),
        ran=tuple(dict.fromkeys(chosen.ran for chosen in made)),
    )


def _run(made: list[ChosenKernel], tensors: Tensors) -> Iterator[StageVerdict]:
    """Every stage in turn, then the whole kernel, which comes last."""
    *stages, last = made
    whole = last.kernel
    output: np.ndarray | None = None
    ideal: np.ndarray | None = None
    for chosen in stages:
        stage = chosen.kernel.spec
        given = arguments_of(stage, output, tensors)
        (output,) = chosen.kernel.outputs(**given)
        (own,) = reference(stage, given)
        (ideal,) = reference(stage, arguments_of(stage, ideal, tensors))
        yield _compared(chosen, output, own, ideal)
    (expected,) = reference(whole.spec, tensors)
    yield _compared(last, whole.outputs(**tensors)[0], expected, expected)


def _compared(
    chosen: ChosenKernel, output: np.ndarray, own: np.ndarray, expected: np.ndarray
) -> StageVerdict:
    spec = chosen.kernel.spec
    tensor = spec.outputs[0]
    own_error, tolerance = measured(output, own, tensor)
    accumulated, _ = measured(output, expected, tensor)
    return StageVerdict(spec.op, tensor, own_error, accumulated, tolerance, chosen.executed)


def _worst(rows: tuple[StageVerdict, ...]) -> StageVerdict:
    """One stage over all cases: the largest of each kind of error."""
    return dataclasses.replace(
        rows[0],
        own=max((row.own for row in rows), key=_decisive),
        accumulated=max((row.accumulated for row in rows), key=_decisive),
    )


def _decisive(accuracy: Accuracy) -> float:
    return accuracy.decisive
